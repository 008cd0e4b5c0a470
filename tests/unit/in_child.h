// Runs code in a child process that meets a simulated machine: drivers crash, hang and know no second start.
#pragma once

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <string>

#include "tests/unit/temporary_folder.h"

namespace cutopsy::test {

/// What `body` writes to the returned text, or "signal N" when it ended the child. `scenario` is the text of a
/// scenario file; `environment` is added, an empty value removes. After ten seconds the child ends by signal 14.
inline std::string in_child(const std::string& scenario, const std::function<std::string()>& body,
                            const std::map<std::string, std::string>& environment = {}) {
  TemporaryFolder folder;
  const std::string file = folder.write("scenario.ini", scenario);
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    setenv("CUTOPSY_FAKE_GPU", file.c_str(), 1);
    for (const auto& [name, value] : environment) {
      if (value.empty()) {
        unsetenv(name.c_str());
      } else {
        setenv(name.c_str(), value.c_str(), 1);
      }
    }
    const std::string answer = body();
    const bool written = write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    answer.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : answer;
}

}  // namespace cutopsy::test
