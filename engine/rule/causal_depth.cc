#include "engine/rule/causal_depth.h"

#include <algorithm>
#include <cstdint>

#include "engine/rule/relation_cycles.h"

namespace cutopsy {
namespace {

class Depths {
 public:
  explicit Depths(std::vector<Rule>& rules) : rules_(rules), state_(rules.size(), State::unseen), above_(rules.size()) {
    for (std::size_t cause = 0; cause < rules.size(); ++cause) {
      if (rules[cause].explains.empty()) continue;
      for (std::size_t effect = 0; effect < rules.size(); ++effect) {
        if (cause != effect && ranks_above(rules[cause], rules[effect])) above_[effect].push_back(cause);
      }
    }
  }

  void set(std::size_t rule) {
    if (state_[rule] != State::unseen) return;
    state_[rule] = State::open;
    std::uint32_t depth = 0;
    for (std::size_t cause : above_[rule]) {
      if (state_[cause] == State::open) continue;
      set(cause);
      depth = std::max(depth, 1 + rules_[cause].causes_above);
    }
    rules_[rule].causes_above = depth;
    state_[rule] = State::done;
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };
  std::vector<Rule>& rules_;
  std::vector<State> state_;
  std::vector<std::vector<std::size_t>> above_;
};

}  // namespace

void set_causes_above(std::vector<Rule>& rules) {
  Depths depths(rules);
  for (std::size_t i = 0; i < rules.size(); ++i) depths.set(i);
}

}  // namespace cutopsy
