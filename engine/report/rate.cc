#include "engine/report/rate.h"

#include <fmt/format.h>

#include <cmath>

namespace cutopsy {
namespace {

struct Unit {
  double upto;  // seconds: as long as a span is told in this unit
  double seconds;
  const char* name;
};

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 86400;
constexpr Unit kUnits[] = {
    {3 * kMinute, 1, "s"}, {3 * kHour, kMinute, "min"}, {3 * kDay, kHour, "h"}, {HUGE_VAL, kDay, "days"}};

std::string span_of(double seconds) {
  if (seconds < 1) return "1 s";
  for (const Unit& unit : kUnits) {
    if (seconds < unit.upto) return fmt::format("{:.0f} {}", std::ceil(seconds / unit.seconds), unit.name);
  }
  return "";
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::optional<Rate> rate_of(const Incident& incident) {
  if (incident.count < kFewestForARate || !incident.repeats_lasted) return std::nullopt;
  const double seconds = std::round(*incident.repeats_lasted * 1000) / 1000;
  return Rate{seconds, fmt::format("{} times within {}", grouped(incident.count), span_of(seconds))};
}

}  // namespace cutopsy
