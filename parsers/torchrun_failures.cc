// Format (torch/distributed/elastic/multiprocessing/errors/__init__.py):
//   Failures:
//   [1]:
//     time      : 2026-11-30_10:00:00
//     host      : node1.cluster
//     rank      : 3 (local_rank: 3)
//     exitcode  : -6 (pid: 4245)
//     error_file: <N/A>
//     traceback : Signal 6 (SIGABRT) received by PID 4245
//   ------------------------------------------------------------
//   Root Cause (first observed failure):
// A worker that records its error has a traceback of several lines there, indented.
#include "parsers/torchrun_failures.h"

#include <utility>
#include <vector>

#include "parsers/line_event.h"
#include "parsers/phrase.h"
#include "parsers/signal_number.h"

namespace cutopsy {
namespace {

constexpr Phrase kRows[] = {
    {"host      : ", R"(^\s*host      : (?P<host>\S+)$)"},
    {"rank      : ", R"(^\s*rank      : (?P<rank>\d+) \(local_rank: (?P<local_rank>\d+)\)$)"},
    {"exitcode  : ", R"(^\s*exitcode  : (?P<exitcode>-?\d{1,10}) \(pid: (?P<pid>\d+)\)$)"},
    {"error_file: ", R"(^\s*error_file: (?P<file>[^<\s]\S*)$)"},
    {") received by PID ", R"(^\s*traceback : Signal (?P<signal>\d{1,2}) \(\w+\) received by PID (?P<pid>\d+))"},
};

constexpr auto kTriggers = triggers_of(kRows);

// Reads one row; false when it is none.
bool read_row(const Line& line, Fields& fields) {
  static const PhraseBook rows(kRows);
  return rows.find(line.text, fields) != nullptr;
}

class TorchrunFailures : public Record {
 public:
  TorchrunFailures(const Line& opener, const Fields& fields) { add_row(opener, fields); }

  Step feed(const Line& line) override;
  void finish(EventSink& sink) override;

 private:
  void add_row(const Line& line, const Fields& fields);

  static constexpr std::size_t kMaxFailures = 64;

  std::vector<Event> failures_;
  bool complete_ = false;  // the last one: what follows is another's
};

// The exit code's line decides, else the first.
void TorchrunFailures::add_row(const Line& line, const Fields& fields) {
  if (complete_ || failures_.empty()) {
    failures_.push_back(line_event(line, "launcher.rank_failed", "torchrun"));
    complete_ = false;
  }
  Event& failure = failures_.back();
  for (const auto& [name, value] : fields) failure.fields.set(name, value);
  if (!fields.has("exitcode")) return;
  failure.envelope = line.envelope;
  failure.where = line.where;
  failure.text = line.text;
}

Record::Step TorchrunFailures::feed(const Line& line) {
  const std::string_view text = line.text;
  Fields fields;
  if (read_row(line, fields)) {
    if (failures_.size() == kMaxFailures && complete_) return Step::last;
    add_row(line, fields);
    return Step::taken;
  }
  if (text.starts_with("=====")) return Step::last;
  const bool between = text.starts_with("-----") || text.starts_with("Root Cause (first obs");
  complete_ = complete_ || between || (text.starts_with('[') && text.ends_with("]:"));
  return complete_ || text.empty() || text.starts_with("  ") ? Step::taken : Step::refused;
}

void TorchrunFailures::finish(EventSink& sink) {
  for (Event& failure : failures_) {
    number_signal(failure.fields);
    const std::string_view exitcode = failure.fields.get("exitcode");
    const bool names_failure = exitcode.empty() ? failure.fields.has("rank") : exitcode != "0";
    if (names_failure || failure.fields.has("signal")) sink.on_event(std::move(failure));
  }
}

std::unique_ptr<Record> open_record(const Line& opener) {
  Fields fields;
  return read_row(opener, fields) ? std::make_unique<TorchrunFailures>(opener, fields) : nullptr;
}

}  // namespace

constinit const RecordParser kTorchrunFailuresParser{"torchrun_failures", kTriggers, open_record, true};

}  // namespace cutopsy
