#include "engine/rule/problem.h"

#include <fmt/format.h>

namespace cutopsy {

std::string to_string(const RuleProblem& problem) {
  return fmt::format("{}:{}:{}: {} [{}]", problem.file, problem.line, problem.column, problem.message, problem.code);
}

}  // namespace cutopsy
