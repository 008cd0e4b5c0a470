// Findings of made-up rules, for tests of what explains what.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "engine/explain/explain.h"

namespace cutopsy {

/// Builds findings, each on a line of its own.
class FindingLog {
 public:
  const Rule* rule(std::string id, std::vector<Relation> explains = {}) {
    relations_.push_back(std::move(explains));
    Rule& rule = rules_.emplace_back();
    rule.id = rule.title = ids_.emplace_back(std::move(id));
    rule.explains = relations_.back();
    return &rule;
  }

  Finding& add(const Rule* rule, Role role = Role::cause) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.role = role;
    finding.kind = "line";
    finding.where = finding.begin = finding.last = {0, ++line_};
    finding.text = rule ? std::string(rule->id) : "something failed";
    return finding;
  }

  void tells(std::string_view fact, std::string value) { facts_.push_back({fact, std::move(value), {}, {0, ++line_}}); }
  void ends_well() { tells("outcome", "ok"); }
  /// The case's inputs; one input that holds every line unless said otherwise.
  std::vector<InputTraits>& inputs() { return inputs_; }

  Diagnosis diagnose() const {
    const RuleIndex index(RuleSet({rules_.begin(), rules_.end()}, nullptr));
    const std::vector<Finding> findings(findings_.begin(), findings_.end());
    std::vector<InputTraits> inputs = inputs_;
    if (inputs.empty()) inputs.emplace_back().lines = line_ + more_lines_;
    return explain(index, findings, facts_, inputs);
  }

  std::uint64_t more_lines_ = 0;  ///< that follow the last finding

 private:
  std::deque<std::string> ids_;
  std::deque<Rule> rules_;
  std::deque<std::vector<Relation>> relations_;
  std::deque<Finding> findings_;
  std::vector<Fact> facts_;
  std::vector<InputTraits> inputs_;
  std::uint64_t line_ = 0;
};

inline std::vector<std::string> rules_of(const Diagnosis& diagnosis) {
  std::vector<std::string> rules;
  for (const Incident& incident : diagnosis.incidents) rules.push_back(incident.rule);
  return rules;
}

}  // namespace cutopsy
