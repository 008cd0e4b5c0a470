#include "engine/explain/incident_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "engine/explain/chain.h"
#include "engine/match/masking.h"
#include "engine/rule/relation_cycles.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

// A report is for readers: it shows the first lines, links and consequences, and their counts tell of the rest. What is
// left out here decided nothing.
constexpr std::size_t kMaxFields = 28;
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

void add_evidence(Incident& incident, const Evidence& line) {
  bool known = std::any_of(incident.evidence.begin(), incident.evidence.end(),
                           [&](const Evidence& other) { return other.where == line.where; });
  if (!known && incident.evidence.size() < kMaxEvidence) incident.evidence.push_back(line);
}

bool is_rank(std::string_view text) {
  constexpr std::size_t kDigits = 6;
  return !text.empty() && text.size() <= kDigits && text.find_first_not_of("0123456789") == text.npos;
}

void add_rank(Incident& incident, std::string_view rank) {
  if (incident.ranks.size() >= kMaxRanks) return;
  if (std::find(incident.ranks.begin(), incident.ranks.end(), rank) == incident.ranks.end()) {
    incident.ranks.emplace_back(rank);
  }
}

// The ranks that label its lines; where none does, the one that the message names.
void add_ranks(Incident& incident, const Finding& finding) {
  for (const std::string& rank : finding.ranks) add_rank(incident, rank);
  const std::string_view named = finding.fields.get("rank");
  if (finding.ranks.empty() && is_rank(named)) add_rank(incident, named);
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
  std::string_view title = finding.rule ? finding.rule->title : std::string_view(finding.text);
  title.remove_prefix(std::min(title.find_first_not_of(' '), title.size()));
  incident.symptoms.push_back({rule, std::string(title), finding.count, finding.where});
}

// Links between the same two rules are shown once.
void add_chain(Incident& incident, std::vector<Because> links) {
  for (Because& link : links) {
    const bool known = std::any_of(incident.because.begin(), incident.because.end(), [&](const Because& other) {
      return other.rule == link.rule && other.explains == link.explains;
    });
    if (!known && incident.because.size() < kMaxBecause) incident.because.push_back(std::move(link));
  }
}

// Ranks that show the fault's consequences only.
void add_waiting_ranks(Incident& incident, const Finding& symptom) {
  for (const std::string& rank : symptom.ranks) {
    const auto is_new = [&](const std::vector<std::string>& ranks) {
      return std::find(ranks.begin(), ranks.end(), rank) == ranks.end();
    };
    if (is_new(incident.ranks) && is_new(incident.waiting_ranks)) incident.waiting_ranks.push_back(rank);
  }
}

// True when the root's rule names the other among what follows from it: no rival, but the same said less precisely.
bool is_consequence(const Rule& root, const Rule& other) {
  return relation_to(root, other) != nullptr;
}

bool is_listed(const Incident& incident, const Finding& finding) {
  return std::any_of(incident.alternatives.begin(), incident.alternatives.end(),
                     [&](const Alternative& known) { return known.rule == name_of(finding); });
}

// Other rules that know the root's line as a cause: the line alone does not tell which is right.
void add_alternatives(Incident& incident, const std::vector<Node>& nodes, const Node& root) {
  constexpr double kOfSameLine = 0.5;
  for (std::size_t i : root.absorbed) {
    const Finding& other = *nodes[i].finding;
    const bool is_rival = other.rule && other.rule != root.finding->rule && other.role == Role::cause &&
                          !id_matches("other/*", other.rule->id) && !is_consequence(*root.finding->rule, *other.rule);
    if (is_rival && !is_listed(incident, other) && incident.alternatives.size() < kMaxAlternatives) {
      incident.alternatives.push_back({name_of(other), kOfSameLine * incident.confidence});
    }
  }
}

// Below an exception that no rule knows, a closing line that some other cause can have: "Killed".
void add_other_endings(Incident& incident, const std::vector<Node>& nodes, std::span<const std::size_t> symptoms) {
  constexpr double kOfEnding = 0.5;
  if (incident.role != Role::generic) return;
  for (std::size_t i : symptoms) {
    const Finding& finding = *nodes[i].finding;
    if (!finding.rule || finding.role >= Role::generic || is_listed(incident, finding)) continue;
    const bool can_be_cause = std::any_of(finding.rule->signatures.begin(), finding.rule->signatures.end(),
                                          [](const Signature& signature) { return signature.role == Role::cause; });
    if (can_be_cause && incident.alternatives.size() < kMaxAlternatives) {
      incident.alternatives.push_back({name_of(finding), kOfEnding * confidence_of(finding.role, {})});
    }
  }
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

// The kernel names GPUs, the job's lines tell which ranks use them.
void add_ranks_of_gpus(Incident& incident, const std::vector<Node>& nodes, std::span<const std::size_t> members,
                       const GpuMap& gpus) {
  const auto& first = nodes[members.front()].gpu;
  const std::string index = first ? gpus.smi_index_of(*first) : "";
  if (!index.empty()) incident.fields.set_if_absent("smi_gpu", index);
  if (!incident.ranks.empty()) return;
  for (std::size_t i : members) {
    if (!nodes[i].gpu) continue;
    for (const std::string& rank : gpus.ranks_on(*nodes[i].gpu)) add_rank(incident, rank);
    if (i == members.front() && incident.ranks.size() == 1) incident.envelope.rank = incident.ranks.front();
  }
}

// From the first line of all members to the last.
std::optional<double> duration_of(const std::vector<Node>& nodes, std::span<const std::size_t> members) {
  Clock first = nodes[members.front()].finding->first_at;
  Clock last = first;
  for (std::size_t i : members) {
    for (const Clock& clock : {nodes[i].finding->first_at, nodes[i].finding->last_at}) {
      if (clock.seconds <= 0 || clock.since_boot != first.since_boot) return std::nullopt;
      if (clock.seconds < first.seconds) first = clock;
      if (clock.seconds > last.seconds) last = clock;
    }
  }
  return seconds_between(first, last);
}

// The dates of its lines, as far as they are known.
void add_dates(Incident& incident, const Finding& finding) {
  for (const Clock& clock : {finding.first_at, finding.last_at}) {
    if (clock.seconds <= 0 || clock.since_boot) continue;
    if (incident.first_seen == 0 || clock.seconds < incident.first_seen) incident.first_seen = clock.seconds;
    incident.last_seen = std::max(incident.last_seen, clock.seconds);
  }
}

std::string fingerprint(const Finding& root) {
  std::string text = name_of(root);
  for (std::string_view name : {"python_type", "condition", "name", "xid", "library", "symbol"}) {
    text += '\0';
    text += root.fields.get(name);
  }
  if (root.role == Role::generic) text += mask(root.fields.get("first_line"));
  return fingerprint_of(text);
}

void add_member(Incident& incident, const std::vector<Node>& nodes, const Node& member) {
  const Finding& finding = *member.finding;
  incident.count += finding.count;
  incident.severity = std::max(incident.severity, member.severity);
  add_dates(incident, finding);
  add_fields(incident.fields, finding);
  add_evidence(incident, {finding.where, finding.text});
  for (const Evidence& line : finding.more) add_evidence(incident, line);
  add_ranks(incident, finding);
  for (const Finding* other : member.like) {
    incident.count += other->count;
    add_dates(incident, *other);
    add_ranks(incident, *other);
  }
  for (std::size_t absorbed : member.absorbed) {
    add_fields(incident.fields, *nodes[absorbed].finding);
    if (finding.ranks.empty()) add_ranks(incident, *nodes[absorbed].finding);  // of the same lines
  }
}

// Adds the symptoms; returns how many kinds of failures are among them.
std::size_t add_symptoms(Incident& incident, const std::vector<Node>& nodes, std::span<const std::size_t> symptoms) {
  std::set<std::string> failures;
  for (std::size_t i : symptoms) {
    const Finding& finding = *nodes[i].finding;
    add_fields(incident.fields, finding);
    add_symptom(incident, finding);
    add_waiting_ranks(incident, finding);
    for (const Finding* other : nodes[i].like) {
      add_symptom(incident, *other);
      add_waiting_ranks(incident, *other);
    }
    if (is_failure(nodes[i])) failures.insert(name_of(finding));
    incident.severity = std::max(incident.severity, nodes[i].severity);
  }
  return failures.size();
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

Incident build_incident(const std::vector<Node>& nodes, const IncidentParts& parts, std::span<const Fact> facts,
                        const GpuMap& gpus) {
  const Node& root = nodes[parts.members.front()];
  const Rule& rule = *root.finding->rule;
  Incident incident;
  incident.rule = rule.id;
  incident.title = rule.title;
  incident.definition = &rule;
  incident.role = root.finding->role;
  incident.severity = root.severity;
  incident.where = root.finding->where;
  incident.envelope = root.finding->envelope;
  incident.fingerprint = fingerprint(*root.finding);
  incident.count = 0;
  for (std::size_t member : parts.members) {
    add_member(incident, nodes, nodes[member]);
    const bool is_first = member == parts.members.front();
    if (is_first && incident.envelope.rank.empty() && !incident.ranks.empty()) {
      incident.envelope.rank = incident.ranks.front();
    }
  }
  incident.repeats_lasted = duration_of(nodes, parts.members);
  add_ranks_of_gpus(incident, nodes, parts.members, gpus);
  for (const Finding* told : parts.told) {
    if (told->rule == &rule) add_fields(incident.fields, *told);
  }
  if (!incident.envelope.rank.empty()) incident.fields.set_if_absent("rank", incident.envelope.rank);  // no symptom's
  Support support = parts.support;
  support.failures_explained = add_symptoms(incident, nodes, parts.symptoms);
  support.is_failure = incident.severity >= Severity::error;
  incident.confidence = confidence_of(root.finding->role, support);
  add_alternatives(incident, nodes, root);
  add_other_endings(incident, nodes, parts.symptoms);
  add_chain(incident, chain_of(nodes, parts.members, parts.symptoms));
  add_facts(incident, rule, facts);
  sort_ranks(incident.ranks);
  sort_ranks(incident.waiting_ranks);
  return incident;
}

}  // namespace cutopsy
