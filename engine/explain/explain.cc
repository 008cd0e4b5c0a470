#include "engine/explain/explain.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "engine/explain/absorption.h"
#include "engine/explain/causality.h"
#include "engine/explain/confidence.h"
#include "engine/explain/gpu_map.h"
#include "engine/explain/incident_builder.h"
#include "engine/explain/node.h"
#include "engine/explain/survival.h"
#include "engine/explain/timeline.h"
#include "engine/match/masking.h"

namespace cutopsy {
namespace {

// Which nodes to keep of too many: first the first of every rule, then the second ones, and so on; of equal ones those
// that tell most.
std::vector<std::size_t> most_telling_first(const std::vector<Node>& nodes) {
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
  std::vector<std::size_t> indices;
  for (const auto& [before, i] : order) indices.push_back(i);
  return indices;
}

// Keeps kMaxNodes of `nodes`; what is left out counts with the first kept one that says the same.
void keep_most_telling(std::vector<Node>& nodes) {
  using Saying = std::tuple<std::string_view, Role, Severity>;
  std::map<Saying, std::size_t> first;
  std::vector<Node> kept;
  for (std::size_t i : most_telling_first(nodes)) {
    const Finding& finding = *nodes[i].finding;
    const Saying saying{finding.rule ? finding.rule->id : finding.kind, finding.role, nodes[i].severity};
    const auto known = first.try_emplace(saying, kept.size()).first;
    if (kept.size() < kMaxNodes) {
      kept.push_back(std::move(nodes[i]));
    } else if (known->second < kept.size()) {
      kept[known->second].like.push_back(&finding);
    }
  }
  nodes = std::move(kept);
}

std::vector<Node> select(std::span<const Finding> findings, std::span<const InputTraits> inputs, const GpuMap& gpus) {
  const JobTime job(inputs);
  std::vector<Node> nodes;
  for (const Finding& finding : findings) {
    if (finding.cleared || finding.quoted || finding.role == Role::info || finding.severity == Severity::info) continue;
    Node& node = nodes.emplace_back();
    node.finding = &finding;
    node.severity = finding.severity;
    node.outside_job = job.excludes(finding);
    node.gpu = gpus.gpu_of(finding);
  }
  place_in_time(nodes, inputs);
  std::stable_sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) {
    const auto order = [](const Node& node) { return std::pair(node.finding->role, node.severity); };
    return order(a) != order(b) ? order(a) > order(b) : stands_before(a, b);
  });
  return nodes;
}

std::vector<const Finding*> told_by(std::span<const Finding> findings) {
  std::vector<const Finding*> told;
  for (const Finding& finding : findings) {
    if (finding.role == Role::info && finding.rule) told.push_back(&finding);
  }
  return told;
}

void add_unknown(Diagnosis& diagnosis, const Finding& finding) {
  std::string_view words;
  for (std::string_view name : {"first_line", "condition", "what", "name", "text", "message"}) {
    if (words.empty()) words = finding.fields.get(name);
  }
  Unknown unknown;
  unknown.signature = std::string(finding.kind) + ": " + mask(words.empty() ? finding.text : words);
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

// A job that ended badly without a finding that says more than that: the last error that its log shows is all there is
// to say.
void add_last_words(Diagnosis& diagnosis, std::span<const InputTraits> inputs) {
  const bool known = !diagnosis.unknown.empty() ||
                     std::any_of(diagnosis.incidents.begin(), diagnosis.incidents.end(), [](const Incident& incident) {
                       return incident.severity >= Severity::error && incident.role != Role::banner;
                     });
  if (known) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].last_error) continue;
    const Place where{static_cast<std::uint32_t>(i), inputs[i].last_error->where.line};
    diagnosis.unknown.push_back(
        {"last error: " + mask(inputs[i].last_error->text), 1, where, inputs[i].last_error->text});
  }
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

// Builds one incident for each rule among the roots: the same fault on several ranks or GPUs is one.
class IncidentList {
 public:
  IncidentList(const std::vector<Node>& nodes, std::span<const std::size_t> roots) : nodes_(nodes), roots_(roots) {}

  std::vector<Incident> build(std::span<const Finding* const> told, std::span<const Fact> facts, const GpuMap& gpus) {
    std::vector<const Rule*> done;
    std::vector<Incident> incidents;
    for (std::size_t root : roots_) {
      const Rule* rule = nodes_[root].finding->rule;
      if (!rule || std::find(done.begin(), done.end(), rule) != done.end()) continue;
      done.push_back(rule);
      const std::vector<std::size_t> members = members_of(*rule);
      const std::vector<std::size_t> symptoms = symptoms_of(members);
      incidents.push_back(build_incident(nodes_, {members, symptoms, told, support_of(root)}, facts, gpus));
    }
    return incidents;
  }

 private:
  // The roots of that rule, the first of the most telling ones first, then its other findings that follow from those.
  std::vector<std::size_t> members_of(const Rule& rule) const {
    std::vector<std::size_t> members;
    for (std::size_t root : roots_) {
      if (nodes_[root].finding->rule == &rule) members.push_back(root);
    }
    std::stable_sort(members.begin(), members.end(), [this](std::size_t a, std::size_t b) {
      const auto weight = [this](std::size_t i) { return std::pair(is_failure(nodes_[i]), nodes_[i].finding->role); };
      return weight(a) != weight(b) ? weight(a) > weight(b) : stands_before(nodes_[a], nodes_[b]);
    });
    const std::vector<bool> reached = consequences_of(nodes_, members);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const bool is_new = std::find(members.begin(), members.end(), i) == members.end();
      if (reached[i] && is_new && nodes_[i].finding->rule == &rule) members.push_back(i);
    }
    return members;
  }

  std::vector<std::size_t> symptoms_of(const std::vector<std::size_t>& members) const {
    const std::vector<bool> reached = consequences_of(nodes_, members);
    std::vector<std::size_t> symptoms;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const bool is_member = std::find(members.begin(), members.end(), i) != members.end();
      if (reached[i] && !is_member && !nodes_[i].is_absorbed) symptoms.push_back(i);
    }
    std::sort(symptoms.begin(), symptoms.end(),
              [this](std::size_t a, std::size_t b) { return stands_before(nodes_[a], nodes_[b]); });
    return symptoms;
  }

  Support support_of(std::size_t root) const {
    Support support;
    const Rule& rule = *nodes_[root].finding->rule;
    support.causes_above = rule.causes_above;
    bool before = true;
    for (std::size_t other : roots_) {
      if (other == root) before = false;
      const Finding& finding = *nodes_[other].finding;
      if (finding.rule == &rule || !is_failure(nodes_[other]) || nodes_[other].outside_job) continue;
      support.has_rival = true;
      support.rival_is_first = support.rival_is_first || before;
    }
    return support;
  }

  const std::vector<Node>& nodes_;
  std::span<const std::size_t> roots_;
};

// Failures that stand beside each other: any of them may be what the reader looks for.
void add_rivals(std::vector<Incident>& incidents) {
  for (Incident& incident : incidents) {
    for (const Incident& other : incidents) {
      const bool rival =
          &other != &incident && other.severity >= Severity::error && incident.severity >= Severity::error;
      if (rival && incident.alternatives.size() < kMaxAlternatives) {
        incident.alternatives.push_back({other.rule, other.confidence});
      }
    }
  }
}

}  // namespace

Diagnosis explain(const RuleIndex& index, std::span<const Finding> findings, std::span<const Fact> facts,
                  std::span<const InputTraits> inputs) {
  Diagnosis diagnosis;
  for (const Fact& fact : facts) diagnosis.facts.set_if_absent(fact.name, fact.value);
  const GpuMap gpus(facts);
  std::vector<Node> nodes = select(findings, inputs, gpus);
  if (nodes.size() > kMaxNodes) {
    diagnosis.findings_not_compared = nodes.size() - kMaxNodes;
    keep_most_telling(nodes);
  }
  lower_what_was_survived(nodes, facts, inputs);
  absorb_same_facts(nodes);
  link_causes(index, nodes);
  const std::vector<std::size_t> found = roots(nodes);
  for (std::size_t root : found) {
    if (!nodes[root].finding->rule && is_failure(nodes[root])) add_unknown(diagnosis, *nodes[root].finding);
  }
  diagnosis.incidents = IncidentList(nodes, found).build(told_by(findings), facts, gpus);
  std::stable_partition(diagnosis.incidents.begin(), diagnosis.incidents.end(),
                        [](const Incident& incident) { return incident.severity >= Severity::error; });
  add_rivals(diagnosis.incidents);
  add_last_words(diagnosis, inputs);
  diagnosis.outcome = outcome_of(diagnosis);
  return diagnosis;
}

}  // namespace cutopsy
