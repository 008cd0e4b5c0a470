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

// The name in the placeholder that `text` begins with, "" when it begins with none.
std::string_view leading_name(std::string_view text) {
  if (!text.starts_with('{')) return {};
  const auto close = text.find('}');
  const std::string_view name = close == std::string_view::npos ? std::string_view{} : text.substr(1, close - 1);
  return is_name(name) ? name : std::string_view{};
}

}  // namespace

std::string fill_placeholders(std::string_view text, const Fields& fields, const Fields& facts, Unfilled unfilled) {
  std::string filled;
  while (!text.empty()) {
    const auto open = text.find('{');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    if (leading_name(text).empty()) {
      filled += '{';
      text.remove_prefix(1);
    }
    std::string known;
    std::string unknown;
    for (auto name = leading_name(text); !name.empty(); name = leading_name(text)) {
      const std::string_view value =
          name.starts_with(kFacts) ? facts.get(name.substr(kFacts.size())) : fields.get(name);
      if (!value.empty()) {
        if (known.empty()) known = printable(value, kMaxValueBytes);
      } else if (unknown.empty() || unfilled == Unfilled::name) {
        unknown += placeholder_for(name, unfilled);
      }
      text.remove_prefix(name.size() + 2);
    }
    filled += known.empty() ? unknown : known;
  }
  return filled;
}

}  // namespace cutopsy
