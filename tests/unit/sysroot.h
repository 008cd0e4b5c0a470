// A copy of a machine's files in a folder, and checks asked about it.
#pragma once

#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "temporary_folder.h"
#include "validators/check.h"

namespace cutopsy {

class Sysroot {
 public:
  /// `path` as on the machine: "/etc/hosts".
  void write(const std::string& path, const std::string& bytes) const { folder_.write(path.substr(1), bytes); }
  void link(const std::string& path, const std::string& target) const {
    const std::string below = folder_.path(path.substr(1));
    std::filesystem::create_directories(std::filesystem::path(below).parent_path());
    std::filesystem::create_symlink(target, below);
  }
  std::string at(const std::string& path) const { return folder_.path(path.substr(1)); }
  Host host() const { return Host(folder_.path().string()); }

  /// A running job: its environment ("A=1", "B=2") and what it has mapped.
  void add_job(int pid, std::initializer_list<std::string> variables, const std::string& maps = "") const {
    std::string environment;
    for (const std::string& variable : variables) environment += variable + '\0';
    const std::string process = "/proc/" + std::to_string(pid);
    write(process + "/environ", environment);
    write(process + "/comm", "python\n");
    write(process + "/maps", maps);
  }

  Answer ask(std::string_view check, std::map<std::string, std::string, std::less<>> parameters,
             const Gpu& gpu = {}) const {
    const Host machine = host();
    const Parameters given(std::move(parameters));
    return find_check(check)->ask({.host = machine, .parameters = given, .gpu = gpu, .budget = std::chrono::seconds(5)});
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace cutopsy
