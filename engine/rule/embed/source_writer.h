// Writes a rule set as a C++ source file: constant-initialised arrays, so that a program starts with its rules read.
#pragma once

#include <string>

#include "engine/rule/rule_set.h"

namespace cutopsy {

/// The text of a source file that defines RuleSet::built_in() as `rules`.
std::string as_cpp_source(const RuleSet& rules, std::string_view schema);

}  // namespace cutopsy
