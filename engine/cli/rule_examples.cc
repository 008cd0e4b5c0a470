#include "engine/cli/rule_examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/pipeline.h"
#include "engine/rule/advice.h"

namespace cutopsy {
namespace {

Analysis analyse_log(const std::string& log, const RuleIndex& index) {
  const auto source = open_text(log);
  return analyse(index, "example", *source);
}

/// What a finding, or the incident that it is the root of, carries under a name.
std::string_view value_of(std::string_view name, const Fields& fields, const Envelope& envelope) {
  if (fields.has(name)) return fields.get(name);
  if (name == "rank") return envelope.rank;
  if (name == "host") return envelope.host;
  if (name == "pid") return envelope.pid;
  if (name == "pod") return envelope.pod;
  return "";
}

bool carries(const Fields& fields, const Envelope& envelope, const Example& example) {
  return std::all_of(example.fields.begin(), example.fields.end(),
                     [&](const auto& field) { return value_of(field.first, fields, envelope) == field.second; });
}

std::vector<const Finding*> findings_of(const Rule& rule, const Analysis& analysis) {
  std::vector<const Finding*> found;
  for (const Finding& finding : analysis.findings) {
    if (finding.rule && finding.rule->id == rule.id && !finding.cleared) found.push_back(&finding);
  }
  return found;
}

std::string found_instead(const Analysis& analysis) {
  std::vector<std::string> rules;
  for (const Finding& finding : analysis.findings) {
    std::string name(finding.rule ? finding.rule->id : finding.kind);
    if (std::find(rules.begin(), rules.end(), name) == rules.end()) rules.push_back(std::move(name));
  }
  return rules.empty() ? "nothing" : fmt::format("{}", fmt::join(rules, ", "));
}

/// For each wanted field that `have` lacks: what it is there.
std::string differences(const Example& example, const Finding& have) {
  std::vector<std::string> texts;
  for (const auto& [name, wanted] : example.fields) {
    const std::string_view value = value_of(name, have.fields, have.envelope);
    if (value != wanted) texts.push_back(fmt::format("{} is '{}', not '{}'", name, value, wanted));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// The incident of another rule that stands at the line where `rule` found its own cause; null when there is none.
const Incident* claimant(const Rule& rule, const Analysis& analysis) {
  const auto& incidents = analysis.diagnosis.incidents;
  if (std::ranges::any_of(incidents, [&](const Incident& incident) { return incident.rule == rule.id; }))
    return nullptr;
  for (const Finding* finding : findings_of(rule, analysis)) {
    const auto same_line = [&](const Incident& incident) { return incident.where.line == finding->where.line; };
    const auto found = std::ranges::find_if(incidents, same_line);
    if (finding->role == Role::cause && found != incidents.end()) return &*found;
  }
  return nullptr;
}

/// What is wrong with the example, or "".
std::string mistake(const Rule& rule, const Example& example, const Analysis& analysis) {
  const std::vector<const Finding*> found = findings_of(rule, analysis);
  if (example.is_gap) return found.empty() ? "" : "the log of this todo matches by now; write log: instead of todo:";
  if (!example.must_match) {
    return found.empty() ? "" : fmt::format("the near miss matches, in its line {}", found.front()->where.line);
  }
  if (found.empty()) return fmt::format("the log does not match; found: {}", found_instead(analysis));
  const bool in_finding = std::any_of(found.begin(), found.end(), [&](const Finding* finding) {
    return carries(finding->fields, finding->envelope, example);
  });
  const auto& incidents = analysis.diagnosis.incidents;
  const bool in_incident = std::any_of(incidents.begin(), incidents.end(), [&](const Incident& incident) {
    return incident.rule == rule.id && carries(incident.fields, incident.envelope, example);
  });
  return in_finding || in_incident ? "" : differences(example, *found.front());
}

}  // namespace

ExampleRun run_examples(const Rule& rule, const RuleIndex& index) {
  ExampleRun run;
  for (const Example& example : parse_advice(rule).examples) {
    ++run.examples;
    const Analysis analysis = analyse_log(example.log, index);
    const std::string place = fmt::format("{}:{}: {}", rule.source, example.line, rule.id);
    const std::string wrong = mistake(rule, example, analysis);
    const Incident* other = claimant(rule, analysis);
    if (!wrong.empty()) {
      run.failures.push_back(fmt::format("{}: {}", place, wrong));
    } else if (example.is_gap) {
      ++run.gaps;
    } else if (example.must_match && other) {
      run.claimed.push_back(fmt::format("{}: {} claims line {} first", place, other->rule, other->where.line));
    }
  }
  return run;
}

}  // namespace cutopsy
