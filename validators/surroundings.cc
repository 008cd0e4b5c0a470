#include "validators/surroundings.h"

#include <cstddef>
#include <optional>
#include <string>

namespace cutopsy {

bool in_wsl(const Host& host) {
  // "5.15.167.4-microsoft-standard-WSL2"
  const auto release = host.value("/proc/sys/kernel/osrelease");
  return host.exists("/dev/dxg") || (release && release->find("microsoft") != std::string::npos);
}

bool in_virtual_machine(const Host& host) {
  const auto cpus = host.read("/proc/cpuinfo");
  if (!cpus) return false;
  const std::size_t flags = cpus->find("\nflags\t");
  if (flags == std::string::npos) return false;
  const std::string line = cpus->substr(flags + 1, cpus->find('\n', flags + 1) - flags - 1) + " ";
  return line.find(" hypervisor ") != std::string::npos;
}

}  // namespace cutopsy
