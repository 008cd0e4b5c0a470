#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

constexpr std::string_view kLibrary = "libcuda.so.";
constexpr int kMostLinks = 8;

constexpr std::array<std::string_view, 1> kBlockedBy = {"module-loaded"};

// Beside those that /etc/ld.so.conf.d names: Debian, Fedora, Arm, Arch, and what Kubernetes mounts.
constexpr std::array<std::string_view, 5> kFolders = {
    "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/local/nvidia/lib64"};

// Libraries for other programs than ours (32 bits) and those that are meant to differ from the module: the forward
// compatibility packages.
bool is_left_out(const std::string& folder) {
  static constexpr std::array<std::string_view, 4> kParts = {"/compat", "i386", "i686", "lib32"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return folder.find(part) != std::string::npos; });
}

std::vector<std::string> library_folders(const Host& host) {
  std::vector<std::string> folders(kFolders.begin(), kFolders.end());
  for (const std::string& name : host.list("/etc/ld.so.conf.d")) {
    std::istringstream lines(host.read("/etc/ld.so.conf.d/" + name).value_or(""));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('/') && !is_left_out(line)) folders.push_back(line);
    }
  }
  return folders;
}

// The version in the name of the file that libcuda.so.1 leads to: "550.54.14"; "" when it leads to none.
std::string version_in(const Host& host, const std::string& folder) {
  std::string path = folder + "/" + std::string(kLibrary) + "1";
  for (int links = 0; links < kMostLinks; ++links) {
    const auto target = host.link(path);
    if (!target) break;
    path = target->starts_with('/') ? *target : path.substr(0, path.rfind('/') + 1) + *target;
  }
  const std::size_t name = path.rfind('/') + 1;
  if (path.compare(name, kLibrary.size(), kLibrary) != 0) return "";
  const std::string version = path.substr(name + kLibrary.size());
  return version.find('.') == std::string::npos ? "" : version;
}

Answer ask(const Inquiry& inquiry) {
  if (in_wsl(inquiry.host)) return Answer::not_applicable("under WSL the kernel module is Windows' own");
  const auto module = nvidia_module(inquiry.host);
  if (!module && nvidia_gpus(inquiry.host).empty()) {
    return Answer::not_applicable("there is neither an NVIDIA GPU on the PCI bus nor its kernel module");
  }
  if (!module || module->version.empty()) return Answer::could_not_run("the kernel module's version cannot be seen");
  std::set<std::string> versions;
  for (const std::string& folder : library_folders(inquiry.host)) versions.insert(version_in(inquiry.host, folder));
  versions.erase("");
  if (versions.empty()) return Answer::could_not_run("no libcuda.so.1 with a version in the library folders");
  std::string found;
  for (const std::string& version : versions) found += (found.empty() ? "" : ", ") + version;
  const std::string seen = "the kernel module is " + module->version + ", libcuda " + found;
  Answer answer = Answer::no(seen);
  if (!versions.contains(module->version)) {
    answer = Answer::yes(seen,
                         "Load the module that is installed: reboot, or stop all users of the GPU and modprobe -r "
                         "nvidia_uvm nvidia_drm nvidia_modeset nvidia; start containers again.");
  } else if (versions.size() > 1) {
    answer = Answer::undecided(seen + ": which one a program loads depends on its library path",
                               "Remove the libraries of the other driver.");
  }
  return std::move(answer).with("module_version", module->version).with("library_versions", found);
}

}  // namespace

extern const Check kModuleVersion = {
    .name = "module-version",
    .question = "Do the kernel module and libcuda come from different drivers?",
    .decision =
        "yes when no libcuda.so.1 in the system's library folders leads to a file of the loaded module's version; "
        "unknown when several versions are there; nothing is loaded",
    .check_class = CheckClass::state,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
