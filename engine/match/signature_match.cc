#include "engine/match/signature_match.h"
#include "parsers/trim.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace cutopsy {
namespace {

// Searches and keeps the named groups. `offset`, if given, receives where the match begins.
bool search(const RE2& regex, std::string_view text, Fields& captures, std::size_t* offset) {
  re2::StringPiece piece(text.data(), text.size());
  if (!regex.ok()) return false;
  // Whether a pattern matches is found faster than where.
  if (!offset && regex.NamedCapturingGroups().empty()) {
    return regex.Match(piece, 0, text.size(), RE2::UNANCHORED, nullptr, 0);
  }
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) + 1);
  if (!regex.Match(piece, 0, text.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size()))) {
    return false;
  }
  if (offset) *offset = static_cast<std::size_t>(groups[0].data() - text.data());
  for (const auto& [name, group] : regex.NamedCapturingGroups()) {
    const auto& captured = groups[static_cast<std::size_t>(group)];
    if (captured.data()) captures.set(name, trim({captured.data(), captured.size()}, " "));
  }
  return true;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool equal(std::string_view printed, std::string_view wanted) {
  if (printed == wanted) return true;
  auto a = number(printed);
  auto b = number(wanted);
  return a && b && *a == *b;
}

bool holds(const RuleIndex& index, const Predicate& predicate, std::string_view emitter, const Fields& fields,
           Fields& captures) {
  std::string_view value = predicate.field == "emitter" ? emitter : fields.get(predicate.field);
  if (value.empty()) return false;
  switch (predicate.op) {
    case Predicate::Op::search: {
      auto present = [&](std::string_view literal) { return value.find(literal) != std::string_view::npos; };
      if (!predicate.literals.empty() && std::none_of(predicate.literals.begin(), predicate.literals.end(), present)) {
        return false;
      }
      return search(index.regex(predicate.text), value, captures, nullptr);
    }
    case Predicate::Op::equal:
      return equal(value, predicate.text);
    case Predicate::Op::above: {
      auto have = number(value);
      return have && *have > predicate.number;
    }
    case Predicate::Op::below: {
      auto have = number(value);
      return have && *have < predicate.number;
    }
    case Predicate::Op::in:
      return std::any_of(predicate.values.begin(), predicate.values.end(),
                         [&](std::string_view wanted) { return equal(value, wanted); });
  }
  return false;
}

}  // namespace

std::optional<SignatureMatch> match_event(const RuleIndex& index, const Signature& signature, std::string_view emitter,
                                          const Fields& fields) {
  SignatureMatch match;
  for (const Predicate& predicate : signature.where) {
    if (!holds(index, predicate, emitter, fields, match.captures)) return std::nullopt;
  }
  return match;
}

bool all_hold(const RuleIndex& index, std::span<const Predicate> where, std::string_view emitter,
              const Fields& fields) {
  Fields captures;
  return std::all_of(where.begin(), where.end(),
                     [&](const Predicate& predicate) { return holds(index, predicate, emitter, fields, captures); });
}

std::string value_key(std::string_view value) {
  const auto parsed = number(value);
  if (!parsed || std::isnan(*parsed)) return std::string(value);
  const double one_zero = *parsed + 0.0;  // -0 equals 0
  return std::string("\0", 1).append(reinterpret_cast<const char*>(&one_zero), sizeof one_zero);
}

std::optional<SignatureMatch> match_line(const RuleIndex& index, const Signature& signature, std::string_view text) {
  SignatureMatch match;
  if (!search(index.regex(signature.line), text, match.captures, &match.offset)) return std::nullopt;
  return match;
}

bool inside_quotes(std::string_view text, std::size_t offset) {
  char open = 0;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    char c = text[i];
    if (c == '\\') {
      ++i;
    } else if (open == 0 && (c == '\'' || c == '"')) {
      open = c;
    } else if (c == open) {
      open = 0;
    }
  }
  return open != 0;
}

}  // namespace cutopsy
