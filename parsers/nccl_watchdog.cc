// Formats: torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp and TraceUtils.h, PyTorch 1.9 to 2.11
//   [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=122, OpType=ALLREDUCE, TensorShape=[1],
//   Timeout(ms)=1800000) ran for 1800030 milliseconds before timing out.
//   [PG ID 0 PG GUID 0(default_pg) Rank 1]  failure detected by watchdog at work sequence id: 1024 PG status: last
//   enqueued work: 1024, last completed work: 1023
#include "parsers/nccl_watchdog.h"

#include <array>
#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"
#include "parsers/process_group.h"

namespace cutopsy {
namespace {

constexpr Phrase kTimeouts[] = {
    {"caught collective operat",
     R"(Watchdog caught collective operation timeout: Work\w+\((?:SeqNum=(?P<seq>\d+), )?OpType=(?P<op>\w+))"
     R"((?:, TensorShape=(?P<tensor_shape>\[[\d, ]*\]))?)"
     R"((?:, NumelIn=(?P<numel_in>\d+), NumelOut=(?P<numel_out>\d+))?)"
     R"((?:, Timeout\(ms\)=(?P<timeout_ms>\d+))?\) ran for (?P<ran_ms>\d+) milliseconds)",
     "torch"},
    {"Timeout at NCCL work: ",
     R"(Timeout at NCCL work: (?P<seq>\d+), last enqueued NCCL work: (?P<last_enqueued>-?\d+), )"
     R"(last completed NCCL work: (?P<last_completed>-?\d+))",
     "torch"},
};

constexpr Phrase kProgress[] = {
    {"detected by watchdog at ",
     R"(detected by watchdog at work(?: sequence id)?: (?P<seq>\d+)(?: PG status: |, ))"
     R"(last enqueued (?:NCCL )?work: (?P<last_enqueued>-?\d+), last completed (?:NCCL )?work: (?P<last_completed>-?\d+))",
     "torch"},
    {"ast enqueued NCCL work: ",
     R"([Ll]ast enqueued NCCL work: (?P<last_enqueued>-?\d+), last completed NCCL work: (?P<last_completed>-?\d+))",
     "torch"},
};

constexpr auto kTriggers = [] {
  constexpr auto timeouts = triggers_of(kTimeouts);
  constexpr auto progress = triggers_of(kProgress);
  std::array<std::string_view, timeouts.size() + progress.size()> triggers;
  std::size_t i = 0;
  for (std::string_view literal : timeouts) triggers[i++] = literal;
  for (std::string_view literal : progress) triggers[i++] = literal;
  return triggers;
}();

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook timeouts(kTimeouts);
  static const PhraseBook progress(kProgress);
  Fields said;
  const bool timed_out = timeouts.find(line.text, said) != nullptr;
  if (!timed_out && !progress.find(line.text, said)) return;
  Event event = line_event(line, timed_out ? "nccl.timeout" : "nccl.progress", "torch");
  add_process_group(line, event.fields);
  if (event.envelope.rank.empty()) event.envelope.rank = labelled_rank(line);
  for (const auto& [name, value] : said) event.fields.set(name, value);
  sink.on_event(std::move(event));
}

// ---- The report of TORCH_NCCL_DESYNC_DEBUG, a block below a line of the log that holds nothing else.

constexpr Phrase kDesyncOpener[] = {
    {"Timeout at collective: ", R"(- \[(?P<rank>\d+)\] Timeout at collective: (?P<op>\w+), #(?P<seq>\d+)(?:\D|$))"},
};
constexpr Phrase kLagging[] = {
    {"joined but didn", R"(\[(?P<lagging>[\d, -]+)\] joined but didn't finish collective)"},
    {" finished collective #", R"(\[(?P<lagging>[\d, -]+)\] finished collective #\d+, but didn't join)"},
    {"are the lagging ranks", R"(ranks \[(?P<lagging>[\d, -]+)\] are the lagging ranks)"},
};

constexpr auto kDesyncTriggers = triggers_of(kDesyncOpener);

class DesyncReport : public Record {
 public:
  explicit DesyncReport(Event event) : event_(std::move(event)) {}

  Step feed(const Line& line) override {
    static const PhraseBook lagging(kLagging);
    const std::size_t indent = line.text.find_first_not_of(" \t");
    if (indent == 0 || indent == line.text.npos) return Step::refused;
    Fields found;
    if (lagging.find(line.text, found)) {
      std::string ranks(event_.fields.get("lagging"));
      if (!ranks.empty()) ranks += ", ";
      event_.fields.set("lagging", ranks.append(found.get("lagging")));
    }
    return line.text.find("Snapshot of ranks") == line.text.npos ? Step::taken : Step::last;
  }

  void finish(EventSink& sink) override { sink.on_event(std::move(event_)); }

 private:
  Event event_;
};

std::unique_ptr<Record> open_desync(const Line& opener) {
  static const PhraseBook openers(kDesyncOpener);
  Event event = line_event(opener, "nccl.desync", "torch");
  return openers.find(opener.text, event.fields) ? std::make_unique<DesyncReport>(std::move(event)) : nullptr;
}

}  // namespace

constinit const LineParser kNcclWatchdogParser{"nccl_watchdog", kTriggers, parse};
constinit const RecordParser kNcclDesyncParser{"nccl_desync", kDesyncTriggers, open_desync, true};

}  // namespace cutopsy
