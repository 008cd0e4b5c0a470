// `cutopsy run -- CMD`: runs a program, lets its output through, and diagnoses it when it fails.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// Returns the program's exit status: 128 + n after signal n, 126 when it cannot be executed, 127 when it is not
/// found; 2 for a usage error.
int run_run_command(const std::vector<std::string>& arguments);

}  // namespace cutopsy
