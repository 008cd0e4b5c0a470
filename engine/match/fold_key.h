// What makes two findings repeats of one another.
#pragma once

#include <string>
#include <string_view>

#include "engine/match/finding.h"

namespace cutopsy {

/// Findings with equal keys fold into one.
std::string fold_key(const Finding& finding, std::uint16_t signature_position);

}  // namespace cutopsy
