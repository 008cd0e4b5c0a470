#include "engine/cli/option_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/report/message.h"

namespace cutopsy {

bool is_one_of(const std::string& option, const std::string& value, const std::vector<std::string>& allowed) {
  if (std::ranges::find(allowed, value) != allowed.end()) return true;
  std::vector<std::string> named = allowed;
  std::erase(named, "");
  print_message("cutopsy: --{}: '{}' is not one of {}\n", option, value, fmt::format("{}", fmt::join(named, ", ")));
  return false;
}

}  // namespace cutopsy
