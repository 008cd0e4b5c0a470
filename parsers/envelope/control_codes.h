// Bytes that were meant for a terminal, and the spellings in which log shippers escape them.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// True when clean_text() would change `text`, which has no spaces at its end.
bool has_control_codes(std::string_view text);

/// `text` without terminal sequences (ECMA-48: colours, cursor movement, titles), control characters and byte order
/// marks. '\n' in the result separates lines: it stands for runs of '\r' and '\n' and for rsyslog's "#012", "#015".
/// Tabs stay.
void clean_text(std::string_view text, std::string& out);

}  // namespace cutopsy
