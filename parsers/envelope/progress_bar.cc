// Format (tqdm/std.py, format_meter): "{desc}:  40%|####      | 40/100 [00:40<01:00,  1.00it/s, loss=0.5]"
#include "parsers/envelope/progress_bar.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxMeter = 256;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// True for "00:40<" and "1:02:03, " at the beginning of `text`.
bool starts_with_elapsed(std::string_view text) {
  std::size_t at = 0;
  std::size_t colons = 0;
  while (at < text.size() && (is_digit(text[at]) || text[at] == ':')) colons += text[at++] == ':';
  return (colons == 1 || colons == 2) && is_digit(text[0]) && at < text.size() && (text[at] == '<' || text[at] == ',');
}

}  // namespace

std::size_t find_end_of_progress_bar(std::string_view text) {
  for (std::size_t open = text.find('['); open != text.npos; open = text.find('[', open + 1)) {
    const std::string_view meter = text.substr(open + 1, kMaxMeter);
    if (!starts_with_elapsed(meter)) continue;
    const std::size_t close = meter.find(']');
    if (close == meter.npos) continue;
    const std::string_view inside = meter.substr(0, close);
    const bool has_rate = inside.find("/s") != inside.npos || inside.find("s/") != inside.npos;
    if (!has_rate && inside.find('<') == inside.npos) continue;
    const std::size_t end = open + 1 + close + 1;
    const std::size_t next = text.find_first_not_of(" \t", end);
    if (next == text.npos) return text.npos;
    if (text[next] == ',' || text[next] == ')' || text[next] == ':' || text[next] == '|') continue;
    return end;
  }
  return text.npos;
}

}  // namespace cutopsy
