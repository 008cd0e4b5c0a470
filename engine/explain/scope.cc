#include "engine/explain/scope.h"

#include <algorithm>

namespace cutopsy {
namespace {

constexpr double kDaySeconds = 86400;
constexpr double kHourSeconds = 3600;
constexpr double kOneClockSeconds = 120;             // what one writer's lines may be out of order
constexpr double kUnknownZoneSeconds = 14 * 3600.0;  // the furthest zone from UTC

std::string_view field_or(const Finding& finding, std::string_view name, std::string_view otherwise) {
  const std::string_view value = finding.fields.get(name);
  return value.empty() ? otherwise : value;
}

bool agree(std::string_view a, std::string_view b) {
  return a.empty() || b.empty() || a == b;
}

// The kernel cuts a process's name after 15 bytes (Linux, TASK_COMM_LEN).
bool names_agree(std::string_view a, std::string_view b) {
  constexpr std::size_t kKernelName = 15;
  return agree(a.substr(0, kKernelName), b.substr(0, kKernelName));
}

bool may_share_process(const Finding& a, const Finding& b) {
  const std::string_view pid = field_or(a, "pid", a.envelope.pid);
  const std::string_view other = field_or(b, "pid", b.envelope.pid);
  if (agree(pid, other)) return true;
  const bool one_is_kernels = a.kind.starts_with("kernel.") != b.kind.starts_with("kernel.");
  const std::string_view name = a.fields.get("process");
  const std::string_view other_name = b.fields.get("process");
  return one_is_kernels && !name.empty() && !other_name.empty() && names_agree(name, other_name);
}

bool may_share_gpu(const Node& a, const Node& b) {
  if (a.gpu && b.gpu) return may_be_same(a.gpu, b.gpu);
  return agree(a.finding->fields.get("gpu"), b.finding->fields.get("gpu"));
}

}  // namespace

bool may_share(Scope scope, const Node& node, const Node& other) {
  const Finding& a = *node.finding;
  const Finding& b = *other.finding;
  switch (scope) {
    case Scope::any:
      return true;
    case Scope::pid:
      return may_share_process(a, b);
    case Scope::gpu:
      return may_share_gpu(node, other);
    case Scope::host:
      return agree(field_or(a, "host", a.envelope.host), field_or(b, "host", b.envelope.host));
    case Scope::rank:
      return agree(field_or(a, "rank", a.envelope.rank), field_or(b, "rank", b.envelope.rank));
  }
  return false;
}

JobTime::JobTime(std::span<const InputTraits> inputs) {
  for (const InputTraits& input : inputs) {
    if (input.kernel_clock || input.first_seconds <= 0) continue;
    first_ = first_ > 0 ? std::min(first_, input.first_seconds) : input.first_seconds;
    last_ = std::max(last_, input.last_seconds);
  }
}

bool JobTime::excludes(const Finding& finding) const {
  const double at = finding.envelope.seconds;
  if (!finding.envelope.kernel || at <= 0 || first_ <= 0) return false;
  const double zone = finding.envelope.zone_known ? 0 : kUnknownZoneSeconds;
  return at < first_ - kDaySeconds - zone || at > last_ + kHourSeconds + zone;
}

bool may_precede(const Finding& cause, const Finding& effect) {
  const double at = cause.envelope.seconds;
  const double effect_at = effect.envelope.seconds;
  if (at <= 0 || effect_at <= 0) return true;
  const bool one_clock =
      cause.where.input == effect.where.input || (cause.envelope.zone_known && effect.envelope.zone_known);
  const double slack = one_clock ? kOneClockSeconds : kUnknownZoneSeconds;
  return at <= effect_at + slack && effect_at - at <= kDaySeconds + slack;
}

}  // namespace cutopsy
