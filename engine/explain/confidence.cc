#include "engine/explain/confidence.h"

#include <algorithm>
#include <cmath>

namespace cutopsy {
namespace {

double base_of(Role role) {
  switch (role) {
    case Role::cause:
      return 0.95;
    case Role::generic:
      return 0.60;
    case Role::effect:
      return 0.50;
    case Role::banner:
    case Role::info:
      return 0.35;
  }
  return 0;
}

}  // namespace

double confidence_of(Role root, const Support& support) {
  constexpr double kMost = 0.98;
  constexpr double kLossByCausesAbove = 0.12;
  constexpr double kPerCauseAbove = 0.8;
  constexpr std::size_t kManyKinds = 3;
  double confidence = base_of(root) * (1 - kLossByCausesAbove * (1 - std::pow(kPerCauseAbove, support.causes_above)));
  if (support.rival_is_first) {
    confidence *= 0.75;
  } else if (support.has_rival) {
    confidence *= 0.85;
  }
  if (!support.is_failure) confidence *= 0.80;
  if (support.failures_explained > 0) confidence += support.failures_explained >= kManyKinds ? 0.05 : 0.03;
  return std::min(confidence, kMost);
}

}  // namespace cutopsy
