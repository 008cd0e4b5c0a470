// The vocabulary of facts: every name that a parser may give, as rules, reports and `{facts.name}` use it.
#pragma once

#include <span>
#include <string_view>

namespace cutopsy {

struct FactName {
  std::string_view name;
  std::string_view meaning;  ///< one line
  bool uniform = false;      ///< hosts and ranks of a healthy job agree on it: two values are worth a look
};

std::span<const FactName> fact_names();
/// The entry of that name, or null.
const FactName* find_fact_name(std::string_view name);

}  // namespace cutopsy
