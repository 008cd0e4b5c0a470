#include "engine/explain/last_words.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>

#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

bool matches(const RE2& regex, std::string_view text) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
}

bool looks_like_error(const Line& line) {
  static const RE2 kWords(R"((?i)\b(?:error|fatal|failed|failure|panic|abort(?:ed)?|exception|cannot|could not)\b)");
  static const RE2 kNone(
      R"((?i)\b(?:0|no|without) (?:errors?|failures?|failed)\b|(?:errors?|failed|failures?)[:=] ?0\b)");
  static const RE2 kBoilerplate(
      R"((?i)exit(?:ed|s)?(?: with)?(?: non-zero)? (?:code|status)|returned non-zero|\*\*\* \[.*\] Error|)"
      R"(subprocess-exited-with-error|command failed|script failed)");
  if (matches(kNone, line.text) || matches(kBoilerplate, line.text)) return false;
  const std::string& level = line.envelope.level;
  return level == "error" || level == "fatal" || matches(kWords, line.text);
}

}  // namespace

std::optional<Evidence> last_error_line(std::string_view tail, std::uint64_t lines) {
  if (tail.ends_with('\n')) tail.remove_suffix(1);
  std::uint64_t number = lines - static_cast<std::uint64_t>(std::count(tail.begin(), tail.end(), '\n'));
  std::optional<Evidence> last;
  Stripper stripper;
  for (; !tail.empty(); ++number) {
    const std::size_t end = std::min(tail.find('\n'), tail.size());
    stripper.strip(tail.substr(0, end), {0, number}, [&](const Line& line) {
      if (looks_like_error(line)) last = Evidence{line.where, std::string(line.text)};
    });
    tail.remove_prefix(std::min(end + 1, tail.size()));
  }
  return last;
}

}  // namespace cutopsy
