// Logs for the benchmarks: the same lines at every run.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

/// The kinds are those that logs.cc lists.
class GeneratedLog {
 public:
  explicit GeneratedLog(std::string_view kind) : kind_(kind) {}

  /// The next line, with its '\n'. Throws std::invalid_argument for a kind that there is not.
  std::string line();

 private:
  double metric();
  int pick(int below);
  std::string word();
  std::string clean_line();
  std::string ci_line();
  std::string kernel_line();
  std::string near_line();
  std::string assert_line();
  std::string candidate_line();
  const std::string& known_line();
  std::string mixed_line();
  std::string writers_line();
  std::string long_line();

  std::vector<std::string> known_;
  unsigned long fault_ = 0;    // of the lines that are not clean
  unsigned long written_ = 0;  // of the line so far, for long lines
  std::string kind_;
  std::mt19937 random_{20261130};
  unsigned long step_ = 0;
};

/// At least `bytes` of it, in whole lines.
std::string generated_text(std::string_view kind, std::size_t bytes);

}  // namespace cutopsy
