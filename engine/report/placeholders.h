// Fills the {field} and {facts.name} placeholders of a rule's texts.
#pragma once

#include <string>
#include <string_view>

#include "parsers/event.h"

namespace cutopsy {

/// `{name}` becomes the field of that name, `{facts.name}` the fact. What the log did not tell becomes "?" in running
/// text; other braces are left alone. Values are made printable.
std::string fill_placeholders(std::string_view text, const Fields& fields, const Fields& facts);

}  // namespace cutopsy
