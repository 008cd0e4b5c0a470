// Runs the program as a shell would.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace cutopsy {

struct Outcome {
  int status = -1;  ///< exit status, -1 after a signal
  std::string out;
  std::string err;
};

/// `arguments` as they stand on a shell's command line.
inline Outcome run_cutopsy(const std::string& arguments, const std::string& input = "") {
  std::string pattern = (std::filesystem::temp_directory_path() / "cutopsy-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(pattern.data());
  const auto read = [&](const char* name) {
    std::ifstream file(folder / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::ofstream(folder / "in", std::ios::binary) << input;
  const std::string at = folder.string();
  const std::string command = CUTOPSY_BINARY " " + arguments + " <" + at + "/in >" + at + "/out 2>" + at + "/err";
  const int status = std::system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  std::filesystem::remove_all(folder);
  return outcome;
}

}  // namespace cutopsy
