// The metrics file is what Prometheus reads: a reader of the text format as it is documented takes it.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
#include "engine/live/metrics_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <map>
#include <set>
#include <sstream>

#include "engine/source/byte_source.h"
#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

using Counts = std::map<std::string, AlertFeed::Count>;

/// What is wrong with a text of counters, or "". `samples`: by name and labels as they stand.
std::string mistake_in(const std::string& text, std::map<std::string, std::string>& samples) {
  static const RE2 comment(R"(# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (\S.*))");
  static const RE2 sample(
      R"((([a-zA-Z_:][\w:]*)(?:\{[a-zA-Z_]\w*="(?:[^"\\]|\\[\\"n])*"(?:,[a-zA-Z_]\w*="(?:[^"\\]|\\[\\"n])*")*\})?) (\d+(?:\.\d+)?(?:e[+-]\d+)?))");
  if (!text.empty() && text.back() != '\n') return "the last line does not end";
  std::map<std::string, std::set<std::string>> told;  // by name: HELP, TYPE, and "" for samples
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string what, name, rest;
    if (RE2::FullMatch(line, comment, &what, &name, &rest)) {
      if (told[name].contains("") || !told[name].insert(what).second) return "too late or twice: " + line;
      if (what == "TYPE" && rest != "counter") return "no counter: " + line;
    } else if (RE2::FullMatch(line, sample, &what, &name, &rest)) {
      if (!told[name].contains("TYPE") || !name.ends_with("_total")) return "no counter's name: " + line;
      told[name].insert("");
      if (!samples.emplace(what, rest).second) return "twice: " + line;
    } else {
      return "unreadable: " + line;
    }
  }
  return "";
}

TEST(MetricsFile, IsOfPrometheusTextFormat) {
  const Counts counts = {{"driver/xid-79", {Severity::fatal, 3}}, {"memory/gpu-oom", {Severity::error, 12'000'000}}};
  std::map<std::string, std::string> samples;
  EXPECT_EQ(mistake_in(metrics_text(counts), samples), "");
  EXPECT_THAT(samples,
              ::testing::ElementsAre(
                  ::testing::Pair(R"(cutopsy_findings_total{rule="driver/xid-79",severity="fatal"})", "3"),
                  ::testing::Pair(R"(cutopsy_findings_total{rule="memory/gpu-oom",severity="error"})", "12000000")));
}

TEST(MetricsFile, TellsItsCounterBeforeTheFirstFinding) {
  std::map<std::string, std::string> samples;
  EXPECT_EQ(mistake_in(metrics_text({}), samples), "");
  EXPECT_NE(metrics_text({}), "");
}

TEST(MetricsFile, ReplacesTheFileAsAWhole) {
  const TemporaryFolder folder;
  write_metrics(folder.path("cutopsy.prom"), "long text of before\n");
  write_metrics(folder.path("cutopsy.prom"), "short\n");
  EXPECT_EQ(folder.read("cutopsy.prom"), "short\n");
  EXPECT_THROW(write_metrics(folder.path("missing/cutopsy.prom"), "x\n"), SourceError);
}

TEST(ReaderOfTheFormat, NamesMistakes) {
  const std::string head = "# HELP a_total x\n# TYPE a_total counter\n";
  const auto mistake = [&](const std::string& lines) {
    std::map<std::string, std::string> samples;
    return mistake_in(head + lines, samples);
  };
  for (const char* wrong : {"a_total 1", "b_total 1\n", "a_total{x=1} 1\n", "a_total 1\na_total 2\n", "a_total one\n"})
    EXPECT_NE(mistake(wrong), "") << wrong;
  EXPECT_EQ(mistake("a_total{x=\"1\",y=\"2\"} 1\n"), "");
}

}  // namespace
}  // namespace cutopsy
