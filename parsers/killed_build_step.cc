// Format: ninja's report of a failed step (ninja-build/ninja, src/status_printer.cc; the code since 1.12), the command,
// what the command printed, and the word of the shell that ran it:
//   FAILED: [code=137] csrc/flash_bwd.o
//   /usr/local/cuda/bin/nvcc -c csrc/flash_bwd.cu -o csrc/flash_bwd.o
//   Killed
// Nobody but the kernel's OOM killer ends single compilers of a build that goes on.
#include "parsers/killed_build_step.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "parsers/line_event.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {"FAILED: "};
constexpr std::size_t kMaxLines = 12;
constexpr std::array<std::string_view, 7> kCompilers = {"nvcc", "g++", "c++", "gcc", "clang++", "clang", "cc"};

std::string_view without_indent(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

// The name of the program that `command` calls as ".../NAME args", "" if it is no compiler.
std::string_view compiler_in(std::string_view command) {
  for (std::string_view name : kCompilers) {
    for (std::size_t at = command.find(name); at != std::string_view::npos; at = command.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool starts = at == 0 || command[at - 1] == '/' || command[at - 1] == ' ' || command[at - 1] == '-';
      if (starts && end < command.size() && command[end] == ' ') return name;
    }
  }
  return {};
}

class KilledBuildStep : public Record {
 public:
  Step feed(const Line& line) override {
    const std::string_view text = without_indent(line.text);
    if (text == "Killed" && !compiler_.empty()) {
      Event event = line_event(line, "kernel.oom_kill", "shell");
      event.fields.set("process", compiler_);
      killed_ = std::move(event);
      return Step::last;
    }
    if (++lines_ > kMaxLines || text.starts_with("ninja: ") || text.starts_with(kTriggers[0])) return Step::refused;
    if (lines_ == 1) compiler_ = compiler_in(text);
    return compiler_.empty() ? Step::refused : Step::taken;
  }

  void finish(EventSink& sink) override {
    if (killed_) sink.on_event(*std::move(killed_));
  }

 private:
  std::size_t lines_ = 0;
  std::string_view compiler_;
  std::optional<Event> killed_;
};

std::unique_ptr<Record> open(const Line& opener) {
  return without_indent(opener.text).starts_with(kTriggers[0]) ? std::make_unique<KilledBuildStep>() : nullptr;
}

}  // namespace

constinit const RecordParser kKilledBuildStepParser{"killed_build_step", kTriggers, open, true};

}  // namespace cutopsy
