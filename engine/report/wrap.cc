#include "engine/report/wrap.h"

namespace cutopsy {

std::string wrap(std::string_view prose, std::size_t width, std::string_view indent) {
  std::string out(indent);
  std::size_t column = indent.size();
  bool first = true;
  while (!prose.empty()) {
    const auto space = prose.find_first_of(" \n");
    const std::string_view word = prose.substr(0, space);
    prose.remove_prefix(space == std::string_view::npos ? prose.size() : space + 1);
    if (word.empty()) continue;
    if (!first && column + 1 + word.size() > width) {
      out += '\n';
      out += indent;
      column = indent.size();
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  return out + "\n";
}

}  // namespace cutopsy
