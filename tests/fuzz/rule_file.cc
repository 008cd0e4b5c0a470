// A rule file that somebody else wrote: YAML, rules and amendments, with all that is made of them.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "engine/batch.h"
#include "engine/report/report_document.h"
#include "engine/rule/advice.h"
#include "engine/rule/lint.h"
#include "engine/rule/loader.h"
#include "engine/rule/rule_changes.h"
#include "engine/rule/yaml_slice.h"
#include "engine/rule/yaml_tree.h"
#include "engine/rule/yaml_writer.h"
#include "tests/fuzz/property.h"

namespace cutopsy {
namespace {

constexpr const char* kBase = R"(
- id: memory/one
  title: One
  severity: error
  match: { line: 'allocator gave up on (?P<what>\w+)' }
  cause: 'No {what}.'
  fix: [ { do: 'Buy {what}.' } ]
)";

void check_tree(const std::string& text) {
  const YamlText yaml = read_yaml(text);
  if (yaml.mistake) {
    require(yaml.mistake->line >= 1 && yaml.mistake->column >= 1, "a mistake has a place", yaml.mistake->message);
    return;
  }
  const std::string written = write_yaml(yaml.root);
  const YamlText again = read_yaml(written);
  require(!again.mistake, "what write_yaml() writes can be read", written);
  require_equal(write_yaml(again.root), written, "what write_yaml() writes reads as the same values");
  for (const YamlNode& item : yaml.root.items) {
    if (!item.is_mapping()) continue;
    slice_of(text, item);
    if (!item.entries.empty()) slice_without(text, item, item.entries.back().key.text);
  }
}

void check_problems(const std::vector<RuleProblem>& problems) {
  for (const RuleProblem& problem : problems) {
    require(!problem.code.empty() && !problem.message.empty(), "a problem has a code and a message",
            to_string(problem));
    require(problem.line >= 0 && problem.column >= 0, "a problem's place is none or one", to_string(problem));
  }
}

std::string report_of(const RuleIndex& index, const std::string& log, bool scan) {
  Batch batch;
  const auto source = open_text(log);
  batch.cases.push_back(analyse(index, "fuzz.log", *source, {.scan = scan}));
  Json document = report_document(batch, index.rules());
  document.erase("statistics");
  return dumped(document, 1);
}

// The rules read their own examples, and the file itself as a log.
void check_matching(const RuleSet& rules, const std::string& text) {
  std::string log = text + '\n';
  for (const Rule& rule : rules.rules()) {
    for (const Example& example : parse_advice(rule).examples) log += example.log + '\n';
  }
  const RuleIndex index(rules);
  require_equal(report_of(index, log, true), report_of(index, log, false), "the scan changes no report");
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  static const RuleSet base = load_rules_from_text("base.yaml", kBase).rules;
  const std::string text(bytes_of(data, size));
  check_tree(text);
  LoadedRules loaded = load_rules_from_text("fuzz.yaml", text);
  check_problems(loaded.problems);
  check_problems(lint_loaded(loaded, base));
  const RuleSet laid = laid_over(base, loaded);
  check_problems(loaded.problems);
  rule_changes(base, laid);
  require(rule_changes(laid, laid).empty(), "a set of rules differs in nothing from itself");
  require(laid.digest().starts_with("sha256:"), "a set of rules has a digest");
  check_matching(laid, text);
  return 0;
}
