// A mistake in a rule file, with its place.
#pragma once

#include <string>

namespace cutopsy {

/// One mistake in a rule file. `line` and `column` count from 1, columns in bytes.
struct RuleProblem {
  std::string code;  ///< stable, e.g. "unknown-key", "bad-regex", "duplicate-id"
  std::string file;
  int line = 0;
  int column = 0;
  std::string message;  ///< what is wrong and what to write instead

  friend bool operator==(const RuleProblem&, const RuleProblem&) = default;
};

/// "file:line:column: message [code]".
std::string to_string(const RuleProblem& problem);

}  // namespace cutopsy
