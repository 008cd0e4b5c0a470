// rules/schema.json, which editors use, knows the same keys as the loader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "engine/rule/loader.h"
#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

struct Mapping {
  const char* name;  ///< in the schema
  std::string yaml;  ///< a rule file in which such a mapping has the key `qqqqqqqqqq`
};

class RuleSchemaTest : public ::testing::TestWithParam<Mapping> {};

/// The keys that the loader names when it meets one that it does not know.
std::set<std::string> keys_of_loader(const std::string& yaml) {
  const std::string marker = "; known: ";
  for (const RuleProblem& problem : load_rules_from_text("test.yaml", yaml).problems) {
    const std::size_t at = problem.message.find(marker);
    if (problem.code != "unknown-key" || at == std::string::npos) continue;
    std::istringstream words(problem.message.substr(at + marker.size()));
    std::set<std::string> keys;
    for (std::string key; words >> key;) keys.insert(key.back() == ',' ? key.substr(0, key.size() - 1) : key);
    return keys;
  }
  return {};
}

TEST_P(RuleSchemaTest, HasTheKeysOfTheLoader) {
  std::ifstream file(CUTOPSY_TEST_DATA "/../rules/schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  std::set<std::string> keys;
  for (const auto& [key, value] : schema.at("$defs").at(GetParam().name).at("properties").items()) keys.insert(key);
  EXPECT_EQ(keys_of_loader(GetParam().yaml), keys);
}

INSTANTIATE_TEST_SUITE_P(
    Mappings, RuleSchemaTest,
    ::testing::Values(Mapping{"rule", rule_with("  qqqqqqqqqq: x\n")},
                      Mapping{"disable", "- disable: a/b\n  qqqqqqqqqq: x\n"},
                      Mapping{"append", "- append: a/b\n  qqqqqqqqqq: x\n"},
                      Mapping{"prepend", "- prepend: a/b\n  qqqqqqqqqq: x\n"},
                      Mapping{"requirement", "- requires: '0.1'\n  qqqqqqqqqq: x\n"},
                      Mapping{"match", rule_matching("{ event: gpu.oom, qqqqqqqqqq: x }")},
                      Mapping{"signature", rule_matching("{ any: { event: gpu.oom, qqqqqqqqqq: x } }")},
                      Mapping{"condition", rule_matching("{ event: gpu.oom, where: { gpu: { qqqqqqqqqq: x } } }")},
                      Mapping{"relation", rule_with("  explains: [{ rule: a/b, qqqqqqqqqq: x }]\n")},
                      Mapping{"step", "- fix: [{ do: x, qqqqqqqqqq: x }]\n"},
                      Mapping{"confirm", rule_with("  confirm: [{ check: x, qqqqqqqqqq: x }]\n")},
                      Mapping{"example", rule_with("  examples: [{ log: x, qqqqqqqqqq: x }]\n")}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cutopsy
