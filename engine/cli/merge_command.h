// `cutopsy merge FILE...`: reduces reports that were made elsewhere to one.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// Exit status: as of diagnose, but --fail-on is "never" unless given; 2 also when a line was no incident (the others
/// are merged all the same).
int run_merge_command(const std::vector<std::string>& arguments);

}  // namespace cutopsy
