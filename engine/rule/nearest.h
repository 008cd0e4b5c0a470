// "Did you mean": the known word that is nearest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

/// The choices that differ from `word` by few edits (insert, drop, replace a character), nearest first, at most
/// `limit`; empty when none is near.
std::vector<std::string_view> nearest(std::string_view word, std::span<const std::string_view> choices,
                                      std::size_t limit = 1);

/// The end of a message on an unknown `word`: "; did you mean 'x'?", or without a near choice "; known: a, b, c"
/// (nothing when the choices are many).
std::string suggestion(std::string_view word, std::span<const std::string_view> choices);

}  // namespace cutopsy
