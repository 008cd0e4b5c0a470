// What a line says around a status: the failing call, the place in the source, the library, the GPU, who printed it.
#pragma once

#include <cstddef>
#include <string_view>

#include "parsers/event.h"

namespace cutopsy {

/// Adds `api`, `file`, `line`, `library` and `gpu` as far as `text`, a whole line, names them; `at` is where its
/// first status is announced.
void add_status_details(std::string_view text, std::size_t at, Fields& fields);

/// The framework, library or tool that prints lines like `text`; "" when nothing shows it. Static storage.
std::string_view emitter_of_line(std::string_view text);

}  // namespace cutopsy
