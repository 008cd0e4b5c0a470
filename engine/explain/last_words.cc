#include "engine/explain/last_words.h"

#include <algorithm>
#include <string>

#include "engine/explain/error_words.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
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
