#include "engine/explain/chain.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "engine/explain/causality.h"

namespace cutopsy {
namespace {

class Chain {
 public:
  Chain(const std::vector<Node>& nodes, std::span<const std::size_t> members, std::span<const std::size_t> symptoms)
      : nodes_(nodes), reached_(nodes.size(), false), waiting_(symptoms.begin(), symptoms.end()) {
    inside_.assign(nodes.size(), false);
    for (std::size_t i : members) inside_[i] = reached_[i] = true;
    for (std::size_t i : symptoms) inside_[i] = true;
    best_.resize(nodes.size());
    for (std::size_t i : symptoms) best_[i] = best_link(i, inside_);
  }

  std::vector<Because> links() {
    while (!waiting_.empty()) {
      const auto next = next_symptom();
      if (next == waiting_.end()) break;
      links_.push_back(written(*link_of(*next), *next));
      reached_[*next] = true;
      waiting_.erase(next);
    }
    return std::move(links_);
  }

 private:
  // The first whose best cause is in the chain already; in a circle the first that has any cause there.
  std::vector<std::size_t>::iterator next_symptom() {
    const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                    [this](std::size_t i) { return best_[i] && reached_[best_[i]->cause]; });
    if (found != waiting_.end()) return found;
    return std::find_if(waiting_.begin(), waiting_.end(), [this](std::size_t i) { return link_of(i).has_value(); });
  }

  std::optional<Link> link_of(std::size_t symptom) const {
    const auto& best = best_[symptom];
    return best && reached_[best->cause] ? best : best_link(symptom, reached_);
  }

  std::optional<Link> best_link(std::size_t symptom, const std::vector<bool>& causes) const {
    std::optional<Link> best;
    for (const Link& link : nodes_[symptom].explained_by) {
      if (!causes[link.cause]) continue;
      if (!best || is_closer(link, *best, nodes_[symptom])) best = link;
    }
    return best;
  }

  bool is_closer(const Link& a, const Link& b, const Node& symptom) const {
    const bool a_is_logged = a.basis == Basis::log;
    if (a_is_logged != (b.basis == Basis::log)) return a_is_logged;
    const Node& x = nodes_[a.cause];
    const Node& y = nodes_[b.cause];
    const bool x_before = stands_before(x, symptom);
    if (x_before != stands_before(y, symptom)) return x_before;
    const bool x_beside = stands_beside(x, symptom);
    if (x_beside != stands_beside(y, symptom)) return x_beside;
    if (a.basis != b.basis) return a.basis < b.basis;
    return x_before ? stands_before(y, x) : stands_before(x, y);
  }

  static bool stands_beside(const Node& a, const Node& b) { return a.finding->where.input == b.finding->where.input; }

  Because written(const Link& link, std::size_t symptom) const {
    const Finding& cause = *nodes_[link.cause].finding;
    const Finding& effect = *nodes_[symptom].finding;
    return {name_of(cause), cause.where, name_of(effect), effect.where, link.basis};
  }

  const std::vector<Node>& nodes_;
  std::vector<bool> inside_;               // of the incident
  std::vector<bool> reached_;              // in the chain already
  std::vector<std::optional<Link>> best_;  // of each symptom, from any member or symptom
  std::vector<std::size_t> waiting_;
  std::vector<Because> links_;
};

}  // namespace

std::vector<Because> chain_of(const std::vector<Node>& nodes, std::span<const std::size_t> members,
                              std::span<const std::size_t> symptoms) {
  return Chain(nodes, members, symptoms).links();
}

}  // namespace cutopsy
