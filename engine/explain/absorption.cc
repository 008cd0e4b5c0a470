#include "engine/explain/absorption.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/rule/relation_cycles.h"

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
  const bool knows = !same_line || finding.role != Role::generic;
  return std::tuple(knows, finding.role, node.severity, precision(finding));
}

bool lists(const Finding& cause, const Finding& effect) {
  return cause.rule && effect.rule && cause.rule != effect.rule && relation_to(*cause.rule, *effect.rule) != nullptr;
}

// The member that says most; one whose rule lists another as its consequence says more than that one.
std::size_t most_telling(const std::vector<Node>& nodes, const std::vector<std::size_t>& members, bool same_line) {
  std::size_t best = *std::max_element(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
    return weight(nodes[a], same_line) < weight(nodes[b], same_line);
  });
  for (std::size_t step = 0; same_line && step < members.size(); ++step) {
    const auto better = std::find_if(members.begin(), members.end(), [&](std::size_t i) {
      return nodes[i].finding->role == nodes[best].finding->role && lists(*nodes[i].finding, *nodes[best].finding);
    });
    if (better == members.end()) break;
    best = *better;
  }
  return best;
}

void absorb(std::vector<Node>& nodes, std::vector<std::size_t>& members, bool same_line) {
  std::erase_if(members, [&](std::size_t i) { return nodes[i].is_absorbed; });
  if (members.empty()) return;
  const std::size_t best = most_telling(nodes, members, same_line);
  for (std::size_t i : members) {
    const Finding& finding = *nodes[i].finding;
    const bool weaker = weight(nodes[i], same_line) < weight(nodes[best], same_line) &&
                        (finding.role != nodes[best].finding->role || !finding.rule);
    const bool same_fact = same_line && finding.role == nodes[best].finding->role;
    if (i == best || !(weaker || same_fact)) continue;
    nodes[i].is_absorbed = true;
    nodes[best].absorbed.push_back(i);
  }
}

}  // namespace

void absorb_same_facts(std::vector<Node>& nodes) {
  using Key = std::tuple<std::uint32_t, bool, std::uint64_t>;  // input, a record or a line, its number
  std::map<Key, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Finding& finding = *nodes[i].finding;
    groups[{finding.where.input, false, finding.where.line}].push_back(i);
    if (finding.record != 0) groups[{finding.where.input, true, finding.record}].push_back(i);
  }
  for (auto& [key, members] : groups) absorb(nodes, members, !std::get<1>(key));
}

}  // namespace cutopsy
