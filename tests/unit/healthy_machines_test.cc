// Machines on which nothing is wrong: no check of the machine's files may answer yes.
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>

#include "tests/unit/sysroot.h"

namespace cutopsy {
namespace {

struct Machine {
  std::string name;
  SysrootFiles files;
};

void PrintTo(const Machine& machine, std::ostream* out) {
  *out << machine.name;
}

const SysrootFiles kProcess =
    file("/proc/4242/cgroup", "0::/user.slice/user-1000.slice/session-1.scope\n") +
    file("/proc/4242/limits", "Max locked memory         8388608              8388608              bytes     \n") +
    file("/proc/4242/status", "Name:\tpython3\nCapEff:\t0000000000000000\nCpus_allowed_list:\t0-127\n") +
    file("/proc/4242/uid_map", "         0          0 4294967295\n");

const SysrootFiles kMemory =
    file("/proc/meminfo",
         "MemTotal: 527000000 kB\nMemAvailable: 480000000 kB\nSwapFree: 0 kB\nCommitLimit: 263000000 kB\n"
         "Committed_AS: 300000000 kB\n") +
    file("/proc/sys/vm/overcommit_memory", "0\n");

const SysrootFiles kOwnGroup =
    file("/sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope/memory.max", "max\n") +
    file("/sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope/memory.current", "4000000000\n") +
    file("/sys/fs/cgroup/user.slice/user-1000.slice/session-1.scope/memory.events", "oom 0\noom_kill 0\n");

const SysrootFiles kLog = file("/var/log/kern.log",
                               "Jan  1 node kernel: [    0.000000] Linux version 6.8.0-60-generic\n"
                               "Jan  1 node kernel: [   12.1] nvidia: loading out-of-tree module\n");

const SysrootFiles kFirstNamespace = link("/proc/self/ns/pid", "pid:[4026531836]") + file("/proc/1/comm", "systemd\n");

const SysrootFiles kNetwork =
    file("/sys/class/net/lo/operstate", "unknown\n") + file("/sys/class/net/eno1/operstate", "up\n") +
    file("/sys/class/net/eno2/operstate", "down\n") + file("/sys/class/net/docker0/operstate", "down\n");

const SysrootFiles kOrdinary = kProcess + kMemory + kOwnGroup + kLog + kFirstNamespace + kNetwork +
                               file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme\n") +
                               file("/proc/sys/kernel/osrelease", "6.8.0-60-generic\n") +
                               file("/sys/firmware/efi/fw_platform_size", "64\n");

// All that its driver and its link say about a GPU that idles.
SysrootFiles working_gpu(const std::string& address, const std::string& node, const std::string& cpus) {
  const std::string folder = "/sys/bus/pci/devices/" + address;
  return gpu(address) + file(folder + "/config", "\xde\x10\x30\x23" + std::string(60, '\0')) +
         file(folder + "/current_link_width", "16\n") + file(folder + "/max_link_width", "16\n") +
         file(folder + "/current_link_speed", "2.5 GT/s PCIe\n") + file(folder + "/numa_node", node + "\n") +
         file(folder + "/local_cpulist", cpus + "\n") + file(folder + "/aer_dev_fatal", "TOTAL_ERR_FATAL 0\n") +
         file(folder + "/aer_dev_nonfatal", "UnsupReq 1\nTOTAL_ERR_NONFATAL 1\n") +
         file(folder + "/aer_dev_correctable", "RxErr 3\nTOTAL_ERR_COR 3\n");
}

const SysrootFiles kDriver = open_module() + file("/usr/lib/x86_64-linux-gnu/libcuda.so.565.77", "ELF") +
                             link("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "libcuda.so.565.77") +
                             file("/dev/nvidiactl", "") + file("/dev/nvidia-uvm", "") + file("/dev/nvidia0", "");

SysrootFiles eight_gpus() {
  SysrootFiles files = kOrdinary + kDriver + file("/proc/2301/comm", "nv-fabricmanage\n") +
                       file("/proc/812/comm", "nvidia-persiste\n") +
                       pci_function("0000:05:00.0", "0x10de", "0x22a3", "0x068000", "nvidia-nvswitch");
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    files = files + working_gpu("0000:1" + number + ":00.0", i < 4 ? "0" : "1", i < 4 ? "0-63" : "64-127") +
            file("/dev/nvidia" + number, "") +
            file("/sys/class/infiniband/mlx5_" + number + "/ports/1/state", "4: ACTIVE\n") +
            file("/sys/class/infiniband/mlx5_" + number + "/ports/1/phys_state", "5: LinkUp\n") +
            file("/sys/class/infiniband/mlx5_" + number + "/ports/1/link_layer", "InfiniBand\n");
  }
  return files;
}

const SysrootFiles kContainer =
    kProcess + kMemory + file("/proc/4242/cgroup", "0::/\n") + file("/sys/fs/cgroup/memory.max", "max\n") +
    file("/sys/fs/cgroup/memory.current", "12000000\n") + file("/sys/fs/cgroup/memory.events", "oom_kill 0\n") +
    link("/proc/self/ns/pid", "pid:[4026532610]") + file("/proc/1/comm", "bash\n") +
    file("/sys/class/net/lo/operstate", "unknown\n") + file("/sys/class/net/eth0/operstate", "up\n");

class HealthyMachines : public testing::TestWithParam<Machine> {};

TEST_P(HealthyMachines, RaiseNoYes) {
  const Sysroot machine(GetParam().files);
  for (const Check* check : all_checks()) {
    if (check->need != Need::nothing) continue;
    const Answer answer = machine.ask(*check, {{"pid", "4242"}});
    EXPECT_NE(answer.reply, Reply::yes) << check->name << ": " << answer.detail;
    EXPECT_FALSE(answer.detail.empty()) << check->name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HealthyMachines,
    testing::Values(
        Machine{"nothing can be read", {}}, Machine{"no GPU", kOrdinary},
        Machine{"one GPU", kOrdinary + kDriver + working_gpu("0000:01:00.0", "-1", "0-127")},
        Machine{"eight GPUs, NVSwitch and InfiniBand", eight_gpus()}, Machine{"plain container", kContainer},
        Machine{"container with one of two GPUs", kContainer + kDriver + working_gpu("0000:01:00.0", "0", "0-63") +
                                                      working_gpu("0000:02:00.0", "1", "64-127")},
        Machine{"WSL", kContainer + file("/dev/dxg", "") +
                           file("/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n") +
                           pci_function("5582:00:00.0", "0x1414", "0x008e", "0x030200", "dxgkrnl")},
        Machine{"GPU in a virtual machine", kOrdinary + kDriver + working_gpu("0000:01:00.0", "-1", "0-127") +
                                                file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n") +
                                                file("/sys/bus/pci/devices/0000:01:00.0/current_link_width", "1\n")}));

// A copy may come from anywhere.
TEST(HostileCopiesTest, AreAnsweredWithoutHarm) {
  std::minstd_rand random(7);
  const SysrootFiles sound = eight_gpus();
  for (int round = 0; round < 6; ++round) {
    SysrootFiles files = sound;
    for (SysrootFile& entry : files) {
      if (entry.is_link || random() % 3 != 0) continue;
      for (char& byte : entry.content) {
        if (random() % 4 == 0) byte = static_cast<char>(random());
      }
      if (random() % 4 == 0) entry.content.resize(random() % (entry.content.size() + 1));
    }
    const Sysroot machine(files);
    for (const Check* check : all_checks()) {
      if (check->need != Need::nothing) continue;
      EXPECT_FALSE(machine.ask(*check, {{"pid", "4242"}}).detail.empty()) << check->name;
    }
  }
}

TEST(ChecksTest, SayWhatTheyAskAndDecide) {
  for (const Check* check : all_checks()) {
    EXPECT_TRUE(check->question.ends_with('?')) << check->name;
    EXPECT_NE(check->decision.find("yes when"), std::string_view::npos) << check->name;
    EXPECT_NE(check->ask, nullptr) << check->name;
    for (const std::string_view blocker : check->blocked_by) {
      EXPECT_NE(find_check(blocker), nullptr) << check->name << " is blocked by " << blocker;
    }
  }
}

}  // namespace
}  // namespace cutopsy
