// How the regular expressions of rules are compiled: alike where they are checked and where they are matched.
#pragma once

#include <re2/re2.h>

#include <string>
#include <string_view>

namespace cutopsy {

/// Instructions of RE2's program for a pattern, by RE2::ProgramSize(). RE2 searches with a DFA while that fits into its
/// memory (RE2::Options::max_mem, https://github.com/google/re2/blob/main/re2/re2.h), else it steps through the program
/// for every byte: the answer is the same, the time grows with the program. This bounds it to seconds for a megabyte.
inline constexpr int kMaxPatternSteps = 4000;

/// Logs hold any bytes, and '.' must match each of them. RE2 itself writes nothing to standard error.
RE2::Options pattern_options();

/// Why rules cannot use the pattern and what to write instead; "" when they can.
std::string mistake_in_pattern(std::string_view pattern);

}  // namespace cutopsy
