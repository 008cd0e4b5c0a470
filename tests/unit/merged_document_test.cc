// What merge writes, it reads: a second time gives the same bytes, whoever wrote the first lines.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "engine/report/json_report.h"
#include "engine/report/report_document.h"

namespace cutopsy {
namespace {

std::string merged(const std::string& lines) {
  IncidentRows rows;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) rows.add(Json::parse(line));
  return json_lines_report(merged_document(rows, {}, RuleSet()));
}

TEST(MergedDocument, OfAnUnknownFailureWithoutEvidenceMergesToItself) {
  const std::string once = merged(R"({"rule":"unknown","fingerprint":"01","where":{"input":"a","line":1}})");
  EXPECT_NE(once.find(R"("evidence":[{"input":"a","line":1,"text":""}])"), once.npos) << once;
  EXPECT_EQ(merged(once), once);
}

TEST(MergedDocument, KeepsTheEvidenceOfAnUnknownFailure) {
  const std::string once =
      merged(R"({"rule":"unknown","fingerprint":"01","evidence":[{"input":"a","line":1,"text":"it broke"}]})");
  EXPECT_NE(once.find("it broke"), once.npos) << once;
}

}  // namespace
}  // namespace cutopsy
