// How often a piece of text stands in the logs of GPU jobs: the rarer, the better it is as a trigger.
//
// The table is made by engine/scan/make_ordinary_tokens.py from the logs in tests/corpus.
#pragma once

#include <string_view>

namespace cutopsy {

/// Estimated occurrences of `literal` per 1,000 lines of such logs: that of its rarest word part, less
/// when it spans several.
double ordinary_frequency(std::string_view literal);

}  // namespace cutopsy
