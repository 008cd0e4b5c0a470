#include "engine/explain/timeline.h"

#include <algorithm>
#include <map>

namespace cutopsy {
namespace {

double estimate(const Finding& finding, const InputTraits& input) {
  if (input.first_seconds <= 0 || input.lines == 0) return 0;
  const double part = std::min(static_cast<double>(finding.where.line) / static_cast<double>(input.lines), 1.0);
  return input.first_seconds + part * (input.last_seconds - input.first_seconds);
}

}  // namespace

void place_in_time(std::vector<Node>& nodes, std::span<const InputTraits> inputs) {
  std::map<std::uint32_t, std::vector<Node*>> by_input;
  for (Node& node : nodes) by_input[node.finding->where.input].push_back(&node);
  for (auto& [input, members] : by_input) {
    std::stable_sort(members.begin(), members.end(),
                     [](const Node* a, const Node* b) { return a->finding->where.line < b->finding->where.line; });
    double last_known = 0;
    for (Node* node : members) {
      if (node->finding->envelope.seconds > 0) last_known = node->finding->envelope.seconds;
      node->placed_at = last_known;
      if (last_known <= 0 && input < inputs.size()) node->placed_at = estimate(*node->finding, inputs[input]);
    }
  }
}

}  // namespace cutopsy
