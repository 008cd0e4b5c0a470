#include "engine/explain/causality.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

// How much a kind of event says: a status is what a library returned; an assert or an allocation that failed says why.
int precision(const Finding& finding) {
  if (!finding.rule) return 0;
  if (finding.kind == "cpp.exception") return 1;
  if (finding.kind == "cuda.status") return 2;
  if (finding.kind == "nccl.warn") return 3;
  if (finding.kind == "python.exception" || finding.kind == "line") return 4;
  return 5;
}

// Higher is more telling. On one line any rule that knows the line tells more than "an exception"; in a longer record
// an exception that no rule knows still tells more than the launcher's banner at its end.
auto weight(const Node& node, bool same_line) {
  const Finding& finding = *node.finding;
  bool knows = !same_line || finding.role != Role::generic;
  return std::tuple(knows, finding.role, node.severity, precision(finding));
}

bool lists(const Finding& cause, const Finding& effect, const Relation** relation) {
  if (!cause.rule || !effect.rule || cause.rule == effect.rule) return false;
  for (const Relation& candidate : cause.rule->explains) {
    if (id_matches(candidate.target, effect.rule->id)) {
      *relation = &candidate;
      return true;
    }
  }
  return false;
}

// A scope holds when both sides name the same; a side that names nothing does not refute it.
bool share(Scope scope, const Finding& a, const Finding& b) {
  auto agree = [](std::string_view x, std::string_view y) { return x.empty() || y.empty() || x == y; };
  auto field_or = [](const Finding& finding, std::string_view name, const std::string& otherwise) {
    auto value = finding.fields.get(name);
    return value.empty() ? std::string_view(otherwise) : value;
  };
  switch (scope) {
    case Scope::any:
      return true;
    case Scope::pid:
      return agree(field_or(a, "pid", a.envelope.pid), field_or(b, "pid", b.envelope.pid));
    case Scope::gpu:
      return agree(a.fields.get("gpu_pci"), b.fields.get("gpu_pci"));
    case Scope::host:
      return agree(a.envelope.host, b.envelope.host);
    case Scope::rank:
      return agree(a.envelope.rank, b.envelope.rank);
  }
  return false;
}

// A fault more than a day before something else did not lead to it.
bool too_long_before(const Finding& cause, const Finding& effect) {
  constexpr double kDaySeconds = 86400;
  return cause.envelope.seconds > 0 && effect.envelope.seconds > 0 &&
         effect.envelope.seconds - cause.envelope.seconds > kDaySeconds;
}

auto place_of(const Finding& finding) {
  return std::pair(finding.where.input, finding.where.line);
}

bool explains(const Node& cause, const Node& effect) {
  const Finding& a = *cause.finding;
  const Finding& b = *effect.finding;
  if (too_long_before(a, b)) return false;
  const Relation* relation = nullptr;
  if (lists(a, b, &relation) && share(relation->same, a, b)) return true;
  if (a.role > b.role) return is_failure(cause) || cause.severity >= effect.severity;
  return false;
}

void link_chains(std::vector<Node>& nodes) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> at;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_absorbed) at.try_emplace(place_of(*nodes[i].finding), i);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Finding& finding = *nodes[i].finding;
    if (nodes[i].is_absorbed || finding.because.line == 0) continue;
    auto earlier = at.find({finding.because.input, finding.because.line});
    if (earlier == at.end() || earlier->second == i) continue;
    if (nodes[earlier->second].finding->role >= finding.role) nodes[i].explained_by.push_back(earlier->second);
  }
}

}  // namespace

namespace {

// The member that says most; one whose rule lists another as its consequence says more than that one.
std::size_t most_telling(const std::vector<Node>& nodes, const std::vector<std::size_t>& members, bool same_line) {
  auto best = *std::max_element(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
    return weight(nodes[a], same_line) < weight(nodes[b], same_line);
  });
  for (std::size_t step = 0; same_line && step < members.size(); ++step) {
    auto better = std::find_if(members.begin(), members.end(), [&](std::size_t i) {
      const Relation* relation = nullptr;
      return nodes[i].finding->role == nodes[best].finding->role &&
             lists(*nodes[i].finding, *nodes[best].finding, &relation);
    });
    if (better == members.end()) break;
    best = *better;
  }
  return best;
}

}  // namespace

void absorb_same_lines(std::vector<Node>& nodes) {
  std::map<std::tuple<std::uint32_t, bool, std::uint64_t>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Finding& finding = *nodes[i].finding;
    groups[{finding.where.input, false, finding.where.line}].push_back(i);
    if (finding.record != 0) groups[{finding.where.input, true, finding.record}].push_back(i);
  }
  for (auto& [key, members] : groups) {
    bool same_line = !std::get<1>(key);
    std::erase_if(members, [&](std::size_t i) { return nodes[i].is_absorbed; });
    if (members.empty()) continue;
    std::size_t best = most_telling(nodes, members, same_line);
    for (std::size_t i : members) {
      const Finding& finding = *nodes[i].finding;
      bool weaker = weight(nodes[i], same_line) < weight(nodes[best], same_line) &&
                    (finding.role != nodes[best].finding->role || !finding.rule);
      bool same_fact = same_line && finding.role == nodes[best].finding->role;
      if (i == best || !(weaker || same_fact)) continue;
      nodes[i].is_absorbed = true;
      nodes[best].absorbed.push_back(i);
    }
  }
}

void link_causes(std::vector<Node>& nodes) {
  link_chains(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_absorbed) continue;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (i == j || nodes[j].is_absorbed || !explains(nodes[j], nodes[i])) continue;
      bool mutual = explains(nodes[i], nodes[j]);
      if (mutual && place_of(*nodes[i].finding) < place_of(*nodes[j].finding)) continue;
      nodes[i].explained_by.push_back(j);
    }
  }
}

std::vector<std::size_t> roots(std::vector<Node>& nodes) {
  std::vector<std::size_t> consequences(nodes.size(), 0);
  for (const Node& node : nodes) {
    for (std::size_t cause : node.explained_by) ++consequences[cause];
  }
  auto order = [&](std::size_t i) {
    const Finding& finding = *nodes[i].finding;
    double seconds = finding.envelope.seconds > 0 ? finding.envelope.seconds : std::numeric_limits<double>::infinity();
    auto most = std::numeric_limits<std::size_t>::max() - consequences[i];
    return std::tuple(!is_failure(nodes[i]), static_cast<int>(Role::cause) - static_cast<int>(finding.role),
                      finding.role == Role::cause ? most : 0, seconds, finding.where.line,
                      finding.rule ? finding.rule->id : finding.kind);
  };
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_absorbed) all.push_back(i);
  }
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
  std::vector<std::size_t> found;
  for (std::size_t i : all) {
    if (!nodes[i].explained_by.empty()) continue;
    bool first_of_failures = std::none_of(
        found.begin(), found.end(), [&](std::size_t root) { return is_failure(nodes[root]) == is_failure(nodes[i]); });
    if (nodes[i].finding->role == Role::cause || first_of_failures) {
      found.push_back(i);
    } else {
      nodes[i].explained_by.push_back(found.front());
    }
  }
  if (found.empty() && !all.empty()) {  // a cycle: the first of it is as good as any
    nodes[all.front()].explained_by.clear();
    found.push_back(all.front());
  }
  return found;
}

}  // namespace cutopsy
