// Patterns that only list texts: ^cudaErrorAssert$, ^(13|31)$, ^CUBLAS_STATUS_(ALLOC|ARCH)_FAILED$.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

inline constexpr std::size_t kMaxSpelledOut = 64;

/// The only texts that `pattern` matches, where it spells them out; empty for other patterns, and for those that
/// spell out more than kMaxSpelledOut.
std::vector<std::string> spelled_out(std::string_view pattern);

}  // namespace cutopsy
