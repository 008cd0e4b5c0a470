// The job that a check asks about: its environment, its files and what it has loaded. Everything is read from /proc;
// nothing of it is run.
//
// The job is the process that the parameter `pid` names, else ourselves, whose environment is what a job started from
// here would get. A copy of a machine (Host) has no job unless `pid` names one. A parameter with a variable's name in
// lower case (`cuda_visible_devices`) stands for that variable: what the log tells beats what is found here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/check.h"

namespace cutopsy {

inline constexpr Parameter kPidParameter = {"pid", "process id of the job; without it, the environment that we run in"};

/// A file that a process has mapped.
struct MappedFile {
  std::string path;   ///< as the process sees it
  std::string inode;  ///< "08:01 1234": the same for two paths to one file
};

class Job {
 public:
  static Job find(const Host& host, const Parameters& parameters);

  /// Whether variable() can tell: it is a parameter, or the environment could be read.
  bool knows(std::string_view variable) const { return environment_ || told(variable); }
  std::optional<std::string> variable(std::string_view name) const;
  /// What a check answers when variable() cannot tell.
  Answer unknown_environment() const;

  /// "process 4242" or "this environment".
  const std::string& name() const { return name_; }
  /// Its folder in /proc; "" when there is none.
  const std::string& folder() const { return folder_; }
  /// Where Host finds its files: "/proc/4242/root" or "", so that root() + "/usr/lib" is its /usr/lib.
  const std::string& root() const { return root_; }
  /// Whether `pid` names it.
  bool is_named() const { return named_; }

  /// The files that it has mapped, each once. No value when that cannot be read, or not as a whole.
  std::optional<std::vector<MappedFile>> mapped_files(const Host& host) const;

 private:
  std::optional<std::string> told(std::string_view variable) const;

  Parameters parameters_;
  std::optional<std::map<std::string, std::string, std::less<>>> environment_;
  std::string name_;
  std::string folder_;
  std::string root_;
  bool named_ = false;
};

}  // namespace cutopsy
