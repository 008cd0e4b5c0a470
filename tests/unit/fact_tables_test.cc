// Facts that stand below their heading: tables and sections of nvidia-smi and sacct, and a shell's `echo $?`.
#include <gtest/gtest.h>

#include "parsers/sacct_table.h"
#include "parsers/shell_status.h"
#include "parsers/smi_csv.h"
#include "parsers/smi_query.h"
#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(SmiCsv, GivesEachRowsFactsWithTheirGpu) {
  const Parsed parsed = parse_records(kSmiCsvParser, {"index, name, driver_version, memory.total [MiB], compute_cap",
                                                      "0, NVIDIA A100-SXM4-80GB, 535.104.05, 81920 MiB, 8.0",
                                                      "1, NVIDIA A100-SXM4-40GB, 535.104.05, 40960 MiB, 8.0", ""});
  EXPECT_EQ(parsed.fact("gpu_name"), "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(parsed.fact("driver_version"), "535.104.05");
  EXPECT_EQ(parsed.fact("gpu_memory"), "81920 MiB");
  EXPECT_EQ(parsed.fact("gpu_memory_bytes"), "85899345920");
  EXPECT_EQ(parsed.fact("compute_capability"), "8.0");
  ASSERT_EQ(parsed.facts.size(), 10u);
  EXPECT_EQ(parsed.facts[5].value, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(parsed.facts[5].gpu, "1");
  EXPECT_EQ(parsed.facts[5].where.line, 3u);
}

TEST(SmiCsv, TellsTheAddressOfEachIndex) {
  const Parsed parsed =
      parse_records(kSmiCsvParser, {"index, pci.bus_id, driver_version", "3, 00000000:C1:00.0, 570.124.06"});
  EXPECT_EQ(fact_named(parsed, "smi_gpu_pci").value, "0000:c1:00.0");
  EXPECT_EQ(fact_named(parsed, "smi_gpu_pci").gpu, "3");
}

TEST(SmiCsv, TakesTheUnitFromTheHeadingWithNounits) {
  const Parsed parsed = parse_records(kSmiCsvParser, {"name, memory.total [MiB]", "Tesla T4, 15360"});
  EXPECT_EQ(parsed.fact("gpu_memory"), "15360 MiB");
}

TEST(SmiCsv, LeavesOutWhatTheDriverDoesNotKnow) {
  const Parsed parsed = parse_records(kSmiCsvParser, {"gpu_name, mig.mode.current", "Tesla T4, [N/A]"});
  EXPECT_EQ(parsed.fact("gpu_name"), "Tesla T4");
  EXPECT_EQ(parsed.fact("mig_mode"), "");
}

TEST(SmiCsv, OtherListsAreNoTables) {
  EXPECT_TRUE(parse_records(kSmiCsvParser, {"The driver_version, name and count are needed", "a, b"}).facts.empty());
  EXPECT_TRUE(parse_records(kSmiCsvParser, {"gpu_name, driver_version", "nothing here"}).facts.empty());
}

TEST(SmiQuery, ModesAndMemoryUnderTheirHeadings) {
  const Parsed parsed =
      parse_records(kSmiQueryParser, {"    MIG Mode", "        Current                           : Disabled",
                                      "    ECC Mode", "        Current                           : Enabled",
                                      "    FB Memory Usage", "        Total                             : 81559 MiB",
                                      "        Reserved                          : 551 MiB"});
  EXPECT_EQ(parsed.fact("mig_mode"), "Disabled");
  EXPECT_EQ(parsed.fact("ecc_mode"), "Enabled");
  EXPECT_EQ(parsed.fact("gpu_memory"), "81559 MiB");
}

TEST(SmiQuery, NoFactWithoutAValue) {
  EXPECT_TRUE(parse_records(kSmiQueryParser, {"    MIG Mode", "        Current   : N/A"}).facts.empty());
  EXPECT_TRUE(parse_records(kSmiQueryParser, {"MIG Mode", "step 10"}).facts.empty());
  EXPECT_TRUE(parse_records(kSmiQueryParser, {"MIG Mode is on", "Current  : Enabled"}).facts.empty());
}

TEST(SacctTable, TheJobsOwnRowCounts) {
  const Parsed parsed = parse_records(
      kSacctTableParser, {"JobID           JobName  Partition    Account  AllocCPUS      State ExitCode ",
                          "------------ ---------- ---------- ---------- ---------- ---------- -------- ",
                          "4242              train        gpu        lab         64 OUT_OF_ME+    0:125 ",
                          "4242.batch        batch                   lab         64     FAILED      1:0 "});
  EXPECT_EQ(parsed.fact("job_id"), "4242");
  EXPECT_EQ(parsed.fact("exit_reason"), "OUT_OF_MEMORY");
  EXPECT_EQ(parsed.fact("exit_code"), "0");
  EXPECT_EQ(parsed.fact("exit_signal"), "125");
}

TEST(SacctTable, ACompletedJobHasNoBadEnd) {
  const Parsed parsed = parse_records(kSacctTableParser, {"JobID           JobName      State ExitCode ",
                                                          "------------ ---------- ---------- -------- ",
                                                          "4242              train  COMPLETED      0:0 "});
  EXPECT_TRUE(parsed.facts.empty());
}

TEST(ShellStatus, TheNumberBelowTheQuestion) {
  EXPECT_EQ(parse_records(kShellStatusParser, {"dev@ws-11:~/fuse$ echo $?", "130"}).fact("exit_code"), "130");
  EXPECT_EQ(parse_records(kShellStatusParser, {"PS C:\\run> echo $LASTEXITCODE", "1"}).fact("exit_code"), "1");
}

TEST(ShellStatus, OtherAnswersAreNone) {
  EXPECT_TRUE(parse_records(kShellStatusParser, {"$ echo $?", "dev@ws-11:~$ ls"}).facts.empty());
  EXPECT_TRUE(parse_records(kShellStatusParser, {"$ echo $? >> status.txt", "130"}).facts.empty());
  EXPECT_TRUE(parse_records(kShellStatusParser, {"$ echo $?", "99999999999"}).facts.empty());
}

}  // namespace
}  // namespace cutopsy
