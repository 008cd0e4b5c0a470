#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/unit/sysroot.h"

namespace cutopsy {
namespace {

const std::string kH100 = "0000:1a:00.0";
const std::string kOther = "0000:1b:00.0";

const SysrootFiles kRelease = file("/proc/sys/kernel/osrelease", "6.8.0-60-generic\n");
const SysrootFiles kWsl = file("/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n");

SysrootFiles installed(const std::string& modules) {
  return kRelease + file("/lib/modules/6.8.0-60-generic/modules.dep", modules);
}

SysrootFiles secure_boot(char on) {
  return file("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
              std::string("\x06\0\0\0", 4) + on);
}

SysrootFiles libcuda(const std::string& folder, const std::string& version) {
  return file(folder + "/libcuda.so." + version, "ELF") + link(folder + "/libcuda.so.1", "libcuda.so." + version);
}

SysrootFiles nodes(const std::string& names) {
  SysrootFiles files;
  std::istringstream words(names);
  for (std::string name; words >> name;) files = files + file("/dev/" + name, "");
  return files;
}

// What only a process in the machine's first namespace is shown.
const SysrootFiles kAllProcesses = link("/proc/self/ns/pid", "pid:[4026531836]") + file("/proc/1/comm", "systemd\n");
const SysrootFiles kContainer = link("/proc/self/ns/pid", "pid:[4026532610]") + file("/proc/1/comm", "bash\n");
const SysrootFiles kNvSwitch = pci_function("0000:05:00.0", "0x10de", "0x22a3", "0x068000", "nvidia-nvswitch");
const SysrootFiles kPersistenceEnabled = link("/etc/systemd/system/multi-user.target.wants/nvidia-persistenced.service",
                                              "/usr/lib/systemd/system/nvidia-persistenced.service");

class DriverChecks : public testing::TestWithParam<HostCase> {};

TEST_P(DriverChecks, Answer) {
  expect_answer(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    ModuleLoaded, DriverChecks,
    testing::Values(HostCase{"not installed for this kernel",
                             "module-loaded",
                             gpu(kH100, "") + installed("kernel/drivers/gpu/drm/nouveau/nouveau.ko.zst:\n"),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "not installed for the running kernel"},
                    HostCase{"installed, not loaded",
                             "module-loaded",
                             gpu(kH100, "") + installed("updates/dkms/nvidia.ko.zst:\n"),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "although it is installed"},
                    HostCase{"a container sees no modules",
                             "module-loaded",
                             gpu(kH100, "") + kRelease,
                             {},
                             Reply::yes,
                             Doubt::none,
                             "not loaded"},
                    HostCase{"loaded, but refused the only GPU",
                             "module-loaded",
                             gpu(kH100, "") + open_module(),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "taken no GPU"},
                    HostCase{"loaded, one GPU left out",
                             "module-loaded",
                             gpu(kH100) + gpu(kOther, "") + open_module(),
                             {},
                             Reply::unknown,
                             Doubt::undecided,
                             kOther},
                    HostCase{
                        "loaded", "module-loaded", gpu(kH100) + open_module(), {}, Reply::no, Doubt::none, "565.77"},
                    HostCase{"no GPU", "module-loaded", kRelease, {}, Reply::unknown, Doubt::not_applicable, ""},
                    HostCase{"WSL", "module-loaded", kWsl, {}, Reply::unknown, Doubt::not_applicable, "WSL"}));

INSTANTIATE_TEST_SUITE_P(
    ModuleFlavour, DriverChecks,
    testing::Values(HostCase{"open on Volta",
                             "module-flavour",
                             gpu(kH100, "nvidia", "0x1db6") + open_module(),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "open kernel module does not serve"},
                    HostCase{"closed on Blackwell",
                             "module-flavour",
                             gpu(kH100, "nvidia", "0x2901") + closed_module(),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "closed kernel module does not serve"},
                    HostCase{"open on Turing, the first to have it",
                             "module-flavour",
                             gpu(kH100, "nvidia", "0x1eb8") + open_module(),
                             {},
                             Reply::no,
                             Doubt::none,
                             ""},
                    HostCase{"closed on Ada, the last to have it",
                             "module-flavour",
                             gpu(kH100, "nvidia", "0x28b8") + closed_module(),
                             {},
                             Reply::no,
                             Doubt::none,
                             ""},
                    HostCase{"the banner is hidden",
                             "module-flavour",
                             gpu(kH100) + file("/sys/module/nvidia/version", "565.77\n"),
                             {},
                             Reply::unknown,
                             Doubt::could_not_run,
                             ""},
                    HostCase{"no GPU", "module-flavour", {}, {}, Reply::unknown, Doubt::not_applicable, ""}));

INSTANTIATE_TEST_SUITE_P(
    ModuleConflict, DriverChecks,
    testing::Values(
        HostCase{"nouveau", "module-conflict", gpu(kH100, "nouveau"), {}, Reply::yes, Doubt::none, "nouveau"},
        HostCase{"nova", "module-conflict", gpu(kH100, "nova_core"), {}, Reply::yes, Doubt::none, "nova_core"},
        HostCase{"one set aside for a virtual machine",
                 "module-conflict",
                 gpu(kH100) + gpu(kOther, "vfio-pci"),
                 {},
                 Reply::yes,
                 Doubt::none,
                 kOther},
        HostCase{"all NVIDIA's", "module-conflict", gpu(kH100) + gpu(kOther), {}, Reply::no, Doubt::none, ""},
        HostCase{"nobody's", "module-conflict", gpu(kH100, ""), {}, Reply::unknown, Doubt::undecided, ""},
        HostCase{"no GPU", "module-conflict", {}, {}, Reply::unknown, Doubt::not_applicable, ""}));

INSTANTIATE_TEST_SUITE_P(
    SecureBoot, DriverChecks,
    testing::Values(
        HostCase{"on, no module", "secure-boot", gpu(kH100, "") + secure_boot(1), {}, Reply::yes, Doubt::none, ""},
        HostCase{"off", "secure-boot", gpu(kH100, "") + secure_boot(0), {}, Reply::no, Doubt::none, "off"},
        HostCase{"on, the module is signed",
                 "secure-boot",
                 gpu(kH100) + open_module() + secure_boot(1),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{"booted by a BIOS",
                 "secure-boot",
                 gpu(kH100, "") + file("/sys/firmware/acpi/pm_profile", "4\n"),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{
            "hidden by a container", "secure-boot", gpu(kH100, ""), {}, Reply::unknown, Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    ModuleVersion, DriverChecks,
    testing::Values(
        HostCase{"upgraded without a reboot",
                 "module-version",
                 closed_module() + libcuda("/usr/lib/x86_64-linux-gnu", "565.77"),
                 {},
                 Reply::yes,
                 Doubt::none,
                 "module is 550.54.14, libcuda 565.77"},
        HostCase{"of one driver",
                 "module-version",
                 open_module() + libcuda("/usr/lib64", "565.77"),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{"by Debian's alternatives",
                 "module-version",
                 open_module() + libcuda("/usr/lib/x86_64-linux-gnu/nvidia/current", "565.77") +
                     link("/etc/alternatives/glx--libcuda", "/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.1") +
                     link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/etc/alternatives/glx--libcuda"),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{"in a folder of the linker's, for 32 bits too",
                 "module-version",
                 open_module() + file("/etc/ld.so.conf.d/nvidia.conf", "/opt/nvidia/lib\n/usr/lib/i386-linux-gnu\n") +
                     libcuda("/opt/nvidia/lib", "565.77") + libcuda("/usr/lib/i386-linux-gnu", "470.1"),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{"two drivers' libraries",
                 "module-version",
                 open_module() + libcuda("/usr/lib64", "565.77") + libcuda("/usr/lib", "550.54.14"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 "550.54.14, 565.77"},
        HostCase{"no library", "module-version", open_module(), {}, Reply::unknown, Doubt::could_not_run, "no libcuda"},
        HostCase{
            "no GPU", "module-version", libcuda("/usr/lib64", "565.77"), {}, Reply::unknown, Doubt::not_applicable, ""},
        HostCase{"a link to itself",
                 "module-version",
                 open_module() + link("/usr/lib/libcuda.so.1", "libcuda.so.1"),
                 {},
                 Reply::unknown,
                 Doubt::could_not_run,
                 ""},
        HostCase{"no module",
                 "module-version",
                 gpu(kH100, "") + libcuda("/usr/lib64", "565.77"),
                 {},
                 Reply::unknown,
                 Doubt::could_not_run,
                 ""}));

INSTANTIATE_TEST_SUITE_P(
    DeviceNodes, DriverChecks,
    testing::Values(HostCase{"a container without GPUs",
                             "device-nodes",
                             gpu(kH100) + open_module() + nodes("null"),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "/dev/nvidia0 /dev/nvidiactl /dev/nvidia-uvm"},
                    HostCase{"only nvidia-uvm is missing",
                             "device-nodes",
                             gpu(kH100) + open_module() + nodes("nvidiactl nvidia3"),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "missing: /dev/nvidia-uvm"},
                    HostCase{"one of two GPUs given",
                             "device-nodes",
                             gpu(kH100) + gpu(kOther) + open_module() + nodes("nvidiactl nvidia-uvm nvidia1"),
                             {},
                             Reply::no,
                             Doubt::none,
                             "GPU nodes: 1"},
                    HostCase{"nvidia-modprobe makes them",
                             "device-nodes",
                             gpu(kH100) + open_module() + nodes("null") + file("/usr/bin/nvidia-modprobe", ""),
                             {},
                             Reply::unknown,
                             Doubt::undecided,
                             "at first use"},
                    HostCase{"WSL", "device-nodes", kWsl + nodes("dxg"), {}, Reply::no, Doubt::none, "/dev/dxg"},
                    HostCase{
                        "WSL without a GPU", "device-nodes", kWsl, {}, Reply::unknown, Doubt::undecided, "/dev/dxg"},
                    HostCase{"no GPU", "device-nodes", nodes("null"), {}, Reply::unknown, Doubt::not_applicable, ""}));

INSTANTIATE_TEST_SUITE_P(
    FabricManager, DriverChecks,
    testing::Values(
        HostCase{"not running",
                 "fabric-manager",
                 kNvSwitch + kAllProcesses,
                 {},
                 Reply::yes,
                 Doubt::none,
                 "NVSwitches are on"},
        HostCase{"running",
                 "fabric-manager",
                 kNvSwitch + kAllProcesses + file("/proc/2301/comm", "nv-fabricmanage\n"),
                 {},
                 Reply::no,
                 Doubt::none,
                 "2301"},
        HostCase{
            "in a container", "fabric-manager", kNvSwitch + kContainer, {}, Reply::unknown, Doubt::could_not_run, ""},
        HostCase{"no NVSwitch",
                 "fabric-manager",
                 gpu(kH100) + kAllProcesses,
                 {},
                 Reply::unknown,
                 Doubt::not_applicable,
                 ""}));

INSTANTIATE_TEST_SUITE_P(
    PersistenceDaemon, DriverChecks,
    testing::Values(
        HostCase{"enabled but dead",
                 "persistence-daemon",
                 open_module() + kAllProcesses + kPersistenceEnabled,
                 {},
                 Reply::yes,
                 Doubt::none,
                 ""},
        HostCase{"running",
                 "persistence-daemon",
                 open_module() + kContainer + file("/proc/812/comm", "nvidia-persiste\n"),
                 {},
                 Reply::no,
                 Doubt::none,
                 "812"},
        HostCase{"never enabled",
                 "persistence-daemon",
                 open_module() + kAllProcesses,
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 ""},
        HostCase{"in a container",
                 "persistence-daemon",
                 open_module() + kContainer + kPersistenceEnabled,
                 {},
                 Reply::unknown,
                 Doubt::could_not_run,
                 ""},
        HostCase{"no driver", "persistence-daemon", kAllProcesses, {}, Reply::unknown, Doubt::not_applicable, ""}));

}  // namespace
}  // namespace cutopsy
