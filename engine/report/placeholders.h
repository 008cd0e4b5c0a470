// Fills the {field} and {facts.name} placeholders of a rule's texts.
#pragma once

#include <string>
#include <string_view>

#include "parsers/event.h"

namespace cutopsy {

/// What stands for a value that is not known: "?", or its name in angle brackets where no log was read.
enum class Unfilled { question_mark, name };

/// `{name}` becomes the field of that name, `{facts.name}` the fact; other braces are left alone. Values are made
/// printable. Placeholders that touch ("{symbol}{library}") are alternatives: the first that is known is told.
std::string fill_placeholders(std::string_view text, const Fields& fields, const Fields& facts,
                              Unfilled unfilled = Unfilled::question_mark);

}  // namespace cutopsy
