#include "tests/fake_gpu/cuda/fault_report.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>

namespace cutopsy::fake {

namespace {

// https://docs.nvidia.com/deploy/xid-errors/: 13 and 43 name what a program did, 31 an access without a mapping.
const std::map<int, int> kXids = {
    {status::illegal_address, 31}, {status::failed_assertion, 43}, {status::misaligned_address, 13}};

void log_xid(const Device& device, int status) {
  const auto xid = kXids.find(status);
  const std::string log = device.section().text("kernel_log");
  const std::string number = device.section().text("xid", xid == kXids.end() ? "" : std::to_string(xid->second));
  if (log.empty() || number.empty()) return;
  const Identity& it = device.identity();
  char address[32];
  std::snprintf(address, sizeof address, "PCI:%04x:%02x:%02x", it.pci_domain, it.pci_bus, it.pci_device);
  std::ofstream(log, std::ios::app) << "[    9.000000] NVRM: Xid (" << address << "): " << number
                                    << ", pid=" << getpid() << ", name=program, Ch 00000008\n";
}

}  // namespace

int reported(const Device& device, int status) {
  log_xid(device, status);
  return static_cast<int>(device.section().number("report." + std::to_string(status), status));
}

Scar::Scar(const Device& device) : file_(device.section().text("scar")) {
  leave(status::launch_timeout);
}

void Scar::leave(int status) const {
  if (!file_.empty()) std::ofstream(file_) << status;
}

int Scar::of(const Device& device) {
  int status = 0;
  std::ifstream(device.section().text("scar")) >> status;
  return status;
}

}  // namespace cutopsy::fake
