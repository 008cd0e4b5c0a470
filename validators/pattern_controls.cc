#include "validators/pattern_controls.h"

#include <algorithm>

namespace cutopsy {

std::array<Control, 4> choose_controls(std::uint64_t words, std::uint64_t seed, std::uint64_t pass) {
  std::array<Control, 4> controls{};
  const std::uint64_t quads = words / 2;
  for (std::uint64_t lane = 0; lane < controls.size(); ++lane) {
    const std::uint64_t random = kernels::address_hash(4 * pass + lane, seed);
    const std::uint64_t begin = quads * lane / 4;
    const std::uint64_t end = quads * (lane + 1) / 4;
    const std::uint64_t quad = lane == 3 && pass % 2 == 1 ? quads - 1 : begin + (random >> 8) % (end - begin);
    controls[lane] = {.number = 2 * quad + lane / 2, .difference = 1ULL << (random % 32 + lane % 2 * 32)};
  }
  return controls;
}

PassJudgement judge(const kernels::PatternReport& report, const std::array<Control, 4>& controls, std::uint64_t words) {
  PassJudgement judgement;
  judgement.complete = report.compared == words;
  const std::uint64_t listed = std::min(report.wrong, kernels::PatternReport::kMostListed);
  judgement.faults.assign(report.words, report.words + listed);
  std::size_t exact = 0;
  for (const Control& control : controls) {
    const auto found = std::find_if(judgement.faults.begin(), judgement.faults.end(),
                                    [&](const auto& word) { return word.number == control.number; });
    if (found == judgement.faults.end()) continue;
    // Bits beyond the planted one are a fault of that word.
    if (found->difference == control.difference) {
      judgement.faults.erase(found);
      ++exact;
    } else {
      found->difference ^= control.difference;
    }
  }
  judgement.controls_came_back = exact == controls.size();
  judgement.fault_count = judgement.faults.size() + (report.wrong - listed);
  std::sort(judgement.faults.begin(), judgement.faults.end(),
            [](const auto& left, const auto& right) { return left.number < right.number; });
  return judgement;
}

}  // namespace cutopsy
