// Formats: torch/csrc/distributed/c10d/FlightRecorder.hpp and ProcessGroupNCCL.cpp, tools/flight_recorder (fr_trace -j)
#include "parsers/flight_recorder.h"

#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"
#include "parsers/process_group.h"
#include "parsers/python_frames.h"

namespace cutopsy {
namespace {

// ---- Stack trace of the failed collective:
//      #0 all_reduce from /opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py:2810

constexpr std::string_view kStackTriggers[] = {"of the failed collective"};

constexpr Phrase kStackFrame[] = {
    {" from ", R"(^\s*#\d+ (?P<function>.+) from (?P<file>.+):(?P<line>\d+)$)"},
};

class CollectiveStack : public Record {
 public:
  explicit CollectiveStack(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook frames(kStackFrame);
    Fields frame;
    if (!frames.find(line.text, frame)) return line.text.empty() ? Step::taken : Step::refused;
    const traceback::Frame outer{frame.get("file"), frame.get("line"), frame.get("function")};
    if (op_.empty()) op_ = outer.function;
    frames_.add_outer(outer);
    return Step::taken;
  }

  void finish(EventSink& sink) override {
    if (op_.empty()) return;
    event_.fields.set("op", op_);
    frames_.describe(event_.fields, false);
    sink.on_event(std::move(event_));
  }

 private:
  Event event_;
  std::string op_;
  PythonFrames frames_;
};

std::unique_ptr<Record> open_stack(const Line& opener) {
  if (!opener.text.ends_with("tack trace of the failed collective:")) return nullptr;
  Event event = line_event(opener, "nccl.collective", "torch");
  add_process_group(opener, event.fields);
  if (event.envelope.rank.empty()) event.envelope.rank = labelled_rank(opener);
  return std::make_unique<CollectiveStack>(std::move(event));
}

// ---- A dump: {"pg_status": {...}, "entries": [{"record_id": 0, "collective_seq_id": 1024, "state": "started", ...

constexpr std::string_view kEntry = "\"record_id\"";

constexpr Phrase kStatus[] = {
    {"last_enqueued_collective", R"re("last_enqueued_collective": ?(?P<last_enqueued>-?\d+))re"},
    {"last_started_collective", R"re("last_started_collective": ?(?P<last_started>-?\d+))re"},
    {"last_completed_collectiv", R"re("last_completed_collective": ?(?P<last_completed>-?\d+))re"},
};
constexpr Phrase kUnfinished[] = {
    {"state", R"re("state": ?"(?P<state>scheduled|started)")re"},
};
constexpr Phrase kMembers[] = {
    {"collective_seq_id", R"re("collective_seq_id": ?(?P<seq>\d+))re"},
    {"profiling_name", R"re("profiling_name": ?"(?P<op>[^"]+)")re"},
    {"process_group", R"re("process_group": ?\["(?P<pg>[^"]*)", ?"(?P<pg_name>[^"]*)"\])re"},
    {"timeout_ms", R"re("timeout_ms": ?(?P<timeout_ms>\d+))re"},
    {"frames",
     R"re("frames": ?\[\{"name": ?"(?P<function>[^"]+)", ?"filename": ?"(?P<file>[^"]+)", ?"line": ?(?P<line>\d+))re"},
};

constexpr std::string_view kDumpTriggers[] = {"collective_seq_id"};

// The first entry that is not completed: the others wait behind it.
void parse_dump(const Line& line, EventSink& sink) {
  static const PhraseBook unfinished(kUnfinished);
  static const PhraseBook members(kMembers);
  static const PhraseBook status(kStatus);
  const std::string_view text = line.text;
  if (text.find(kDumpTriggers[0]) == text.npos) return;
  for (std::size_t at = text.find(kEntry); at != text.npos;) {
    const std::size_t next = text.find(kEntry, at + kEntry.size());
    const std::string_view entry = text.substr(at, next == text.npos ? next : next - at);
    at = next;
    Event event = line_event(line, "nccl.collective", "torch");
    if (!unfinished.find(entry, event.fields)) continue;
    members.collect(entry, event.fields);
    status.collect(text, event.fields);
    event.fields.set("rank", line.envelope.rank);
    sink.on_event(std::move(event));
    return;
  }
}

}  // namespace

constinit const RecordParser kCollectiveStackParser{"collective_stack", kStackTriggers, open_stack, true};
constinit const LineParser kFlightRecorderParser{"flight_recorder", kDumpTriggers, parse_dump};

}  // namespace cutopsy
