// A YAML tree as text again.
#pragma once

#include <string>

#include "engine/rule/yaml_tree.h"

namespace cutopsy {

/// One line, so that all of it has one place; read_yaml() on it gives the same values. Only numbers and Booleans stand
/// without quotes.
std::string write_yaml(const YamlNode& node);

}  // namespace cutopsy
