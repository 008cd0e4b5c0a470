#include "engine/cli/output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "engine/report/message.h"
#include "engine/report/runner_commands.h"

namespace cutopsy {

int print_result(const std::string& text, int status) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return status;
  constexpr int kBrokenPipe = 128 + SIGPIPE;  // as a shell tells of a program that the signal ended
  if (errno == EPIPE) return kBrokenPipe;     // `| head` has seen enough: nothing went wrong
  write_message("cutopsy: the result could not be written to standard output; is the disk full?\n");
  return 2;
}

int print_plain_result(const std::string& text, int status) {
  return print_result(without_commands(printable_lines(text, std::string::npos), kInText), status);
}

}  // namespace cutopsy
