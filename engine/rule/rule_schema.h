// The JSON Schema of rule files, for editors.
#pragma once

#include <string_view>

namespace cutopsy {

/// The text of rules/schema.json, as it was when the rules were built in.
std::string_view rule_schema();

}  // namespace cutopsy
