#include "engine/explain/explain.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/explain/causality.h"
#include "engine/explain/incident_builder.h"
#include "engine/explain/node.h"
#include "engine/explain/survival.h"
#include "engine/match/fold_key.h"

namespace cutopsy {
namespace {

// Keeps kMaxNodes of `nodes`: first the first of every rule, then the second ones, and so on; of equal ones those that
// tell most.
void keep_most_telling(std::vector<Node>& nodes) {
  std::map<std::string_view, std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // how many of its rule came before it, index
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Finding& finding = *nodes[i].finding;
    order.emplace_back(seen[finding.rule ? finding.rule->id : finding.kind]++, i);
  }
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    const Node& x = nodes[a.second];
    const Node& y = nodes[b.second];
    if (a.first != b.first) return a.first < b.first;
    return std::pair(x.finding->role, x.severity) > std::pair(y.finding->role, y.severity);
  });
  order.resize(kMaxNodes);
  std::vector<Node> kept;
  for (const auto& [before, i] : order) kept.push_back(std::move(nodes[i]));
  nodes = std::move(kept);
}

std::vector<Node> select(std::span<const Finding> findings) {
  std::vector<Node> nodes;
  for (const Finding& finding : findings) {
    if (finding.cleared || finding.quoted || finding.role == Role::info || finding.severity == Severity::info) continue;
    Node node;
    node.finding = &finding;
    node.severity = finding.severity;
    nodes.push_back(node);
  }
  return nodes;
}

// Everything that `root` explains, directly or through others.
std::vector<std::size_t> consequences(const std::vector<Node>& nodes, std::span<const std::size_t> members) {
  std::vector<bool> reached(nodes.size(), false);
  for (std::size_t member : members) reached[member] = true;
  std::vector<std::size_t> found;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (reached[i] || nodes[i].is_absorbed) continue;
      bool follows = std::any_of(nodes[i].explained_by.begin(), nodes[i].explained_by.end(),
                                 [&](std::size_t cause) { return reached[cause]; });
      if (!follows) continue;
      reached[i] = true;
      found.push_back(i);
      grown = true;
    }
  }
  return found;
}

void add_unknown(Diagnosis& diagnosis, const Finding& finding) {
  std::string_view words;
  for (std::string_view name : {"first_line", "condition", "what", "name", "text", "message"}) {
    if (words.empty()) words = finding.fields.get(name);
  }
  Unknown unknown;
  unknown.signature = std::string(finding.kind) + ": " + mask_numbers(words.empty() ? finding.text : words);
  for (Unknown& known : diagnosis.unknown) {
    if (known.signature == unknown.signature) {
      known.count += finding.count;
      return;
    }
  }
  unknown.count = finding.count;
  unknown.where = finding.where;
  unknown.text = finding.text;
  diagnosis.unknown.push_back(std::move(unknown));
}

Outcome outcome_of(const Diagnosis& diagnosis) {
  if (!diagnosis.unknown.empty()) return Outcome::failure;
  Outcome outcome = Outcome::clean;
  for (const Incident& incident : diagnosis.incidents) {
    if (incident.severity >= Severity::error) return Outcome::failure;
    outcome = Outcome::warning;
  }
  return outcome;
}

// Roots of one rule are one incident: the same fault on several ranks or GPUs.
std::vector<std::size_t> same_rule(const std::vector<Node>& nodes, std::span<const std::size_t> roots,
                                   std::size_t first) {
  std::vector<std::size_t> members;
  for (std::size_t root : roots) {
    if (nodes[root].finding->rule == nodes[first].finding->rule) members.push_back(root);
  }
  return members;
}

}  // namespace

Diagnosis explain(std::span<const Finding> findings, std::span<const Fact> facts,
                  std::span<const std::uint64_t> lines) {
  Diagnosis diagnosis;
  for (const Fact& fact : facts) diagnosis.facts.set_if_absent(fact.name, fact.value);
  std::vector<Node> nodes = select(findings);
  if (nodes.size() > kMaxNodes) {
    diagnosis.findings_not_compared = nodes.size() - kMaxNodes;
    keep_most_telling(nodes);
  }
  lower_what_was_survived(nodes, facts, lines);
  absorb_same_lines(nodes);
  link_causes(nodes);
  std::vector<std::size_t> found = roots(nodes);
  std::vector<const Rule*> done;
  for (std::size_t root : found) {
    const Finding& finding = *nodes[root].finding;
    if (!finding.rule) {
      if (is_failure(nodes[root])) add_unknown(diagnosis, finding);
      continue;
    }
    if (std::find(done.begin(), done.end(), finding.rule) != done.end()) continue;
    done.push_back(finding.rule);
    auto members = same_rule(nodes, found, root);
    auto symptoms = consequences(nodes, members);
    auto repeats = std::stable_partition(symptoms.begin(), symptoms.end(), [&](std::size_t symptom) {
      return nodes[symptom].finding->rule != finding.rule;
    });
    members.insert(members.end(), repeats, symptoms.end());
    symptoms.erase(repeats, symptoms.end());
    diagnosis.incidents.push_back(build_incident(nodes, members, symptoms, facts));
  }
  std::stable_partition(diagnosis.incidents.begin(), diagnosis.incidents.end(),
                        [](const Incident& incident) { return incident.severity >= Severity::error; });
  diagnosis.outcome = outcome_of(diagnosis);
  return diagnosis;
}

}  // namespace cutopsy
