// A copy of a machine's files in a folder, and checks asked about it.
#pragma once

#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tests/unit/temporary_folder.h"
#include "validators/check.h"
#include "validators/job.h"

namespace cutopsy {

class CopiedMachine {
 public:
  /// `path` as on the machine: "/etc/hosts".
  void write(const std::string& path, const std::string& bytes) const { folder_.write(path.substr(1), bytes); }
  void link(const std::string& path, const std::string& target) const {
    const std::string below = folder_.path(path.substr(1));
    std::filesystem::create_directories(std::filesystem::path(below).parent_path());
    std::filesystem::create_symlink(target, below);
  }
  std::string at(const std::string& path) const { return folder_.path(path.substr(1)); }
  const Host& host() const { return host_; }

  /// A running job: its environment ("A=1", "B=2") and what it has mapped.
  void add_job(int pid, std::initializer_list<std::string> variables, const std::string& maps = "") const {
    std::string environment;
    for (const std::string& variable : variables) environment += variable + '\0';
    const std::string process = "/proc/" + std::to_string(pid);
    write(process + "/environ", environment);
    write(process + "/comm", "python\n");
    write(process + "/maps", maps);
  }

  Job job(int pid) const {
    std::map<std::string, std::string, std::less<>> parameters{{"pid", std::to_string(pid)}};
    return Job::find(host_, Parameters(std::move(parameters)));
  }

  Answer ask(std::string_view check, std::map<std::string, std::string, std::less<>> parameters,
             const Gpu& gpu = {}) const {
    const Parameters given(std::move(parameters));
    return find_check(check)->ask({.host = host_, .parameters = given, .gpu = gpu, .budget = std::chrono::seconds(5)});
  }

 private:
  TemporaryFolder folder_;
  Host host_{folder_.path().string()};
};

}  // namespace cutopsy
