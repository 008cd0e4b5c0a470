// Runs the program as a shell would.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {

struct Outcome {
  int status = -1;  ///< exit status, -1 after a signal
  std::string out;
  std::string err;
};

/// The exit status of a shell's command line, -1 after a signal.
inline int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// `arguments` as they stand on a shell's command line. `before` may pipe something into the program: "generate | ";
/// else it reads `input`.
inline Outcome run_cutopsy(const std::string& arguments, const std::string& input = "",
                           const std::string& before = "") {
  const TemporaryFolder folder;
  const std::string in = before.empty() ? " <" + folder.write("in", input) : "";
  const int status =
      shell(before + CUTOPSY_BINARY " " + arguments + in + " >" + folder.path("out") + " 2>" + folder.path("err"));
  return {status, folder.read("out"), folder.read("err")};
}

}  // namespace cutopsy
