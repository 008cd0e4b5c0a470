// The files of a machine: /proc, /sys, /dev, /etc, either of this machine or of a copy (--sysroot).
//
// Host only ever reads. In a copy, which may come from anywhere, a link is followed as the machine itself would: an
// absolute one from the copy's root, and none leads out of it. Thread-safe: it holds nothing but the root.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

class Host {
 public:
  /// `root` is "" for this machine, else a folder that holds a copy of proc/, sys/, dev/ and etc/.
  explicit Host(std::string root = "") : root_(std::move(root)) {}

  /// Whether the files are those of the machine that we run on. What only system calls tell (free space, limits,
  /// whether a device opens) is unknown of a copy.
  bool is_this_machine() const { return root_.empty(); }

  /// The file's text, at most 1 MiB; no value when it cannot be read (see exists()).
  std::optional<std::string> read(std::string_view path) const;
  /// The same without white space at its ends: the usual form of a value in /sys.
  std::optional<std::string> value(std::string_view path) const;
  /// A value in decimal or, with 0x in front, hexadecimal.
  std::optional<std::uint64_t> number(std::string_view path) const;
  bool exists(std::string_view path) const;
  /// The names in a folder, sorted, at most 10,000; empty when it cannot be listed.
  std::vector<std::string> list(std::string_view path) const;
  /// Where a link points, as written.
  std::optional<std::string> link(std::string_view path) const;
  /// The path below the root: for system calls. Links of a copy are not followed out of it by the functions above; one
  /// that leads out is "" here.
  std::string at(std::string_view path) const;

 private:
  int open(std::string_view path, int flags) const;

  std::string root_;
};

}  // namespace cutopsy
