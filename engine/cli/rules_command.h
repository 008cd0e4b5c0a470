// `cutopsy rules list|show|lint|test`: the rules as their readers and authors see them.
#pragma once

#include <string>
#include <vector>

namespace cutopsy {

/// `arguments` follow the word "rules". Exit status: 0 all well, 1 lint or test found something, 2 usage error.
int run_rules_command(const std::vector<std::string>& arguments);

}  // namespace cutopsy
