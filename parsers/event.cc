#include "parsers/event.h"

#include <algorithm>

namespace cutopsy {

void Fields::set(std::string_view name, std::string_view value) {
  if (value.empty()) return;
  value = value.substr(0, kMaxValueBytes);
  for (auto& [key, stored] : fields_) {
    if (key == name) {
      stored = value;
      return;
    }
  }
  if (fields_.empty()) fields_.reserve(kUsual);
  fields_.emplace_back(name, value);
}

void Fields::set_if_absent(std::string_view name, std::string_view value) {
  if (!has(name)) set(name, value);
}

std::string_view Fields::get(std::string_view name) const {
  auto found = std::find_if(fields_.begin(), fields_.end(), [&](const auto& field) { return field.first == name; });
  return found == fields_.end() ? std::string_view{} : std::string_view(found->second);
}

bool Fields::has(std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& field) { return field.first == name; });
}

}  // namespace cutopsy
