// The one way in which commands write their result.
#pragma once

#include <string>

namespace cutopsy {

/// Writes `text` to standard output and returns `status`; 2 after a message on stderr when it cannot be written. When
/// nobody reads on, says nothing and returns what a shell would for SIGPIPE.
int print_result(const std::string& text, int status);

/// The same for a text without colours of ours: control characters, which a rule file may hold, are made harmless.
int print_plain_result(const std::string& text, int status);

}  // namespace cutopsy
