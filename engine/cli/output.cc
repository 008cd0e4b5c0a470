#include "engine/cli/output.h"

#include <fmt/format.h>

#include <cstdio>

namespace cutopsy {

int print_result(const std::string& text, int status) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return status;
  fmt::print(stderr,
             "cutopsy: the result could not be written to standard output; is the disk full or the pipe closed?\n");
  return 2;
}

}  // namespace cutopsy
