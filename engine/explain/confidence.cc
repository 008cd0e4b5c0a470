#include "engine/explain/confidence.h"

#include <algorithm>

namespace cutopsy {
namespace {

double base_of(Role role) {
  switch (role) {
    case Role::cause:
      return 0.93;
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

bool often_follows(const Rule& rule, std::span<const Rule> all) {
  return std::any_of(all.begin(), all.end(), [&](const Rule& other) {
    return std::any_of(other.explains.begin(), other.explains.end(),
                       [&](const Relation& relation) { return relation.target == rule.id; });
  });
}

double confidence_of(const Node& root, const Support& support) {
  constexpr double kMost = 0.98;
  constexpr std::size_t kManyKinds = 3;
  double confidence = base_of(root.finding->role);
  if (support.often_follows) confidence *= 0.90;
  if (support.rival_is_first) {
    confidence *= 0.75;
  } else if (support.has_rival) {
    confidence *= 0.85;
  }
  if (!is_failure(root)) confidence *= 0.80;
  if (support.failures_explained > 0) confidence += support.failures_explained >= kManyKinds ? 0.05 : 0.03;
  return std::min(confidence, kMost);
}

}  // namespace cutopsy
