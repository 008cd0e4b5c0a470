// Whole inputs that reach bounds: what is still found, and what the reports say of it.
#include "engine/report/limits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/explain/explain.h"
#include "engine/pipeline.h"
#include "engine/report/json_report.h"
#include "engine/report/report_document.h"
#include "engine/report/text_report.h"
#include "engine/source/chunk.h"
#include "parsers/reader.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const RuleIndex& index() {
  static const RuleIndex index(RuleSet::built_in());
  return index;
}

Analysis analyse(const std::string& log, bool scan = true) {
  auto source = open_text(log);
  return cutopsy::analyse(index(), "log", *source, {.scan = scan});
}

Batch batch_of(Analysis analysis) {
  Batch batch;
  batch.cases.push_back(std::move(analysis));
  return batch;
}

constexpr std::string_view kFault = "AssertionError: Torch not compiled with CUDA enabled\n";

TEST(Lines, AreCountedOverTheEndsOfChunks) {
  std::string log;
  std::uint64_t before = 0;
  for (; log.size() < 3 * ChunkReader::kBufferBytes; ++before)
    log += "step 1 loss 0.5 " + std::string(2000, '.') + "\n";
  log += kFault;
  log += "the end";
  for (bool scan : {true, false}) {
    const auto analysis = analyse(log, scan);
    ASSERT_THAT(analysis.diagnosis.incidents, SizeIs(1));
    EXPECT_EQ(analysis.diagnosis.incidents[0].where.line, before + 1);
    EXPECT_EQ(analysis.inputs[0].lines, before + 2);
  }
}

TEST(Lines, AnEndlessOneKeepsItsNumber) {
  const std::string log = "first\n" + std::string(5 * ChunkReader::kBufferBytes, 'x') + "\n" + std::string(kFault);
  const auto analysis = analyse(log);
  ASSERT_THAT(analysis.diagnosis.incidents, SizeIs(1));
  EXPECT_EQ(analysis.diagnosis.incidents[0].where.line, 3u);
  EXPECT_EQ(analysis.inputs[0].lines, 3u);
  EXPECT_EQ(analyse("").inputs[0].lines, 0u);
  EXPECT_EQ(analyse("\n").inputs[0].lines, 1u);
}

TEST(Limits, NothingIsSaidWhenNoneIsReached) {
  const auto analysis = analyse(std::string(kFault));
  const Json report = report_document(batch_of(analysis), index().rules());
  EXPECT_THAT(limits_line(report["limits"]), IsEmpty());
  EXPECT_EQ(report["limits"].size(), limit_texts().size());
  for (const auto& [name, count] : report["limits"].items()) EXPECT_EQ(count, 0) << name;
}

TEST(Limits, EachIsNamedInBothReports) {
  for (const LimitText& text : limit_texts()) {
    Analysis analysis;
    analysis.limits.*text.count = 7;
    const auto report = nlohmann::json::parse(json_report(report_document(batch_of(analysis), index().rules())));
    EXPECT_EQ(report["limits"][std::string(text.name)], 7);
    if (text.meaning.empty()) continue;
    EXPECT_THAT(text_report(report_document(batch_of(analysis), index().rules()), {}),
                HasSubstr(fmt::format("\nNot all was read: 7 {}.\n", text.meaning)));
  }
}

TEST(Limits, ALogOfFaultyLinesThatAllDifferStillShowsTheirCauseAndTheRest) {
  std::string log;
  for (int i = 0; i < 20'000; ++i) {
    std::string word;
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    log += fmt::format("RuntimeError: no kernel for {}\n", word);
  }
  log += kFault;
  const auto analysis = analyse(log);
  ASSERT_FALSE(analysis.diagnosis.incidents.empty());
  EXPECT_EQ(analysis.diagnosis.incidents[0].rule, "pytorch/cpu-only-build");
  EXPECT_EQ(analysis.limits.findings_merged, 20'001 - FindingStore::kMaxOfRule);  // the last is an exception, too
}

TEST(Limits, ALineThatIsCutIsTold) {
  const std::string piece(kMaxPieceBytes, 'x');
  EXPECT_EQ(analyse(piece + "\n").limits.lines_cut, 0u);
  EXPECT_EQ(analyse(piece + "x\n").limits.lines_cut, 1u);
}

TEST(Limits, MillionsOfRecordsFactsAndProcessesCostNothing) {
  std::string log;
  for (int i = 0; i < 100'000; ++i) {
    log += fmt::format("(Worker pid={}) Traceback (most recent call last):\n", i);
    log += fmt::format("node{}: Driver Version: 570.{}\n", i, i);
  }
  log += kFault;
  const auto analysis = analyse(log);
  EXPECT_EQ(analysis.limits.lanes_evicted, 100'000 - Reader::kMaxLanes);
  EXPECT_EQ(analysis.limits.facts_dropped, 100'000 - FactStore::kMaxOfName);
  ASSERT_FALSE(analysis.diagnosis.incidents.empty());
  EXPECT_EQ(analysis.diagnosis.incidents[0].rule, "pytorch/cpu-only-build");
}

}  // namespace
}  // namespace cutopsy
