// Where a job's dynamic loader finds a library, without loading it.
//
// The order is that of ld.so(8): the folders of LD_LIBRARY_PATH, then /etc/ld.so.cache, then the system's folders. What
// a program itself says (RPATH, RUNPATH) is not seen. The cache's layout: glibc, sysdeps/generic/dl-cache.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validators/host.h"
#include "validators/job.h"

namespace cutopsy {

struct FoundLibrary {
  std::string path;             ///< as the job sees it
  std::string file;             ///< the same with links followed: it ends in the version, if any link tells it
  bool from_variable = false;   ///< a folder of LD_LIBRARY_PATH holds it
  std::string version() const;  ///< "550.54.15" of "libcuda.so.550.54.15"; "" for "libcuda.so.1"
  bool is_below(std::string_view folder_name) const;  ///< whether a folder above either has that name
};

class LibrarySearch {
 public:
  LibrarySearch(const Host& host, const Job& job);

  /// The first library of that name; no value when none is found.
  std::optional<FoundLibrary> find(std::string_view soname) const;
  /// The same, LD_LIBRARY_PATH left aside.
  std::optional<FoundLibrary> find_installed(std::string_view soname) const;
  /// The library of that name in a folder, as the job sees both.
  std::optional<FoundLibrary> find_in(const std::string& folder, std::string_view soname) const;

  /// The absolute folders of LD_LIBRARY_PATH, in order.
  const std::vector<std::string>& variable_folders() const { return variable_folders_; }
  /// The library's path for system calls.
  std::string at(const FoundLibrary& library) const { return host_.at(root_ + library.file); }

 private:
  std::optional<FoundLibrary> follow(const std::string& path) const;

  const Host& host_;
  std::string root_;
  std::vector<std::string> variable_folders_;
  std::vector<std::pair<std::string, std::string>> cache_;  // name and path
};

/// Compares dotted numbers by their parts: negative when `a` is older. Parts that only one has count as 0.
int compare_versions(std::string_view a, std::string_view b);

}  // namespace cutopsy
