// What the scan of an input must not change: lines that only make sense with lines around them are found all the same.
#include "engine/pipeline.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/rule/loader.h"
#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

const RuleIndex& rules() {
  static const RuleIndex index(load_rules_from_text("test.yaml", R"(
- id: x/rule
  title: t
  severity: error
  match: { line: 'begin=(?P<begin>\w+) .*left_side' }
  cause: c
  fix: [{ do: f }]
)")
                                   .rules);
  return index;
}

Analysis analyse(const std::string& log, bool scan) {
  Case::Options options;
  options.scan = scan;
  Case log_case(rules(), options);
  const auto source = open_text(log);
  log_case.add("log", *source);
  return log_case.finish();
}

class ChunkedLines : public testing::TestWithParam<std::string> {};

TEST_P(ChunkedLines, AreReadFromTheirBeginning) {
  for (const bool scan : {true, false}) {
    const Analysis analysis = analyse("first\n" + GetParam() + "last\n", scan);
    ASSERT_EQ(analysis.findings.size(), 1u) << scan;
    EXPECT_EQ(analysis.findings[0].fields.get("begin"), "here") << scan;
    EXPECT_EQ(analysis.findings[0].where.line, 2u) << scan;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runtimes, ChunkedLines,
    testing::Values("2026-11-30T10:00:00.1Z stderr P begin=here and\n2026-11-30T10:00:00.2Z stderr F  then left_side\n",
                    "2026-11-30T10:00:00.1Z stderr P begin=here left\n2026-11-30T10:00:00.2Z stderr F _side\n",
                    R"({"log":"begin=here and","stream":"stderr","time":"2026-11-30T10:00:00.1Z"})"
                    "\n"
                    R"({"log":" then left_side\n","stream":"stderr","time":"2026-11-30T10:00:00.2Z"})"
                    "\n"));

}  // namespace
}  // namespace cutopsy
