#include "engine/explain/year_completion.h"

#include <algorithm>
#include <cmath>

#include "parsers/envelope/timestamp.h"

namespace cutopsy {
namespace {

constexpr int kAnyLeapYear = 2024;
constexpr double kYearSeconds = 365.2425 * 86400;

bool lacks_only_the_year(const Envelope& envelope, const Timestamp& time) {
  return envelope.seconds == 0 && time.length != 0 && time.year == 0 && time.month != 0;
}

// The case's last known time.
double last_known(std::span<const Finding> findings, std::span<const InputTraits> inputs) {
  double last = 0;
  for (const InputTraits& input : inputs) last = std::max(last, input.last_seconds);
  for (const Finding& finding : findings) last = std::max(last, finding.envelope.seconds);
  return last;
}

double nearest_to(double anchor, const Timestamp& time) {
  const int year = 1970 + static_cast<int>(anchor / kYearSeconds);
  double nearest = unix_seconds(time, year);
  for (int other : {year - 1, year + 1}) {
    const double seconds = unix_seconds(time, other);
    if (std::abs(seconds - anchor) < std::abs(nearest - anchor)) nearest = seconds;
  }
  return nearest;
}

class Calendar {
 public:
  explicit Calendar(double anchor) : anchor_(anchor) {}

  // Seconds of a clock without a year, 0 for others. The first one becomes the anchor where there is none.
  double complete(const Envelope& envelope) {
    const Timestamp time = read_timestamp(envelope.time);
    if (!lacks_only_the_year(envelope, time)) return 0;
    if (anchor_ <= 0) anchor_ = unix_seconds(time, kAnyLeapYear);
    return nearest_to(anchor_, time);
  }

 private:
  double anchor_;
};

class InputTimes {
 public:
  explicit InputTimes(std::span<InputTraits> inputs) : inputs_(inputs) {
    for (const InputTraits& input : inputs) undated_.push_back(input.first_seconds <= 0);
  }

  void add(std::uint32_t input, double seconds) {
    if (seconds <= 0 || input >= inputs_.size() || !undated_[input]) return;
    InputTraits& traits = inputs_[input];
    traits.first_seconds = traits.first_seconds > 0 ? std::min(traits.first_seconds, seconds) : seconds;
    traits.last_seconds = std::max(traits.last_seconds, seconds);
  }

 private:
  std::span<InputTraits> inputs_;
  std::vector<bool> undated_;
};

}  // namespace

void complete_years(std::vector<Finding>& findings, std::span<const Fact> facts, std::span<InputTraits> inputs) {
  if (inputs.size() < 2) return;
  Calendar calendar(last_known(findings, inputs));
  InputTimes times(inputs);
  for (Finding& finding : findings) {
    const double seconds = calendar.complete(finding.envelope);
    if (seconds <= 0) continue;
    finding.envelope.seconds = seconds;
    times.add(finding.where.input, seconds);
  }
  for (const Fact& fact : facts) times.add(fact.where.input, calendar.complete(fact.envelope));
}

}  // namespace cutopsy
