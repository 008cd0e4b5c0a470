#include "engine/match/finding.h"

#include <charconv>
#include <cmath>

namespace cutopsy {

Clock clock_of(const Envelope& envelope) {
  if (envelope.seconds > 0) return {envelope.seconds, false};
  if (!envelope.kernel) return {};
  std::string_view text = envelope.time;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && seconds > 0 ? Clock{seconds, true} : Clock{};
}

std::optional<double> seconds_between(const Clock& first, const Clock& last) {
  if (first.seconds <= 0 || last.seconds <= 0 || first.since_boot != last.since_boot) return std::nullopt;
  return std::abs(last.seconds - first.seconds);
}

}  // namespace cutopsy
