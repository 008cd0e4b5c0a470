// Formats: MATLAB's gpuArray; Thrust's exceptions before they named the status; NAMD src/CudaUtils.C (cudaDie);
// https://github.com/graphdeco-inria/diff-gaussian-rasterization (CHECK_CUDA in cuda_rasterizer/auxiliary.h);
// the CHECK_CUDA_ERROR of https://leimao.github.io/blog/Proper-CUDA-Error-Checking/
#include "parsers/split_status.h"

#include <re2/re2.h>

#include <string>
#include <utility>
#include <vector>

#include "parsers/cuda_status.h"
#include "parsers/line_event.h"
#include "parsers/phrase.h"
#include "parsers/status_details.h"

namespace cutopsy {
namespace {

constexpr Phrase kOpeners[] = {
    {"The CUDA error was:", R"(The CUDA error was:\s*$)", "matlab"},
    {"CUDA Runtime Error at: ", R"(CUDA Runtime Error at: (?P<file>\S+):(?P<line>\d+)\s*$)"},
    {"ERROR: CUDA error ",
     R"(FATAL ERROR: CUDA error (?P<api>.+) in file (?P<file>\S+), function \S+, line (?P<line>\d+)\s*$)", "namd"},
    {"[CUDA ERROR] in ", R"(\[CUDA ERROR\] in (?P<file>\S+)\s*$)"},
    {"throwing an instance of ", R"(throwing an instance of 'thrust::(?:system::)?system_error')", "thrust"},
};

constexpr auto kTriggers = triggers_of(kOpeners);

class SplitStatus : public Record {
 public:
  SplitStatus(std::string_view emitter, Fields announced) : emitter_(emitter), announced_(std::move(announced)) {}

  Step feed(const Line& line) override {
    static const RE2 kWords(R"(^\s*(?:on Pe \d+ \([^()]*\): |Line (\d+): |what\(\):\s+)?([A-Za-z].*)$)", RE2::Latin1);
    std::string number;
    std::string words;
    if (!RE2::PartialMatch({line.text.data(), line.text.size()}, kWords, &number, &words)) return Step::refused;
    if (!read_statuses(line).empty()) return Step::last;  // the line parser reads it
    words.insert(0, "CUDA error: ");
    Line whole = line;
    whole.text = words;
    for (const StatusReport& report : read_statuses(whole)) {
      if (report.status == nullptr) continue;
      Event event = line_event(line, "cuda.status", emitter_);
      event.fields = announced_;
      event.fields.set("family", report.family);
      event.fields.set("name", report.name);
      event.fields.set("text", report.text);
      if (!number.empty()) event.fields.set("line", number);
      events_.push_back(std::move(event));
    }
    return Step::last;
  }

  void finish(EventSink& sink) override {
    for (Event& event : events_) sink.on_event(std::move(event));
  }

 private:
  std::string_view emitter_;
  Fields announced_;
  std::vector<Event> events_;
};

std::unique_ptr<Record> open_record(const Line& opener) {
  static const PhraseBook openers(kOpeners);
  Fields announced;
  const Phrase* phrase = openers.find(opener.text, announced);
  return phrase ? std::make_unique<SplitStatus>(phrase->emitter, std::move(announced)) : nullptr;
}

}  // namespace

constinit const RecordParser kSplitStatusParser{"split_status", kTriggers, open_record, true};

}  // namespace cutopsy
