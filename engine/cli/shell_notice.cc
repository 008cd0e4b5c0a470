#include "engine/cli/shell_notice.h"

#include <fmt/format.h>

#include <cstring>

namespace cutopsy {

std::string shell_notice(int signal, pid_t pid, bool core_dumped, std::string_view command) {
  return fmt::format("run: line 1: {:5} {:23} {}{}\n", pid, strsignal(signal), core_dumped ? "(core dumped) " : "",
                     command);
}

}  // namespace cutopsy
