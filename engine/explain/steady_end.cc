#include "engine/explain/steady_end.h"

#include <re2/re2.h>

#include <algorithm>

#include "engine/explain/error_words.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

bool is_progress(std::string_view text) {
  static const RE2 kProgress(
      R"((?i)\b(?:(?:global_?)?step|iter(?:ation)?|epoch|batch)s?\b\W{0,4}\d|\d%\||\d/\d+ \[|'epoch': \d)");
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kProgress);
}

}  // namespace

std::uint64_t steady_since(std::string_view tail, std::uint64_t lines) {
  if (tail.ends_with('\n')) tail.remove_suffix(1);
  std::uint64_t number = lines - static_cast<std::uint64_t>(std::count(tail.begin(), tail.end(), '\n'));
  std::uint64_t since = number;
  std::uint64_t progress = 0;
  Stripper stripper;
  for (; !tail.empty(); ++number) {
    const std::size_t end = std::min(tail.find('\n'), tail.size());
    stripper.strip(tail.substr(0, end), {0, number}, [&](const Line& line) {
      if (looks_like_error(line)) {
        progress = 0;
        since = number + 1;
      } else if (is_progress(line.text)) {
        ++progress;
      }
    });
    tail.remove_prefix(std::min(end + 1, tail.size()));
  }
  return progress >= kSteadyLines ? since : 0;
}

}  // namespace cutopsy
