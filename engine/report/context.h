// The lines of the log around what was found.
#pragma once

#include <cstddef>

#include "engine/report/json.h"

namespace cutopsy {

/// Reads the inputs of the incidents once more and gives each incident "context": `lines` lines before the place of its
/// fault, that line, and as many after it. What cannot be read again (standard input, pipes, members of archives) stays
/// without.
void add_context(Json& document, std::size_t lines);

/// The same for the rows of "groups" alone, where there are any: each gets the context of its sample.
void add_context_to_rows(Json& document, std::size_t lines);

}  // namespace cutopsy
