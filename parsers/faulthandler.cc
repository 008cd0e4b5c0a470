// Formats: CPython's Modules/faulthandler.c, Python/traceback.c and Python/pylifecycle.c
//   Fatal Python error: Segmentation fault
//
//   Current thread 0x00007f1c2d3e4740 (most recent call first):
//     File "/home/u/train.py", line 31 in step
//     File "/home/u/train.py", line 50 in <module>
//
//   Extension modules: numpy._core._multiarray_umath, torch._C (total: 2)
// Other threads come before the current one or after it. Windows: Windows fatal exception: access violation
#include "parsers/faulthandler.h"

#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"
#include "parsers/python_frames.h"

namespace cutopsy {
namespace {

constexpr Phrase kOpeners[] = {
    {"Fatal Python error: ", R"(Fatal Python error: (?P<message>\S.*))", "python"},
    {"Windows fatal exception:", R"(Windows fatal exception: (?P<message>\S.*))", "python"},
};
constexpr Phrase kThreads[] = {
    {"(most recent call first)",
     R"(^(?:Current thread|Thread) (?P<thread>0x[0-9a-fA-F]+).*\(most recent call first\):)"},
    {"(most recent call first)", R"(^Stack \(most recent call first\):)"},
};
constexpr Phrase kFrames[] = {
    {"File ", R"re(^ *File "(?P<file>[^"]*)", line (?P<line>\d+|\?\?\?) in (?P<function>.+))re"},
};

constexpr auto kTriggers = triggers_of(kOpeners);

class FatalError : public Record {
 public:
  explicit FatalError(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override;
  void finish(EventSink& sink) override {
    frames_.describe(event_.fields, false);
    sink.on_event(std::move(event_));
  }

 private:
  Event event_;
  PythonFrames frames_;  // of the current thread
  bool in_current_ = false;
};

Record::Step FatalError::feed(const Line& line) {
  static const PhraseBook threads(kThreads);
  static const PhraseBook frames(kFrames);
  const std::string_view text = line.text;
  Fields found;
  if (frames.find(text, found)) {
    if (in_current_) frames_.add_outer({found.get("file"), found.get("line"), found.get("function")});
    return Step::taken;
  }
  if (threads.find(text, found)) {
    in_current_ = !text.starts_with("Thread");
    if (in_current_) event_.fields.set("thread", found.get("thread"));
    return Step::taken;
  }
  if (text.starts_with("Extension modules: ")) return Step::last;
  const bool note = text.empty() || text.starts_with("  ") || text.starts_with("Python runtime state: ") ||
                    text.starts_with("Current thread's C stack trace");
  return note ? Step::taken : Step::refused;
}

std::unique_ptr<Record> open_record(const Line& opener) {
  static const PhraseBook openers(kOpeners);
  Event event = line_event(opener, "python.fatal", "python");
  return openers.find(opener.text, event.fields) ? std::make_unique<FatalError>(std::move(event)) : nullptr;
}

}  // namespace

constinit const RecordParser kFaulthandlerParser{"faulthandler", kTriggers, open_record};

}  // namespace cutopsy
