#include "engine/explain/incident_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "engine/match/fold_key.h"

namespace cutopsy {
namespace {

// A report is for readers: it shows the first lines, links and consequences, and their counts tell of the rest. What is
// left out here decided nothing.
constexpr std::size_t kMaxFields = 32;
constexpr std::size_t kMaxEvidence = 4;
constexpr std::size_t kMaxBecause = 16;
constexpr std::size_t kMaxSymptoms = 16;  // kinds
constexpr std::size_t kMaxRanks = 256;    // more ranks than that are all of them, to a reader

// Long or internal: of use to rules, not to readers.
bool is_internal(std::string_view name) {
  return name == "frames" || name == "source" || name == "chain";
}

void add_fields(Fields& fields, const Finding& finding) {
  for (const auto& [name, value] : finding.fields) {
    if (fields.size() < kMaxFields && !is_internal(name)) fields.set_if_absent(name, value);
  }
}

std::string name_of(const Finding& finding) {
  return std::string(finding.rule ? finding.rule->id : finding.kind);
}

void add_evidence(Incident& incident, const Evidence& line) {
  bool known = std::any_of(incident.evidence.begin(), incident.evidence.end(),
                           [&](const Evidence& other) { return other.where == line.where; });
  if (!known && incident.evidence.size() < kMaxEvidence) incident.evidence.push_back(line);
}

void add_ranks(Incident& incident, const Finding& finding) {
  for (const std::string& rank : finding.ranks) {
    if (incident.ranks.size() >= kMaxRanks) return;
    if (std::find(incident.ranks.begin(), incident.ranks.end(), rank) == incident.ranks.end()) {
      incident.ranks.push_back(rank);
    }
  }
}

void sort_ranks(std::vector<std::string>& ranks) {
  std::sort(ranks.begin(), ranks.end(), [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);  // ranks are numbers
  });
}

void add_symptom(Incident& incident, const Finding& finding) {
  std::string rule = name_of(finding);
  for (Symptom& known : incident.symptoms) {
    if (known.rule == rule) {
      known.count += finding.count;
      return;
    }
  }
  if (incident.symptoms.size() >= kMaxSymptoms) return;
  std::string title(finding.rule ? finding.rule->title : std::string_view(finding.text));
  incident.symptoms.push_back({rule, title, finding.count, finding.where});
}

void add_because(Incident& incident, const Finding& cause, const Finding& effect) {
  Because link{name_of(cause), cause.where, name_of(effect)};
  bool known = std::any_of(incident.because.begin(), incident.because.end(), [&](const Because& other) {
    return other.rule == link.rule && other.explains == link.explains;
  });
  if (!known && incident.because.size() < kMaxBecause) incident.because.push_back(std::move(link));
}

// Facts that the rule wants shown, from the root's own host where the log tells hosts apart.
void add_facts(Incident& incident, const Rule& rule, std::span<const Fact> facts) {
  for (std::string_view wanted : rule.shows) {
    for (const Fact& fact : facts) {
      bool other_host = !fact.envelope.host.empty() && !incident.envelope.host.empty() &&
                        fact.envelope.host != incident.envelope.host;
      if (fact.name == wanted && !other_host) {
        incident.fields.set_if_absent(fact.name, fact.value);
        break;
      }
    }
  }
}

std::string fingerprint(const Finding& root) {
  std::string text = name_of(root);
  for (std::string_view name : {"python_type", "condition", "name", "xid", "library", "symbol"}) {
    text += '\0';
    text += root.fields.get(name);
  }
  if (root.role == Role::generic) text += mask_numbers(root.fields.get("first_line"));
  return fingerprint_of(text);
}

}  // namespace

std::string fingerprint_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;  // http://www.isthe.com/chongo/tech/comp/fnv/
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return fmt::format("{:016x}", hash);
}

double base_confidence(const Node& root) {
  double confidence = 0;
  switch (root.finding->role) {
    case Role::cause:
      confidence = 0.95;
      break;
    case Role::generic:
      confidence = 0.6;
      break;
    case Role::effect:
      confidence = 0.5;
      break;
    case Role::banner:
    case Role::info:
      confidence = 0.35;
      break;
  }
  return is_failure(root) ? confidence : 0.8 * confidence;
}

Incident build_incident(const std::vector<Node>& nodes, std::span<const std::size_t> members,
                        std::span<const std::size_t> symptoms, std::span<const Fact> facts) {
  const Node& root = nodes[members.front()];
  Incident incident;
  incident.rule = name_of(*root.finding);
  incident.title = root.finding->rule ? std::string(root.finding->rule->title) : root.finding->text;
  incident.definition = root.finding->rule;
  incident.severity = root.severity;
  incident.confidence = base_confidence(root);
  incident.where = root.finding->where;
  incident.envelope = root.finding->envelope;
  incident.fingerprint = fingerprint(*root.finding);
  incident.count = 0;
  for (std::size_t member : members) {
    const Finding& finding = *nodes[member].finding;
    incident.count += finding.count;
    add_fields(incident.fields, finding);
    add_evidence(incident, {finding.where, finding.text});
    for (const Evidence& line : finding.more) add_evidence(incident, line);
    add_ranks(incident, finding);
    for (std::size_t absorbed : nodes[member].absorbed) add_fields(incident.fields, *nodes[absorbed].finding);
  }
  for (std::size_t symptom : symptoms) {
    const Finding& finding = *nodes[symptom].finding;
    add_fields(incident.fields, finding);
    add_symptom(incident, finding);
    for (std::size_t cause : nodes[symptom].explained_by) {
      bool inside = std::find(members.begin(), members.end(), cause) != members.end() ||
                    std::find(symptoms.begin(), symptoms.end(), cause) != symptoms.end();
      if (inside) add_because(incident, *nodes[cause].finding, finding);
    }
    incident.severity = std::max(incident.severity, nodes[symptom].severity);
  }
  if (incident.definition) add_facts(incident, *incident.definition, facts);
  sort_ranks(incident.ranks);
  return incident;
}

}  // namespace cutopsy
