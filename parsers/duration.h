// Lengths of time as logs print them: "45s", "1800000 ms", "0:30:00", "30 minutes", "1h2m3s".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cutopsy {

struct Duration {
  std::string_view text;  ///< number and unit as printed
  double seconds = 0;
};

/// The duration that `text` begins with. A number without a unit is none; hours, minutes and seconds set off by
/// colons need no unit, and days may stand before them as Python prints them ("1 day, 0:30:00").
std::optional<Duration> read_duration(std::string_view text);

/// Seconds as text, to the millisecond: "1800", "0.25".
std::string seconds_text(double seconds);

}  // namespace cutopsy
