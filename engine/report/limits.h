// The bounds that a report tells of: their names in JSON and what each means to a reader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/pipeline.h"
#include "engine/report/json.h"

namespace cutopsy {

struct LimitText {
  const char* name;  ///< key in the JSON report
  std::uint64_t LimitsReached::*count;
  std::string_view meaning;  ///< what follows the count in a sentence; "" for what is ordinary
};

std::span<const LimitText> limit_texts();

/// One line that names the bounds reached and what was lost, "" when none was; `limits` as in the JSON report.
std::string limits_line(const Json& limits);

}  // namespace cutopsy
