// Formats:
//   make         make[2]: *** [CMakeFiles/app.dir/build.make:76: CMakeFiles/app.dir/a.cu.o] Error 2
//   setuptools   error: command '/usr/local/cuda/bin/nvcc' failed with exit code 1      (before 3.9: exit status)
//   MSBuild      a.targets(785,9): error MSB3721: The command ""C:\...\nvcc.exe" ..." exited with code 1. [a.vcxproj]
//                (in the user's language; the number of the message and the status are the same in all)
//   Bazel        ERROR: /src/BUILD:12:11: Compiling a.cu.cc failed: (Exit 1): crosstool_wrapper_... failed: ...
//   ninja        FAILED: a.cu.o      (from 1.13 on: FAILED: [code=137] a.cu.o)
//                /usr/local/cuda/bin/nvcc ... -c a.cu -o a.cu.o
//                Killed            (the shell's word for a process that got signal 9; compilers' messages come before)
//                [3/9] Building CUDA object b.cu.o
#include "parsers/build_step.h"

#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kSteps[] = {
    {"] Error ",
     R"(make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*: )?(?P<target>[^\]]+\.(?:o|obj|lo|so|a|cubin|ptx|fatbin))\] Error )"
     R"((?P<exit_code>\d+))",
     "make"},
    {"error: command ",
     R"(error: command \W{0,2}(?P<tool>[^'\s]*?[^'\s/\\]+?)\W{0,2} (?:[^']*)?failed with exit (?:code|status) )"
     R"((?P<exit_code>-?\d+))",
     "setuptools"},
    {"error MSB3721: ",
     R"(error MSB3721: .*?(?P<tool>nvcc)\b.*[^\d-](?P<exit_code>-?\d{1,10})[^\d\[\]]*(?: \[[^\[\]]*\])?$)", "msbuild"},
    {"failed: (Exit ", R"((?:ERROR: )?(?P<file>\S+?):\d+:\d+: .*(?P<target>\S+) failed: \(Exit (?P<exit_code>-?\d+)\))",
     "bazel"},
};
constexpr auto kTriggers = triggers_of(kSteps);

constexpr Phrase kFailed[] = {{"FAILED: ", R"(^FAILED: (?:\[code=(?P<exit_code>\d+)\] )?(?P<target>\S+\.\w+))"}};
constexpr auto kFailedTriggers = triggers_of(kFailed);

constexpr Phrase kCompilers[] = {
    {"nvcc", R"((?:^|[\s/\\"])(?P<tool>nvcc)(?:\.exe)?\b)"},
    {"",
     R"((?:^|[\s/\\"])(?P<tool>(?:[\w.]+-)*(?:g\+\+|gcc|c\+\+|cc|clang|clang\+\+|cl|ld|ar)(?:-[\d.]+)?)(?:\.exe)?"?\s)"},
};

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook steps(kSteps);
  Event event = line_event(line, "build.step_failed", "");
  const Phrase* step = steps.find(line.text, event.fields);
  if (!step) return;
  event.emitter = step->emitter;
  sink.on_event(std::move(event));
}

class NinjaStep : public Record {
 public:
  explicit NinjaStep(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook compilers(kCompilers);
    ++lines_;
    if (lines_ == 1) {
      compilers.find(line.text, event_.fields);
      return Step::taken;
    }
    if (line.text == "Killed") {
      event_.fields.set("signal", "9");
      return Step::last;
    }
    const bool is_over =
        line.text.starts_with("ninja: ") || line.text.starts_with("FAILED: ") || is_progress(line.text);
    return is_over ? Step::refused : Step::taken;
  }

  void finish(EventSink& sink) override { sink.on_event(std::move(event_)); }

 private:
  // "[3/9] Building ..."
  static bool is_progress(std::string_view text) {
    if (!text.starts_with('[')) return false;
    const std::size_t slash = text.find_first_not_of("0123456789", 1);
    return slash != 1 && slash < text.size() && text[slash] == '/';
  }

  Event event_;
  int lines_ = 0;
};

std::unique_ptr<Record> open(const Line& opener) {
  static const PhraseBook failed(kFailed);
  Event event = line_event(opener, "build.step_failed", "ninja");
  if (!failed.find(opener.text, event.fields)) return nullptr;
  return std::make_unique<NinjaStep>(std::move(event));
}

}  // namespace

constinit const LineParser kBuildStepParser{"build step", kTriggers, parse};
constinit const RecordParser kNinjaStepParser{"ninja step", kFailedTriggers, open, true};

}  // namespace cutopsy
