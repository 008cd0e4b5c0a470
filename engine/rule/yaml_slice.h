// The piece of a YAML text that one mapping was written as, so that it can be kept and read again alone.
#pragma once

#include <optional>
#include <string>

#include "engine/rule/yaml_tree.h"

namespace cutopsy {

/// The text of `mapping`, a node read from `text`. Spaces before it keep the columns, and read_yaml() on the slice
/// gives the same values with `mapping.line` as first line. Nothing when no such slice exists (unusual layout).
std::optional<std::string> slice_of(const std::string& text, const YamlNode& mapping);

/// The same without the entry of `key`; blank lines in its place keep the line numbers of what follows.
std::optional<std::string> slice_without(const std::string& text, const YamlNode& mapping, std::string_view key);

}  // namespace cutopsy
