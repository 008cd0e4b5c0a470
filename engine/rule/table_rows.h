// Tables: one rule text and many rows, each of which makes a rule.
#pragma once

#include <span>
#include <string_view>

#include "engine/rule/yaml_tree.h"

namespace cutopsy {

/// The rule that `row` makes of `pattern`, a rule mapping without its `table:`.
/// A row's key overrides or adds the same key of the pattern; near misses (`not:` examples) of the pattern hold for
/// every row. Then {key} in any text becomes the row's value of that key; other braces stay.
YamlNode expand_row(const YamlNode& pattern, const YamlNode& row);

/// True when {key} stands in a text of `node`.
bool uses_placeholder(const YamlNode& node, std::string_view key);

}  // namespace cutopsy
