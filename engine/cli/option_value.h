// Values of options that are words of a list.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// False after a message on stderr when `value` is not among `allowed`; an "" there stands for an option not given.
bool is_one_of(const std::string& option, const std::string& value, const std::vector<std::string>& allowed);

}  // namespace cutopsy
