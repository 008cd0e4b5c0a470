// Derives, from a regular expression, literals that stand in every text it can match.
//
// RE2's FilteredRE2 gives the atoms of a pattern and the Boolean condition on them. A set S of atoms is a sufficient
// trigger exactly when the pattern cannot match a text that holds none of S, i.e. when AllPotentials() over all other
// atoms is empty. https://github.com/google/re2/blob/main/re2/filtered_re2.h
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

/// The scan literals of a `line:` pattern: each 5 to 8 bytes, case-sensitive, the rarest in ordinary logs that the
/// pattern allows; at least one of them stands in every match. Empty when there are none: `*why_not` then says why,
/// in words for the rule's author.
std::vector<std::string> derive_trigger(std::string_view pattern, std::string* why_not);

/// Literals (3 bytes or more) of which at least one stands in every match of `pattern`; empty when none is known.
std::vector<std::string> required_literals(std::string_view pattern);

inline constexpr std::size_t kMinTriggerBytes = 5;
inline constexpr std::size_t kMaxTriggerBytes = 8;

}  // namespace cutopsy
