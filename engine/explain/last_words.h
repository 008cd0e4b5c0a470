// The line in which a program that ended badly says so, for logs in which nothing else is known.
#pragma once

#include <optional>
#include <string_view>

#include "engine/match/finding.h"

namespace cutopsy {

/// The last line of `tail` that looks like an error: a level of error or above, or a word such as "error", "failed" or
/// "abort". What launchers and shells add ("exit code 1", "make: *** [all] Error 2") is passed over. `lines`: of the
/// input, which ends with `tail`; the evidence's place names input 0.
std::optional<Evidence> last_error_line(std::string_view tail, std::uint64_t lines);

}  // namespace cutopsy
