// The one way in which the program speaks on standard error.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/report/printable.h"
#include "engine/report/runner_commands.h"

namespace cutopsy {

inline constexpr std::size_t kMaxMessagePart = 4096;  ///< bytes of one text in a message: the longest path

/// Texts made harmless, other values as they are.
template <typename Value>
decltype(auto) printable_part(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    return without_commands(printable(std::string_view(value), kMaxMessagePart), kInText);
  } else {
    return (value);
  }
}

/// What cannot be written is lost: no report fails for a closed standard error.
void write_message(std::string_view text);

/// Writes what fmt::format() makes of it. Names of files, texts of logs and of rules are untrusted: no argument brings
/// a control character or a line of its own to the terminal, or a command to a runner.
template <typename... Values>
void print_message(fmt::format_string<decltype(printable_part(std::declval<const Values&>()))...> form,
                   const Values&... values) {
  write_message(fmt::format(form, printable_part(values)...));
}

}  // namespace cutopsy
