#include "engine/rule/pattern.h"

#include <fmt/format.h>

namespace cutopsy {
namespace {

std::string_view advice_for(RE2::ErrorCode error) {
  switch (error) {
    case RE2::ErrorBadPerlOp:
    case RE2::ErrorBadEscape:
      return "; RE2 has no look-around and no back-references, and texts are matched byte by byte: \\x{2013} is "
             "written as the character itself";
    case RE2::ErrorRepeatSize:
      return "; RE2 repeats at most 1000 times, all nested counts multiplied: write * or + instead";
    case RE2::ErrorPatternTooLarge:
      return "; RE2's memory does not hold it: make it shorter, above all counts like {500}";
    default:
      return "";
  }
}

}  // namespace

RE2::Options pattern_options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);
  return options;
}

std::string mistake_in_pattern(std::string_view pattern) {
  const RE2 regex(re2::StringPiece(pattern.data(), pattern.size()), pattern_options());
  if (!regex.ok()) return fmt::format("{}{}", regex.error(), advice_for(regex.error_code()));
  if (regex.ProgramSize() <= kMaxPatternSteps) return "";
  return fmt::format(
      "compiles to {} steps, and RE2's memory holds a fast search for {} at most: make it shorter, above all counts "
      "like {{500}}; * and + cost nothing",
      regex.ProgramSize(), kMaxPatternSteps);
}

}  // namespace cutopsy
