// Samples: ProcessGroupNCCL's messages as PyTorch 1.9 to 2.9 print them, and reported logs.
#include "parsers/nccl_watchdog.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"
#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::string describe(const Event& event) {
  std::string text(event.kind);
  for (const auto& [name, value] : event.fields) text += ' ' + name + '=' + value;
  return text;
}

struct Sample {
  std::string_view line;
  std::string_view event;
};

class NcclWatchdog : public testing::TestWithParam<Sample> {};

TEST_P(NcclWatchdog, SaysWhereARankStands) {
  EXPECT_EQ(describe(only_event(kNcclWatchdogParser, GetParam().line)), GetParam().event);
}

const Sample kSamples[] = {
    {"[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(OpType=BROADCAST, TensorShape=[3, 1024], "
     "Timeout(ms)=1800000) ran for 1808499 milliseconds before timing out.",
     "nccl.timeout rank=0 op=BROADCAST tensor_shape=[3, 1024] timeout_ms=1800000 ran_ms=1808499"},
    {"[PG 1 Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=_ALLGATHER_BASE, "
     "NumelIn=525312, NumelOut=4202496, Timeout(ms)=600000) ran for 600410 milliseconds before timing out.",
     "nccl.timeout pg=1 rank=3 seq=7 op=_ALLGATHER_BASE numel_in=525312 numel_out=4202496 timeout_ms=600000 "
     "ran_ms=600410"},
    {"  what():  [PG ID 2 PG GUID 5 Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, "
     "OpType=SEND, "
     "NumelIn=4, NumelOut=4, Timeout(ms)=600000) ran for 600001 milliseconds before timing out.",
     "nccl.timeout pg=2 rank=1 seq=9 op=SEND numel_in=4 numel_out=4 timeout_ms=600000 ran_ms=600001"},
    {"[PG 0 (default_pg) Rank 1] Timeout at NCCL work: 12, last enqueued NCCL work: 15, last completed NCCL work: 11.",
     "nccl.timeout pg=0 pg_name=default_pg rank=1 seq=12 last_enqueued=15 last_completed=11"},
    {"[PG 0 Rank 6] Exception (either an error or timeout) detected by watchdog at work: 12, last enqueued NCCL work: "
     "15, "
     "last completed NCCL work: 11.",
     "nccl.progress pg=0 rank=6 seq=12 last_enqueued=15 last_completed=11"},
    {"[PG ID 1 PG GUID 3(mesh_tp) Rank 2]  failure detected by watchdog at work sequence id: 44 PG status: last "
     "enqueued "
     "work: 46, last completed work: 43",
     "nccl.progress pg=1 pg_name=mesh_tp rank=2 seq=44 last_enqueued=46 last_completed=43"},
    {"[PG 0 (default_pg) Rank 4] Received a dump signal due to a collective timeout from rank 1 and we will try our "
     "best "
     "to dump the debug info. Last enqueued NCCL work: 15, last completed NCCL work: 15.",
     "nccl.progress pg=0 pg_name=default_pg rank=4 last_enqueued=15 last_completed=15"},
};
INSTANTIATE_TEST_SUITE_P(All, NcclWatchdog, testing::ValuesIn(kSamples));

TEST(NcclWatchdogRank, IsTheEnvelopesWhereTheLineNamesNone) {
  Line line = line_of("Timeout at NCCL work: 1, last enqueued NCCL work: 3, last completed NCCL work: 2.");
  line.envelope.rank = "5";
  Parsed parsed;
  kNcclWatchdogParser.parse(line, parsed);
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("rank"), "5");
}

TEST(NcclWatchdogRank, IsTheJobsWhereTheGroupIsThatOfAllRanks) {
  const std::string said = " Timeout at NCCL work: 1, last enqueued NCCL work: 3, last completed NCCL work: 2.";
  const std::pair<const char*, const char*> kLabels[] = {{"[Rank 3]", "3"},
                                                         {"[PG 0 Rank 3]", "3"},
                                                         {"[PG ID 0 PG GUID 0(default_pg) Rank 3]", "3"},
                                                         {"[PG ID 1 PG GUID 5(mesh_tp) Rank 3]", ""},
                                                         {"[PG 1 Rank 3]", ""}};
  for (const auto& [label, rank] : kLabels) {
    const Event event = only_event(kNcclWatchdogParser, label + said);
    EXPECT_EQ(event.envelope.rank, rank) << label;
    EXPECT_EQ(event.fields.get("rank"), "3") << label;
  }
}

TEST(NcclWatchdogRank, IsNotReadFromHealthyLines) {
  EXPECT_TRUE(
      parse_line(kNcclWatchdogParser, "[PG 0 Rank 0] ProcessGroupNCCL initialization options: TIMEOUT(ms): 600000")
          .events.empty());
}

TEST(NcclDesync, NamesTheRanksThatFellBehind) {
  RecordDriver driver(kNcclDesyncParser);
  const auto events = driver.read_all(
      "\t - [0] Timeout at collective: ALLREDUCE, #1024\n"
      "\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n"
      "\t   - [3] joined but didn't finish collective #1023 (count from 1)\n"
      "\t     [5, 6] finished collective #1023, but didn't join collective #1024 (count from 1)\n"
      "\t - Snapshot of ranks' latest states:\n"
      "\t   #1024 started ranks:\n");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(describe(events[0]), "nccl.desync rank=0 op=ALLREDUCE seq=1024 lagging=3, 5, 6");
}

TEST(NcclDesync, NamesRanksThatNeverJoined) {
  RecordDriver driver(kNcclDesyncParser);
  const auto events = driver.read_all(
      "\t - [1] Timeout at collective: BROADCAST, #1\n"
      "\t - To our best knowledge, ranks [2] are the lagging ranks that caused this timeout. They never joined any "
      "collectives\n"
      "step 1\n");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].fields.get("lagging"), "2");
}

}  // namespace
}  // namespace cutopsy
