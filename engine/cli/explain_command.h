// `cutopsy explain`: what a code, a name or a message means and what to do, without a log.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// Returns the exit status: 0 known, 1 nothing known of it, 2 usage error.
int run_explain_command(const std::vector<std::string>& arguments);

}  // namespace cutopsy
