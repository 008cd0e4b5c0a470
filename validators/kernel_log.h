// What the kernel has logged since it booted.
//
// Of this machine from /dev/kmsg (https://docs.kernel.org/admin-guide/kernel-parameters.html,
// Documentation/ABI/testing/dev-kmsg), which needs CAP_SYSLOG where kernel.dmesg_restrict is set; else, and in a copy,
// from the first of /var/log/kern.log, messages, syslog and dmesg that can be read: there, what follows the last boot.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "validators/answer.h"
#include "validators/host.h"

namespace cutopsy {

struct KernelLog {
  std::string source;              ///< the file it comes from
  bool since_boot = false;         ///< nothing of this boot is missing: neither overwritten nor rotated away
  std::vector<std::string> lines;  ///< oldest first, printable, at most 512 bytes each: "[ 7421.118204] NVRM: Xid ..."
};

/// At most the last 64 MiB of a file or 1,000,000 records; never waits for more. No value when nothing can be read.
std::optional<KernelLog> read_kernel_log(const Host& host);

/// The same of a file that is known to hold nothing but the kernel's log.
std::optional<KernelLog> read_kernel_log_file(const std::string& path);

/// The kernel's messages from a moment on.
class KernelLogTail {
 public:
  /// Begins at the end of the log as it is. `device` is for tests.
  explicit KernelLogTail(const std::string& device = "/dev/kmsg");
  ~KernelLogTail();
  KernelLogTail(const KernelLogTail&) = delete;
  KernelLogTail& operator=(const KernelLogTail&) = delete;

  /// Whether it can be read at all.
  bool is_open() const { return device_ >= 0; }
  /// The lines since the last call, as KernelLog has them; never waits. At most 10,000.
  std::vector<std::string> new_lines();

 private:
  int device_ = -1;
};

/// What a check answers when there is none.
Answer without_kernel_log();

/// The lines of one kind that a check has found.
struct KernelLogHits {
  std::size_t count = 0;
  std::string first;
  std::string last;

  void add(const std::string& line);
  /// The answer with these as measurements.
  Answer measured(Answer answer) const;
};

}  // namespace cutopsy
