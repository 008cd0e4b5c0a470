#include "engine/rule/relation_cycles.h"

#include <algorithm>
#include <cstddef>
#include <deque>

#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

using Edges = std::vector<std::vector<std::size_t>>;

bool can_be_cause(const Rule& rule) {
  return std::any_of(rule.signatures.begin(), rule.signatures.end(),
                     [](const Signature& signature) { return signature.role == Role::cause; });
}

Edges edges_among(std::span<const Rule* const> rules) {
  Edges edges(rules.size());
  for (std::size_t from = 0; from < rules.size(); ++from) {
    for (std::size_t to = 0; to < rules.size(); ++to) {
      if (from != to && ranks_above(*rules[from], *rules[to])) edges[from].push_back(to);
    }
  }
  return edges;
}

/// The shortest circle through `start` over nodes that are not less than it; empty when there is none.
std::vector<std::size_t> circle_from(std::size_t start, const Edges& edges) {
  constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
  std::vector<std::size_t> came_from(edges.size(), kUnseen);
  std::deque<std::size_t> queue = {start};
  while (!queue.empty()) {
    const std::size_t node = queue.front();
    queue.pop_front();
    for (std::size_t next : edges[node]) {
      if (next == start) {
        std::vector<std::size_t> circle;
        for (std::size_t step = node; step != start; step = came_from[step]) circle.push_back(step);
        circle.push_back(start);
        std::reverse(circle.begin(), circle.end());
        return circle;
      }
      if (next > start && came_from[next] == kUnseen) {
        came_from[next] = node;
        queue.push_back(next);
      }
    }
  }
  return {};
}

}  // namespace

const Relation* relation_to(const Rule& rule, const Rule& other) {
  const auto found = std::find_if(rule.explains.begin(), rule.explains.end(),
                                  [&](const Relation& relation) { return names(relation, other); });
  return found == rule.explains.end() ? nullptr : &*found;
}

bool ranks_above(const Rule& rule, const Rule& other) {
  constexpr std::string_view kTag = "tag:";
  return std::any_of(rule.explains.begin(), rule.explains.end(), [&](const Relation& relation) {
    const bool among_peers = relation.target.starts_with(kTag) && names(relation, rule);
    return !among_peers && names(relation, other);
  });
}

std::vector<std::vector<const Rule*>> relation_cycles(std::span<const Rule> rules) {
  std::vector<const Rule*> causes;
  for (const Rule& rule : rules) {
    if (can_be_cause(rule)) causes.push_back(&rule);
  }
  std::sort(causes.begin(), causes.end(), [](const Rule* left, const Rule* right) { return left->id < right->id; });
  const Edges edges = edges_among(causes);
  std::vector<std::vector<const Rule*>> cycles;
  for (std::size_t start = 0; start < causes.size(); ++start) {
    const std::vector<std::size_t> circle = circle_from(start, edges);
    if (circle.empty()) continue;
    cycles.emplace_back();
    for (std::size_t index : circle) cycles.back().push_back(causes[index]);
  }
  return cycles;
}

}  // namespace cutopsy
