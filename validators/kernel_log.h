// What the kernel has logged since it booted.
//
// Of this machine from /dev/kmsg (https://docs.kernel.org/admin-guide/kernel-parameters.html,
// Documentation/ABI/testing/dev-kmsg), which needs CAP_SYSLOG where kernel.dmesg_restrict is set; else, and in a copy,
// from the first of /var/log/kern.log, messages, syslog and dmesg that can be read: there, what follows the last boot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validators/host.h"

namespace cutopsy {

struct KernelLog {
  std::string source;              ///< the file it comes from
  bool since_boot = false;         ///< nothing of this boot is missing: neither overwritten nor rotated away
  std::vector<std::string> lines;  ///< oldest first, printable, at most 512 bytes each: "[ 7421.118204] NVRM: Xid ..."
};

/// At most the last 64 MiB of a file or 1,000,000 records; never waits for more. No value when nothing can be read.
std::optional<KernelLog> read_kernel_log(const Host& host);

/// The advice for the case that it cannot.
inline constexpr const char* kKernelLogRights = "Run as root, or in a container with --cap-add SYSLOG and /dev/kmsg.";

}  // namespace cutopsy
