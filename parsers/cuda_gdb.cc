// Format (https://docs.nvidia.com/cuda/cuda-gdb/#cuda-exceptions); older versions print no "CUDA Exception:" and no PC:
//   CUDA Exception: Warp Illegal Address
//   The exception was triggered at PC 0x155528f1a6c0 (ParticlePush.H:137)
//
//   Thread 1 "beamtrack" received signal CUDA_EXCEPTION_14, Warp Illegal Address.
//   [Switching focus to CUDA kernel 0, grid 61, block (39,0,0), thread (96,0,0), device 0, sm 4, warp 11, lane 0]
//   0x0000155528f1a6d0 in push (this=0x7fffd0fffa90, i=10080) at /scratch/beam/src/particles/ParticlePush.H:137
// The driver itself, when it writes a core dump (CUDA_COREDUMP_SHOW_PROGRESS=1):
//   [06:43:15.209195] coredump: Detected an exception of type CUDBG_EXCEPTION_WARP_ILLEGAL_ADDRESS (14)
//   [06:43:15.209210] coredump:   - PC 0x7462c3bac310
//   [06:43:15.209486] coredump:   #0	0x7462c3bac620	_Z25illegalMemoryAccessKernelPii
// With "set cuda memcheck on" (to CUDA 11) the first line is: Illegal access to address (@global)0x7fffcfc00a88
// detected.
#include "parsers/cuda_gdb.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/kernel_name.h"
#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kOpeners[] = {
    {"CUDA Exception: ", R"(CUDA Exception: (?P<error>[A-Z][\w ()/-]+))"},
    {"received signal CUDA_EXC", R"(received signal (?P<code>CUDA_EXCEPTION_\d+), (?P<error>[A-Z][\w ()/-]+))"},
    {"Illegal access to addres",
     R"(^Illegal access to address \(@(?P<space>\w+)\)(?P<address>0x[0-9a-fA-F]+) detected)",
     "",
     {"error", "Lane Illegal Address"}},
    {"Detected an exception of", R"(coredump: Detected an exception of type (?P<code>CUDBG_EXCEPTION_\w+))"},
};

constexpr Phrase kDetails[] = {
    {"triggered at PC ", R"(triggered at PC (?P<address>0x[0-9a-fA-F]+)(?:.*\((?P<location>[^()\s]+:\d+)\))?)"},
    {"received signal CUDA_EXC", R"(received signal (?P<code>CUDA_EXCEPTION_\d+))"},
    {"coredump: ", R"(coredump:  *- PC (?P<address>0x[0-9a-fA-F]+))"},
    {"coredump: ", R"(coredump:  *#0\s+0x[0-9a-fA-F]+\s+(?P<kernel>\S+))"},
    {"coredump: ", R"(coredump: )"},
    {"ocus ", R"([Ff]ocus (?:set )?to CUDA kernel .*?block (?P<block>\([\d,]+\)), thread (?P<thread>\([\d,]+\)))"},
};

// The line of source where the debugger stopped; it closes the record.
constexpr Phrase kFrames[] = {
    {") at ",
     R"(^(?:#0 +)?(?:0x[0-9a-fA-F]+ in )?(?P<kernel>[^\s(].*?)(?:<<<.*?>>>)? \(.*\) at (?P<location>\S+:\d+)$)"},
    {">>> (", R"(^(?:#0 +)?(?:0x[0-9a-fA-F]+ in )?(?P<kernel>[^\s(].*?)<<<.*?>>> \()"},
};

constexpr auto kTriggers = triggers_of(kOpeners);

// The `kind` of a report by the exception's name; all others are "other".
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kKinds{{
    {"Illegal Address", "oob"},
    {"Out-of-range Address", "oob"},
    {"Invalid Managed Memory Access", "oob"},
    {"MMU Fault", "oob"},
    {"Misaligned Address", "misaligned"},
    {"Syscall Error", "heap"},
}};

std::string_view kind_of(std::string_view exception) {
  for (const auto& [name, kind] : kKinds)
    if (exception.find(name) != exception.npos) return kind;
  return "other";
}

// "CUDBG_EXCEPTION_WARP_OUT_OF_RANGE_ADDRESS" as the debugger spells it: "Warp Out-of-range Address".
std::string exception_name(std::string_view enumerator) {
  constexpr std::string_view kPrefix = "CUDBG_EXCEPTION_";
  if (!enumerator.starts_with(kPrefix)) return {};
  std::string name(enumerator.substr(kPrefix.size()));
  bool first = true;
  for (char& c : name) {
    if (c == '_') {
      c = ' ';
    } else if (!first && c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
    first = c == ' ';
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSpellings{
      {{"Out Of Range", "Out-of-range"}, {" Pc", " PC"}, {"Mmu", "MMU"}}};
  for (const auto& [from, to] : kSpellings)
    if (const std::size_t at = name.find(from); at != name.npos) name.replace(at, from.size(), to);
  return name;
}

class CudaException : public Record {
 public:
  explicit CudaException(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook details(kDetails);
    static const PhraseBook frames(kFrames);
    if (line.text.empty()) return ++blanks_ <= kMaxBlanks ? Step::taken : Step::refused;
    if (details.find(line.text, event_.fields)) return Step::taken;
    return frames.find(line.text, event_.fields) ? Step::last : Step::refused;
  }

  void finish(EventSink& sink) override {
    const std::string kernel(event_.fields.get("kernel"));
    event_.fields.set("kernel", kernel_name(kernel));
    sink.on_event(std::move(event_));
  }

 private:
  static constexpr int kMaxBlanks = 3;

  Event event_;
  int blanks_ = 0;
};

std::unique_ptr<Record> open(const Line& opener) {
  static const PhraseBook openers(kOpeners);
  Event event = line_event(opener, "sanitizer.report", "cuda-gdb");
  if (!openers.find(opener.text, event.fields)) return nullptr;
  event.fields.set("tool", "cuda-gdb");
  event.fields.set("error", exception_name(event.fields.get("code")));
  event.fields.set("kind", kind_of(event.fields.get("error")));
  return std::make_unique<CudaException>(std::move(event));
}

}  // namespace

constinit const RecordParser kCudaGdbParser{"cuda_gdb", kTriggers, open};

}  // namespace cutopsy
