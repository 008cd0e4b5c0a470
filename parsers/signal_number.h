// Numbers of the signals that end a process, by the names that launchers, shells and kernels print.
#pragma once

#include <string_view>

#include "parsers/event.h"

namespace cutopsy {

/// The number of "SIGKILL" or "Killed" as on Linux (signal(7), strsignal(3)); `name` itself when it is no such name.
std::string_view signal_number(std::string_view name);

/// The signal behind an exit code: -9 (Python) or 137 (128 + 9, shells and containers); 0 when it tells none.
int signal_of_exit_code(std::string_view exitcode);

/// Makes the field `signal` a number, or tells it from `exitcode`.
void number_signal(Fields& fields);

}  // namespace cutopsy
