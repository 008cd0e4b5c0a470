// `cutopsy check`: asks this machine and its GPUs, no log needed.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// Runs the checks that `arguments` name, or all of the level; returns the exit status.
int run_check_command(const std::vector<std::string>& arguments);

}  // namespace cutopsy
