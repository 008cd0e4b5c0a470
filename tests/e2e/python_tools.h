// The Python environment of the tests (tests/python), made when a test first asks for it.
#pragma once

#include <optional>
#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {

/// Its folder, with bin/python; nothing where pip is not there, or reaches no package index.
inline std::optional<std::string> python_tools() {
  static const std::string folder = CUTOPSY_TEST_DATA "/../build/python";
  static const bool is_there = shell(CUTOPSY_TEST_DATA "/python/setup.sh " + folder + " >&2") == 0;
  return is_there ? std::optional(folder) : std::nullopt;
}

}  // namespace cutopsy
