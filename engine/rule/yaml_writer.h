// A YAML tree as text again.
#pragma once

#include <string>

#include "engine/rule/yaml_tree.h"

namespace cutopsy {

/// Block style, so that read_yaml() on the text gives the same values. Plain scalars stay plain: quotes would turn a
/// number into a text.
std::string write_yaml(const YamlNode& node);

}  // namespace cutopsy
