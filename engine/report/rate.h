// How often a fault repeated, and within what time: a storm of a minute is another thing than one line a day.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/explain/incident.h"

namespace cutopsy {

struct Rate {
  double seconds = 0;  ///< from the first repeat to the last
  std::string text;    ///< "1,204 times within 62 s"
};

/// Nothing for fewer repeats than kFewestForARate, and where the log does not tell the times.
std::optional<Rate> rate_of(const Incident& incident);

inline constexpr std::uint64_t kFewestForARate = 10;

/// "1,204"
std::string grouped(std::uint64_t number);

}  // namespace cutopsy
