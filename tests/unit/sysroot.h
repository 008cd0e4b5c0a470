// The files of a machine for tests of checks: a small copy of /proc, /sys and /dev in a temporary folder.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tests/unit/temporary_folder.h"
#include "validators/check.h"

namespace cutopsy {

/// One file, or one symbolic link.
struct SysrootFile {
  std::string path;     ///< "/proc/meminfo"
  std::string content;  ///< its bytes, or where the link points
  bool is_link = false;
};

using SysrootFiles = std::vector<SysrootFile>;

inline SysrootFiles operator+(SysrootFiles left, const SysrootFiles& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

inline SysrootFiles file(std::string path, std::string content) {
  return {{std::move(path), std::move(content)}};
}

inline SysrootFiles link(std::string path, std::string target) {
  return {{std::move(path), std::move(target), true}};
}

/// A PCI device below a bridge of its own, as /sys lays it out. `driver` is "" for none.
inline SysrootFiles pci_function(const std::string& address, const std::string& vendor, const std::string& device,
                                 const std::string& class_code, const std::string& driver) {
  const std::string domain_bus = address.substr(0, 7);
  const std::string bridge = domain_bus.substr(0, 5) + "00:" + domain_bus.substr(5, 2) + ".0";
  const std::string folder = "/sys/devices/pci0000:00/" + bridge + "/" + address;
  SysrootFiles files =
      link("/sys/bus/pci/devices/" + address, "../../../devices/pci0000:00/" + bridge + "/" + address) +
      file(folder + "/vendor", vendor + "\n") + file(folder + "/device", device + "\n") +
      file(folder + "/class", class_code + "\n") +
      link("/sys/bus/pci/devices/" + bridge, "../../../devices/pci0000:00/" + bridge) +
      file("/sys/devices/pci0000:00/" + bridge + "/vendor", "0x8086\n") +
      file("/sys/devices/pci0000:00/" + bridge + "/class", "0x060400\n");
  if (!driver.empty()) files = files + link(folder + "/driver", "../../../../bus/pci/drivers/" + driver);
  return files;
}

/// An H100, or what else `device` says. Bus numbers up to 1f: the bridge above has the bus number as its device.
inline SysrootFiles gpu(const std::string& address, const std::string& driver = "nvidia",
                        const std::string& device = "0x2330") {
  return pci_function(address, "0x10de", device, "0x030200", driver);
}

inline SysrootFiles open_module(const std::string& version = "565.77") {
  return file("/proc/driver/nvidia/version",
              "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  " + version +
                  "  Release Build  (dvs-builder@U22-I3-B17-02-5)  Sun Feb  9 11:08:26 UTC 2025\n"
                  "GCC version:  gcc version 13.3.0 (GCC) \n");
}

inline SysrootFiles closed_module(const std::string& version = "550.54.14") {
  return file("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  " + version +
                                                 "  Thu Feb 22 01:44:30 UTC 2024\n"
                                                 "GCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)\n");
}

class Sysroot {
 public:
  explicit Sysroot(const SysrootFiles& files) : host_(folder_.path().string()) {
    for (const SysrootFile& entry : files) {
      const std::filesystem::path path = folder_.path().string() + entry.path;
      std::filesystem::create_directories(path.parent_path());
      if (!entry.is_link) {
        folder_.write(entry.path.substr(1), entry.content);
      } else if (!std::filesystem::is_symlink(path)) {
        std::filesystem::create_symlink(entry.content, path);
      }
    }
  }

  const Host& host() const { return host_; }
  Answer ask(const Check& check, std::map<std::string, std::string, std::less<>> parameters = {}) const {
    const Parameters given(std::move(parameters));
    const Gpu gpu;
    return check.ask({.host = host_, .parameters = given, .gpu = gpu, .budget = std::chrono::seconds(1)});
  }

 private:
  TemporaryFolder folder_;
  Host host_;
};

/// What a check must answer of a machine.
struct HostCase {
  std::string situation;
  std::string check;
  SysrootFiles files;
  std::map<std::string, std::string, std::less<>> parameters;
  Reply reply = Reply::unknown;
  Doubt doubt = Doubt::none;
  std::string detail;  ///< part of the answer's
};

inline void PrintTo(const HostCase& row, std::ostream* out) {
  *out << row.check << ": " << row.situation;
}

inline void expect_answer(const HostCase& row) {
  SCOPED_TRACE(row.check + ": " + row.situation);
  const Check* const check = find_check(row.check);
  ASSERT_NE(check, nullptr);
  const Answer answer = Sysroot(row.files).ask(*check, row.parameters);
  EXPECT_EQ(answer.reply, row.reply) << answer.detail;
  EXPECT_EQ(answer.doubt, row.doubt) << answer.detail;
  EXPECT_NE(answer.detail.find(row.detail), std::string::npos) << answer.detail;
}

}  // namespace cutopsy
