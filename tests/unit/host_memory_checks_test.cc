#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/unit/sysroot.h"
#include "validators/checks/checks.h"

namespace cutopsy {
namespace {

constexpr const char* kPid = "4242";
const std::map<std::string, std::string, std::less<>> kJob = {{"pid", kPid}};

SysrootFiles limits(const std::string& locked, const std::string& capabilities = "00000000a80425fb",
                    const std::string& users = "         0          0 4294967295\n") {
  return file("/proc/4242/limits",
              "Limit                     Soft Limit           Hard Limit           Units     \n"
              "Max cpu time              unlimited            unlimited            seconds   \n"
              "Max locked memory         " +
                  locked + "              " + locked + "              bytes     \n") +
         file("/proc/4242/status", "Name:\tpython3\nPid:\t4242\nCapPrm:\t00000000a80425fb\nCapEff:\t" + capabilities +
                                       "\nCpus_allowed_list:\t0-7\n") +
         file("/proc/4242/uid_map", users);
}

SysrootFiles meminfo(const std::string& available, const std::string& swap_free = "0") {
  return file("/proc/meminfo",
              "MemTotal:       24684084 kB\nMemFree:          339516 kB\nMemAvailable:   " + available +
                  " kB\nSwapTotal:       8388604 kB\nSwapFree:        " + swap_free +
                  " kB\nCommitLimit:    12342040 kB\nCommitted_AS:   12300000 kB\nHugePages_Total:       0\n");
}

// A group of version 2 as systemd makes it, with a limit one level up.
SysrootFiles group_2(const std::string& maximum, const std::string& current, const std::string& kills = "0") {
  const std::string job = "/sys/fs/cgroup/system.slice/job.scope";
  return file("/proc/4242/cgroup", "0::/system.slice/job.scope\n") + file(job + "/memory.max", "max\n") +
         file(job + "/memory.high", "max\n") + file(job + "/memory.current", "900000000\n") +
         file(job + "/memory.stat", "anon 700000000\nfile 200000000\ninactive_file 100000000\n") +
         file(job + "/memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill " + kills + "\noom_group_kill 0\n") +
         file("/sys/fs/cgroup/system.slice/memory.max", maximum + "\n") +
         file("/sys/fs/cgroup/system.slice/memory.high", "max\n") +
         file("/sys/fs/cgroup/system.slice/memory.current", current + "\n") +
         file("/sys/fs/cgroup/system.slice/memory.stat", "anon 1\ninactive_file 100000000\n");
}

// A Docker container of version 1 without a cgroup namespace: the path is the machine's, the files are its own.
SysrootFiles group_1(const std::string& limit, const std::string& usage, const std::string& kills = "0") {
  const std::string root = "/sys/fs/cgroup/memory";
  return file("/proc/4242/cgroup", "11:cpu,cpuacct:/docker/1f2e\n4:memory:/docker/1f2e\n0::/docker/1f2e\n") +
         file(root + "/memory.limit_in_bytes", limit + "\n") + file(root + "/memory.usage_in_bytes", usage + "\n") +
         file(root + "/memory.stat", "cache 5\ninactive_file 1\ntotal_inactive_file 100000000\n") +
         file(root + "/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill " + kills + "\n");
}

class HostMemoryChecks : public testing::TestWithParam<HostCase> {};

TEST_P(HostMemoryChecks, Answer) {
  expect_answer(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Memlock, HostMemoryChecks,
    testing::Values(
        HostCase{"less than needed",
                 "memlock",
                 limits("8388608"),
                 {{"pid", kPid}, {"needed", "1GiB"}},
                 Reply::yes,
                 Doubt::none,
                 "8 MiB, less than the 1 GiB"},
        HostCase{
            "enough", "memlock", limits("8388608"), {{"pid", kPid}, {"needed", "1MiB"}}, Reply::no, Doubt::none, ""},
        HostCase{"unlimited", "memlock", limits("unlimited"), kJob, Reply::no, Doubt::none, "without limit"},
        HostCase{"the default, need not known", "memlock", limits("8388608"), kJob, Reply::unknown, Doubt::undecided,
                 ""},
        HostCase{"CAP_IPC_LOCK is held",
                 "memlock",
                 limits("65536", "0000000000004000"),
                 {{"pid", kPid}, {"needed", "1GiB"}},
                 Reply::no,
                 Doubt::none,
                 "exempt"},
        HostCase{"CAP_IPC_LOCK, where root is all that is mapped",
                 "memlock",
                 limits("65536", "0000000000004000", "0 0 1\n"),
                 {{"pid", kPid}, {"needed", "1GiB"}},
                 Reply::yes,
                 Doubt::none,
                 ""},
        HostCase{"CAP_IPC_LOCK is held in a user namespace only",
                 "memlock",
                 limits("65536", "000001ffffffffff", "0 1000 1\n"),
                 {{"pid", kPid}, {"needed", "1GiB"}},
                 Reply::yes,
                 Doubt::none,
                 ""},
        HostCase{"the process is gone",
                 "memlock",
                 limits("65536"),
                 {{"pid", "77"}},
                 Reply::unknown,
                 Doubt::could_not_run,
                 "no process 77"},
        HostCase{"a copy, no process named",
                 "memlock",
                 limits("65536"),
                 {},
                 Reply::unknown,
                 Doubt::could_not_run,
                 "which process"}));

INSTANTIATE_TEST_SUITE_P(
    CgroupMemory, HostMemoryChecks,
    testing::Values(HostCase{"a level above is nearly full", "cgroup-memory", group_2("1000000000", "1090000000"), kJob,
                             Reply::yes, Doubt::none, "9.5 MiB of the control group's 953 MiB"},
                    HostCase{"dropped cache would make room", "cgroup-memory", group_2("1000000000", "1000000000"),
                             kJob, Reply::no, Doubt::none, "95.3 MiB"},
                    HostCase{"less left than needed",
                             "cgroup-memory",
                             group_2("1000000000", "1000000000"),
                             {{"pid", kPid}, {"needed", "1GiB"}},
                             Reply::yes,
                             Doubt::none,
                             ""},
                    HostCase{"no limit", "cgroup-memory", group_2("max", "5000000000"), kJob, Reply::no, Doubt::none,
                             "no control group"},
                    HostCase{"version 1, nearly full", "cgroup-memory", group_1("1000000000", "1090000000"), kJob,
                             Reply::yes, Doubt::none, ""},
                    HostCase{"the lower of two limits", "cgroup-memory",
                             group_2("4000000000", "3000000000") +
                                 file("/sys/fs/cgroup/system.slice/job.scope/memory.high", "801000000\n"),
                             kJob, Reply::yes, Doubt::none, "763 MiB"},
                    HostCase{"version 1, dropped cache would make room", "cgroup-memory",
                             group_1("1000000000", "1000000000"), kJob, Reply::no, Doubt::none, ""},
                    HostCase{"version 1, no limit", "cgroup-memory", group_1("9223372036854771712", "1090000000"), kJob,
                             Reply::no, Doubt::none, "no control group"},
                    HostCase{"no control groups to be seen", "cgroup-memory", file("/proc/4242/cgroup", "0::/\n"), kJob,
                             Reply::unknown, Doubt::could_not_run, ""},
                    HostCase{"outside the namespace", "cgroup-memory",
                             group_2("max", "1") + file("/proc/4242/cgroup", "0::/../other\n"), kJob, Reply::unknown,
                             Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    CgroupOom, HostMemoryChecks,
    testing::Values(
        HostCase{"killed", "cgroup-oom", group_2("max", "1", "3"), kJob, Reply::yes, Doubt::none, "killed 3"},
        HostCase{"not killed", "cgroup-oom", group_2("max", "1"), kJob, Reply::no, Doubt::none, ""},
        HostCase{"version 1, killed", "cgroup-oom", group_1("1", "1", "1"), kJob, Reply::yes, Doubt::none, ""},
        HostCase{"the root has no count", "cgroup-oom",
                 file("/proc/4242/cgroup", "0::/\n") + file("/sys/fs/cgroup/cgroup.procs", "1\n"), kJob, Reply::unknown,
                 Doubt::could_not_run, "no count"}));

INSTANTIATE_TEST_SUITE_P(PinnedLimit, HostMemoryChecks,
                         testing::Values(HostCase{"the control group leaves less",
                                                  "pinned-limit",
                                                  meminfo("23587260") + group_2("1000000000", "1000000000"),
                                                  {{"pid", kPid}, {"needed", "1GiB"}},
                                                  Reply::yes,
                                                  Doubt::none,
                                                  "the control group leaves 95.3 MiB"},
                                         HostCase{"swap is no help",
                                                  "pinned-limit",
                                                  meminfo("1048576", "8388604") + group_2("max", "1"),
                                                  {{"pid", kPid}, {"needed", "2GiB"}},
                                                  Reply::yes,
                                                  Doubt::none,
                                                  "available memory leaves 1 GiB"},
                                         HostCase{"enough",
                                                  "pinned-limit",
                                                  meminfo("23587260") + group_2("max", "1"),
                                                  {{"pid", kPid}, {"needed", "1GiB"}},
                                                  Reply::no,
                                                  Doubt::none,
                                                  ""},
                                         HostCase{"need not known", "pinned-limit",
                                                  meminfo("23587260") + group_2("max", "1"), kJob, Reply::unknown,
                                                  Doubt::undecided, ""},
                                         HostCase{"WSL pins less",
                                                  "pinned-limit",
                                                  meminfo("23587260") + group_2("max", "1") + file("/dev/dxg", ""),
                                                  {{"pid", kPid}, {"needed", "1GiB"}},
                                                  Reply::unknown,
                                                  Doubt::undecided,
                                                  "WSL"}));

INSTANTIATE_TEST_SUITE_P(
    HostMemory, HostMemoryChecks,
    testing::Values(
        HostCase{"used up", "host-memory", meminfo("200000"), {}, Reply::yes, Doubt::none, "only 195 MiB"},
        HostCase{"swap is left", "host-memory", meminfo("200000", "8388604"), {}, Reply::no, Doubt::none, ""},
        HostCase{
            "less than needed", "host-memory", meminfo("2000000"), {{"needed", "64 GiB"}}, Reply::yes, Doubt::none, ""},
        HostCase{"plenty", "host-memory", meminfo("23587260"), {}, Reply::no, Doubt::none, "22.4 GiB"},
        HostCase{"overcommitting is forbidden",
                 "host-memory",
                 meminfo("23587260") + file("/proc/sys/vm/overcommit_memory", "2\n"),
                 {},
                 Reply::yes,
                 Doubt::none,
                 "promises only 41 MiB"},
        HostCase{"no /proc", "host-memory", {}, {}, Reply::unknown, Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    OfTheSystemCallsOnly, HostMemoryChecks,
    testing::Values(HostCase{"a copy", "disk-space", {}, {}, Reply::unknown, Doubt::could_not_run, ""},
                    HostCase{"a copy", "shm-size", {}, {}, Reply::unknown, Doubt::could_not_run, ""}));

Answer ask_here(const Check& check, std::map<std::string, std::string, std::less<>> values) {
  const Host host;
  const Parameters parameters(std::move(values));
  const Gpu gpu;
  return check.ask({.host = host, .parameters = parameters, .gpu = gpu, .budget = std::chrono::seconds(1)});
}

TEST(DiskSpaceTest, ComparesWhatIsFreeWithWhatIsNeeded) {
  const std::string here = testing::TempDir();
  EXPECT_EQ(ask_here(kDiskSpace, {{"path", here}, {"needed", "1024 PiB"}}).reply, Reply::yes);
  EXPECT_EQ(ask_here(kDiskSpace, {{"path", here}, {"needed", "1"}}).reply, Reply::no);
}

TEST(DiskSpaceTest, AsksTheNearestFolderThatExists) {
  EXPECT_EQ(ask_here(kDiskSpace, {{"path", testing::TempDir() + "/not/made/yet"}, {"needed", "1"}}).reply, Reply::no);
}

TEST(DiskSpaceTest, CannotTellWhereNothingIsStored) {
  EXPECT_EQ(ask_here(kDiskSpace, {{"path", "/proc/self"}}).doubt, Doubt::undecided);
}

TEST(ShmSizeTest, ComparesWhatIsFreeWithWhatIsNeeded) {
  if (!std::filesystem::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  EXPECT_EQ(ask_here(kShmSize, {{"needed", "1024 TiB"}}).reply, Reply::yes);
  EXPECT_EQ(ask_here(kShmSize, {{"needed", "1"}}).reply, Reply::no);
}

}  // namespace
}  // namespace cutopsy
