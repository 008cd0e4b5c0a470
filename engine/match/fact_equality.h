// Whether two lines say the same of a job in other spellings.
#pragma once

#include <string_view>

namespace cutopsy {

/// Compares two values of the fact `name`. Blanks do not count; of versions the components are compared as numbers
/// ("525.125.6" is "525.125.06"), and the build behind '+' only when both have one.
bool say_the_same(std::string_view name, std::string_view a, std::string_view b);

}  // namespace cutopsy
