// Formats (https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/, https://docs.nvidia.com/cuda/cuda-memcheck/).
// A report opens with a sentence behind nine '=' and a blank; its details are indented further; a bare row of '='
// ends it:
//   ========= Invalid __global__ write of size 4 bytes
//   =========     at kernel(float *, int)+0x90 in /home/u/k.cu:12        (2023 and later)
//   =========     at kernel(float *, int):0x90 in /home/u/k.cu:12        (2022)
//   =========     at 0x90 in /home/u/k.cu:12:kernel(float *, int)        (with line information, to 2021)
//   =========     at 0x00000e88 in update_velocity                       (without)
//   =========     by thread (31,0,0) in block (0,0,0)
//   =========     Address 0x7f0000000080 is out of bounds
//   =========
#include "parsers/sanitizer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "parsers/kernel_name.h"
#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr std::string_view kRule = "=========";

constexpr Phrase::Implied kOutOfBounds{"kind", "oob"};
constexpr Phrase::Implied kMisaligned{"kind", "misaligned"};
constexpr Phrase::Implied kRace{"kind", "race"};
constexpr Phrase::Implied kUninitialized{"kind", "uninitialized"};
constexpr Phrase::Implied kSync{"kind", "sync"};
constexpr Phrase::Implied kLeak{"kind", "leak"};
constexpr Phrase::Implied kApi{"kind", "api"};
constexpr Phrase::Implied kHeap{"kind", "heap"};
constexpr Phrase::Implied kUnused{"kind", "unused"};
constexpr Phrase::Implied kInternal{"kind", "internal"};
constexpr Phrase::Implied kOther{"kind", "other"};

// Opening sentences; the emitter is the tool that reports so. cuda-memcheck wrote the exceptions of the hardware in
// capitals ("Warp Illegal Address"), compute-sanitizer writes them as sentences ("Warp illegal address").
constexpr Phrase kSentences[] = {
    {"nvalid __",
     R"(^(?:Potential i|I)nvalid __(?P<space>\w+?)__ (?P<access>\w+)(?: access)?(?: of size (?P<size>[\d,]+))?)",
     "memcheck", kOutOfBounds},
    {"hared or local addr", R"((?i)^Out-of-range shared or local address)", "memcheck", kOutOfBounds},
    {"hared or local addr", R"((?i)^Misaligned shared or local address)", "memcheck", kMisaligned},
    {"hared or Local Addr", R"(^Out-of-range Shared or Local Address)", "memcheck", kOutOfBounds},
    {"hared or Local Addr", R"(^Misaligned Shared or Local Address)", "memcheck", kMisaligned},
    {"Out-of-range Addr", R"(^(?:Warp|Cluster) Out-of-range Address)", "memcheck", kOutOfBounds},
    {"isaligned Address", R"(^(?:Warp |Lane )?Misaligned Address)", "memcheck", kMisaligned},
    {"isaligned address", R"(^(?:Warp |Lane )?[Mm]isaligned address)", "memcheck", kMisaligned},
    {"Fatal UVM ", R"(^Fatal UVM )", "memcheck", kOutOfBounds},
    {"llegal Address", R"(^(?:(?:Warp|Lane|Device) )?Illegal Address)", "memcheck", kOutOfBounds},
    {"llegal address", R"(^(?:Warp|Lane|Device) (?:hit )?illegal address)", "memcheck", kOutOfBounds},
    {"(permission denied)", R"(^Invalid (?P<access>read|write|atomic) operation \(permission denied\))", "memcheck",
     kOutOfBounds},
    {"Invalid Address Space", R"(^(?:\w+ )?Invalid Address Space)", "memcheck", kOutOfBounds},
    {"llegal Instruction", R"(^(?:\w+ )?Illegal Instruction)", "memcheck", kOther},
    {"llegal instruction", R"(^(?:\w+ )?[Ii]llegal instruction)", "memcheck", kOther},
    {"tack Overflow", R"(^[\w ]*Stack Overflow)", "memcheck", kOther},
    {"tack overflow", R"(^[\w ]*[Ss]tack overflow)", "memcheck", kOther},
    {"Stack Error", R"(^[\w ]+ Stack Error)", "memcheck", kOther},
    {"Invalid PC", R"(^(?:\w+ )?Invalid PC)", "memcheck", kOther},
    {"Warp hit assert", R"(^Warp hit assert)", "memcheck", kOther},
    {"Warp assert", R"(^Warp assert)", "memcheck", kOther},
    {"tomic operation", R"(^(?:A |Invalid )system-(?:scoped )?atomic operation)", "memcheck", kOther},
    {"TMA tensor operation", R"(^Invalid parameter passed to TMA tensor operation)", "memcheck", kOther},
    {"Tensor Memory ", R"(^Tensor Memory )", "memcheck", kOther},
    {"syscall error", R"(^Lane syscall error)", "memcheck", kHeap},
    {"Malloc/Free ", R"(^Malloc/Free (?:Error|error) encountered)", "memcheck", kHeap},
    {"Leaked ",
     R"(^Leaked (?P<size>[\d,]+) bytes (?:at (?P<address>0x[0-9a-fA-F]+)|from ))"
     R"((?:.* called (?P<name>.+))?)",
     "memcheck", kLeak},
    {"Leaked an ", R"(^Leaked an (?P<name>\w+) with handle (?P<address>0x[0-9a-fA-F]+))", "memcheck", kLeak},
    {"Program hit ",
     R"re(^Program hit (?P<name>(?:cuda|CUDA_|CU)\w+) \(error (?P<code>\d+)\)(?: due to "(?P<text>[^"]*)")?)re"
     R"(.* API call to (?P<api>\w+))",
     "memcheck", kApi},
    {"Program hit ", R"(^Program hit error (?P<code>\d+) on CUDA API call to (?P<api>\w+))", "memcheck", kApi},
    {"Program hit ",
     R"(^Program hit (?P<text>[a-z][\w ,/'-]+) \(error (?P<code>\d+)\) on CUDA API call to (?P<api>\w+))", "memcheck",
     kApi},
    {"Program hit ", R"(^Program hit (?P<name>(?:cuda|CUDA_)\w+))", "memcheck", kApi},
    {"Race reported between",
     R"(^(?:Error|ERROR|Warning|WARNING|WARN):.*?Race reported between (?P<access>\w+) access at (?P<frame>.+))",
     "racecheck", kRace},
    {"hazard detected at",
     R"(^(?:Error|ERROR|Warning|WARNING|WARN):.*?Potential (?P<access>\w+) hazard detected at )"
     R"((?:__(?P<space>\w+?)__|global address) (?P<address>0x[0-9a-fA-F]+)(?: in block (?P<block>\([\d, ]+\)))?)",
     "racecheck", kRace},
    {"use-before-alloc access", R"(^Invalid use-before-alloc access)", "memcheck", kRace},
    {"Stream-ordered race", R"(^(?:Error: )?Stream-ordered race)", "memcheck", kRace},
    {"Deadlock detected in",
     R"(^Deadlock detected in (?P<text>.+?) called by threads starting at )"
     R"((?P<thread>\([\d, ]+\))(?: in block (?P<block>\([\d, ]+\)))?)"
     R"((?:.* at (?P<frame>.+))?)",
     "racecheck", kSync},
    {"Uninitialized ", R"(^Uninitialized __(?P<space>\w+?)__ memory (?P<access>\w+)(?: of size (?P<size>[\d,]+))?)",
     "initcheck", kUninitialized},
    {"Uninitialized access",
     R"(^Uninitialized access (?:at|to) (?P<address>0x[0-9a-fA-F]+)(?: on access by (?P<api>\w+))?)", "initcheck",
     kUninitialized},
    {"Host API memory access e",
     R"(^Host API memory access error at host access to (?P<address>0x[0-9a-fA-F]+) of size (?P<size>[\d,]+) bytes)",
     "memcheck", kOutOfBounds},
    {"uninitialized memory acc", R"(^Host API uninitialized memory access)", "initcheck", kUninitialized},
    {"memory in allocation",
     R"(^Unused (?:__(?P<space>\w+?)__ )?memory in allocation (?:(?P<address>0x[0-9a-fA-F]+) )?)"
     R"((?:called (?P<name>.+?) )?of size (?P<size>[\d,]+)(?:.* in block (?P<block>\([\d, ]+\)))?)",
     "initcheck", kUnused},
    {"Barrier error detected", R"(^Barrier error detected)", "synccheck", kSync},
    {"Warpgroup MMA sequence", R"(^Warpgroup MMA sequence error)", "synccheck", kSync},
    {"Internal Sanitizer ", R"(^Internal Sanitizer (?:Error|error))", "sanitizer", kInternal},
    {"Internal Memcheck ", R"(^Internal Memcheck (?:Error|error))", "memcheck", kInternal},
};

// Where code is named: FRAME of the layouts above, with or without a leading "at".
constexpr Phrase kFrames[] = {
    {":0x", R"(^(?P<signature>.+\)):0x[0-9a-fA-F]+ in (?P<location>\S.*?:\d+))"},
    {"0x", R"(^0x[0-9a-fA-F]+ in (?P<location>(?:[A-Za-z]:)?[^:]*[^:\d][^:]*:\d+):(?P<signature>.+))"},
    {"0x", R"(^0x[0-9a-fA-F]+ in (?P<signature>\S.*))"},
    {"+0x", R"(^(?P<signature>.+)\+0x[0-9a-fA-F]+(?: in (?P<location>\S.*?:\d+))?)"},
};

constexpr Phrase kDetails[] = {
    {"at ", R"(^at (?P<frame>.+))"},
    {" Thread ", R"(^(?:Write|Read) Thread (?P<thread>\([\d, ]+\)) at (?P<frame>.+))"},
    {"by thread ", R"(^by thread (?P<thread>\([\d, ]+\))(?: in block (?P<block>\([\d, ]+\)))?)"},
    {" is misaligned",
     R"(^(?:Address|Access (?:at|to)) (?P<address>0x[0-9a-fA-F]+) is misaligned)",
     "",
     {"misaligned", "true"}},
    {" that might ",
     R"(^Address (?P<address>0x[0-9a-fA-F]+) is located in a block that might )",
     "",
     {"unsynchronized", "true"}},
    {" is potentially ",
     R"(^(?:Address|Access to) (?P<address>0x[0-9a-fA-F]+) is potentially )",
     "",
     {"unsynchronized", "true"}},
    {" is ", R"(^(?:Address|Access (?:at|to)) (?P<address>0x[0-9a-fA-F]+) is )"},
    {"Address 0x", R"(^Address (?P<address>0x[0-9a-fA-F]+)$)"},
    {"Uninitialized access",
     R"(^Uninitialized access (?:at|to) 0x[0-9a-fA-F]+(?: on access by (?P<api>\w+))?)",
     "",
     {"uninitialized", "true"}},
    {"Invalid access", R"(^Invalid access (?:at|to) 0x[0-9a-fA-F]+(?: on access by (?P<api>\w+))?)"},
};

constexpr Phrase kSummaries[] = {
    {"ERROR SUMMARY: ", R"(========= ERROR SUMMARY: (?P<errors>\d+) errors?(?: |$))"},
    {"RACECHECK SUMMARY: ",
     R"(========= RACECHECK SUMMARY: (?P<hazards>\d+) hazards? displayed \((?P<errors>\d+) errors?, )"
     R"((?P<warnings>\d+) warnings?\))",
     "",
     {"tool", "racecheck"}},
    {"LEAK SUMMARY: ",
     R"(========= LEAK SUMMARY: (?P<leaked>[\d,]+) bytes leaked in (?P<leaks>\d+) allocations?)",
     "",
     {"tool", "memcheck"}},
};

constexpr auto kSentenceTriggers = triggers_of(kSentences);
constexpr auto kSummaryTriggers = triggers_of(kSummaries);

// What stands behind the row of '=', or nothing when there is no such row.
std::string_view behind_rule(std::string_view text) {
  const std::size_t at = text.find(kRule);
  return at == text.npos ? std::string_view() : text.substr(at + kRule.size());
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first);
}

// Resolves the printed frame in `found` into kernel, text and location of `fields`; earlier frames win.
void add_frame(const Fields& found, Fields& fields) {
  static const PhraseBook frames(kFrames);
  Fields frame;
  if (!frames.find(found.get("frame"), frame)) return;
  const std::string_view signature = frame.get("signature");
  std::string_view unqualified = signature;
  if (unqualified.ends_with(" const")) unqualified.remove_suffix(6);
  const std::string_view kernel = kernel_name(unqualified);
  fields.set_if_absent("kernel", kernel);
  fields.set_if_absent("location", frame.get("location"));
  if (kernel != signature) fields.set_if_absent("text", signature);
}

class SanitizerReport : public Record {
 public:
  SanitizerReport(Event event, bool has_frame) : event_(std::move(event)), has_frame_(has_frame) {}

  Step feed(const Line& line) override {
    const std::string_view rest = behind_rule(line.text);
    // Details are indented, but web pages lose the indentation of what was pasted into them.
    const bool detail = rest.starts_with("  ") || rest.starts_with(" at ") || rest.starts_with(" by thread (") ||
                        rest.starts_with(" Address 0x");
    if (!detail) return line.text.ends_with(kRule) && rest.empty() ? Step::last : Step::refused;
    add_detail(without_blanks(rest));
    return Step::taken;
  }

  void finish(EventSink& sink) override { sink.on_event(std::move(event_)); }

 private:
  void add_detail(std::string_view text) {
    static const PhraseBook details(kDetails);
    Fields found;
    if (!details.find(text, found)) return;
    Fields& fields = event_.fields;
    if (found.has("frame") && !has_frame_) {
      add_frame(found, fields);
      has_frame_ = true;
    }
    for (const char* name : {"thread", "block", "address", "api"}) fields.set_if_absent(name, found.get(name));
    if (fields.get("kind") != "oob") return;
    if (found.has("misaligned")) fields.set("kind", "misaligned");
    if (found.has("unsynchronized")) fields.set("kind", "race");
    if (found.has("uninitialized")) {
      fields.set("kind", "uninitialized");
      fields.set("tool", "initcheck");
    }
  }

  Event event_;
  bool has_frame_;
};

std::unique_ptr<Record> open(const Line& opener) {
  static const PhraseBook sentences(kSentences);
  std::string_view sentence = behind_rule(opener.text);
  if (!sentence.starts_with(' ')) return nullptr;
  sentence.remove_prefix(sentence.starts_with("  ") ? 2 : 1);  // one title has two blanks: "  Unused memory in"
  Fields found;
  const Phrase* phrase = sentences.find(sentence, found);
  if (!phrase) return nullptr;

  const bool old_wording = sentence.find(" of size ") != sentence.npos && !sentence.ends_with("bytes");
  Event event = line_event(opener, "sanitizer.report", old_wording ? "cuda-memcheck" : "compute-sanitizer");
  event.fields.set("tool", phrase->emitter);
  event.fields.set("error", sentence);
  for (const auto& [name, value] : found)
    if (name != "frame") event.fields.set(name, value);
  std::string bytes(event.fields.get("size"));
  std::erase(bytes, ',');
  event.fields.set("size_bytes", bytes);
  add_frame(found, event.fields);
  return std::make_unique<SanitizerReport>(std::move(event), found.has("frame"));
}

void parse_summary(const Line& line, EventSink& sink) {
  static const PhraseBook summaries(kSummaries);
  Event event = line_event(line, "sanitizer.summary", "compute-sanitizer");
  if (!summaries.find(line.text, event.fields) || line.text.find("were not printed") != line.text.npos) return;
  std::string leaked(event.fields.get("leaked"));
  std::erase(leaked, ',');
  event.fields.set("leaked", leaked);
  event.fields.set("leaked_bytes", leaked);
  sink.on_event(std::move(event));
}

}  // namespace

constinit const RecordParser kSanitizerParser{"sanitizer", kSentenceTriggers, open};
constinit const LineParser kSanitizerSummaryParser{"sanitizer_summary", kSummaryTriggers, parse_summary};

}  // namespace cutopsy
