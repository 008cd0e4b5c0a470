#include "engine/explain/error_words.h"

#include <re2/re2.h>

#include <string>
#include <string_view>

namespace cutopsy {
namespace {

bool matches(const RE2& regex, std::string_view text) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
}

}  // namespace

bool looks_like_error(const Line& line) {
  static const RE2 kWords(R"((?i)\b(?:error|fatal|failed|failure|panic|abort(?:ed)?|exception|cannot|could not)\b)");
  static const RE2 kNone(
      R"((?i)\b(?:0|no|without) (?:errors?|failures?|failed)\b|(?:errors?|failed|failures?)[:=] ?0\b)");
  static const RE2 kBoilerplate(
      R"((?i)exit(?:ed|s)?(?: with)?(?: non-zero)? (?:code|status)|returned non-zero|\*\*\* \[.*\] Error|)"
      R"(subprocess-exited-with-error|command failed|script failed)");
  if (matches(kNone, line.text) || matches(kBoilerplate, line.text)) return false;
  const std::string& level = line.envelope.level;
  if (level == "error" || level == "fatal") return true;
  if (line.text.find("://") == line.text.npos) return matches(kWords, line.text);
  static const RE2 kLink(R"(\w+://\S+)");
  std::string prose(line.text);
  RE2::GlobalReplace(&prose, kLink, "");
  return matches(kWords, prose);
}

}  // namespace cutopsy
