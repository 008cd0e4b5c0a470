// Whether one signature matches one event or line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/match/rule_index.h"
#include "parsers/event.h"

namespace cutopsy {

/// Captures of a match; `offset` is where it begins in the line's text (0 for events).
struct SignatureMatch {
  Fields captures;
  std::size_t offset = 0;
};

std::optional<SignatureMatch> match_event(const RuleIndex& index, const Signature& signature, std::string_view emitter,
                                          const Fields& fields);
/// Whether every condition holds on these fields.
bool all_hold(const RuleIndex& index, std::span<const Predicate> where, std::string_view emitter, const Fields& fields);
std::optional<SignatureMatch> match_line(const RuleIndex& index, const Signature& signature, std::string_view text);

/// Equal for the values that `==` of the rule format takes for one: numbers compare as numbers.
std::string value_key(std::string_view value);

/// True when `offset` stands inside quotes of `text`.
bool inside_quotes(std::string_view text, std::size_t offset);

}  // namespace cutopsy
