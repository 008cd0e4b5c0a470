// The name of a function in a C++ signature.
#pragma once

#include <string_view>

namespace cutopsy {

/// "void f(float *, int) [with T = float]" → "f"; a bare name, "operator()" and lambdas stay as they are.
std::string_view kernel_name(std::string_view signature);

}  // namespace cutopsy
