// `cutopsy [diagnose] [FILE...]`: the main job.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// Exit status: 0 when nothing at or above --fail-on was found, 1 when something was, 2 for usage or input errors
/// (the readable inputs are reported all the same).
int run_diagnose_command(const std::vector<std::string>& arguments);

/// The options, for --help.
std::string diagnose_help();

}  // namespace cutopsy
