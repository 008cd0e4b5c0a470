#include "engine/report/placeholders.h"

#include <algorithm>
#include <cctype>

#include "engine/report/printable.h"

namespace cutopsy {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_' || c == '.'; });
}

constexpr std::string_view kFacts = "facts.";
constexpr std::size_t kMaxValueBytes = 200;

std::string placeholder_for(std::string_view name, Unfilled unfilled) {
  if (unfilled == Unfilled::question_mark) return "?";
  if (name.starts_with(kFacts)) name.remove_prefix(kFacts.size());
  return '<' + std::string(name) + '>';
}

}  // namespace

std::string fill_placeholders(std::string_view text, const Fields& fields, const Fields& facts, Unfilled unfilled) {
  std::string filled;
  while (!text.empty()) {
    auto open = text.find('{');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    auto close = text.find('}');
    std::string_view name = close == std::string_view::npos ? std::string_view{} : text.substr(1, close - 1);
    if (!is_name(name)) {
      filled += '{';
      text.remove_prefix(1);
      continue;
    }
    std::string_view value = name.starts_with(kFacts) ? facts.get(name.substr(kFacts.size())) : fields.get(name);
    filled += value.empty() ? placeholder_for(name, unfilled) : printable(value, kMaxValueBytes);
    text.remove_prefix(close + 1);
  }
  return filled;
}

}  // namespace cutopsy
