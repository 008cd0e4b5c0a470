#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sysroot.h"
#include "validators/kernel_log.h"

namespace cutopsy {
namespace {

const std::string kGpu = "0000:18:00.0";
const std::string kOtherGpu = "0000:19:00.0";

const std::string kBoot = "[    0.000000] Linux version 6.8.0-60-generic (buildd@lcy02) #63-Ubuntu SMP\n";
const std::string kXid79 =
    "[ 7421.118204] NVRM: Xid (PCI:0000:18:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n";
const std::string kXid13 =
    "[ 7500.000001] NVRM: Xid (PCI:0000:18:00): 13, pid=48213, name=python3, Graphics SM Warp Exception\n";
const std::string kXid94OfMig =
    "[ 7501.000001] NVRM: Xid (PCI:0000:19:00 GPU-I:05): 94, pid=48213, name=python3, Contained\n";
const std::string kKilled =
    "[ 1300.5] Out of memory: Killed process 2626304 (ruby) total-vm:3934332kB, anon-rss:1921108kB, file-rss:0kB\n";
const std::string kKilledInGroup =
    "[ 1301.5] Memory cgroup out of memory: Killed process 20821 (pt_main (x)) total-vm:1184088kB, anon-rss:1kB\n";
const std::string kFatal =
    "[ 22.1] nvidia 0000:18:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Requester "
    "ID)\n";
const std::string kCorrectedAbove =
    "[ 22.2] pcieport 0000:00:18.0: AER: PCIe Bus Error: severity=Correctable, type=Data Link Layer, (Transmitter "
    "ID)\n";

SysrootFiles dmesg(const std::string& lines) {
  return file("/var/log/dmesg", kBoot + lines);
}

SysrootFiles counters(const std::string& address, const std::string& unsupported, const std::string& nonfatal,
                      const std::string& corrected) {
  const std::string folder = "/sys/bus/pci/devices/" + address;
  return file(folder + "/aer_dev_fatal", "Undefined 0\nDLP 0\nUnsupReq 0\nTOTAL_ERR_FATAL 0\n") +
         file(folder + "/aer_dev_nonfatal",
              "Undefined 0\nUnsupReq " + unsupported + "\nTOTAL_ERR_NONFATAL " + nonfatal + "\n") +
         file(folder + "/aer_dev_correctable", "RxErr 0\nReplay Timer Timeout 1\nTOTAL_ERR_COR " + corrected + "\n");
}

class KernelLogChecks : public testing::TestWithParam<HostCase> {};

TEST_P(KernelLogChecks, Answer) {
  expect_answer(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Xids, KernelLogChecks,
    testing::Values(
        HostCase{"one of the GPU's", "kernel-log-xids", dmesg(kXid13 + kXid79), {}, Reply::yes, Doubt::none, "Xid 79:"},
        HostCase{"a program's, asked for",
                 "kernel-log-xids",
                 dmesg(kXid13 + kXid79),
                 {{"xid", "13"}},
                 Reply::yes,
                 Doubt::none,
                 "Xid 13:"},
        HostCase{"of a MIG instance",
                 "kernel-log-xids",
                 dmesg(kXid94OfMig),
                 {{"xid", "94"}, {"pci", kOtherGpu}},
                 Reply::yes,
                 Doubt::none,
                 ""},
        HostCase{"of an old driver, without PCI:",
                 "kernel-log-xids",
                 dmesg("[ 1.0] NVRM: Xid (0000:03:00): 48, Channel 1\n"),
                 {{"pci", "0000:03:00.0"}},
                 Reply::yes,
                 Doubt::none,
                 "Xid 48"},
        HostCase{"programs' only", "kernel-log-xids", dmesg(kXid13), {}, Reply::unknown, Doubt::undecided, "13"},
        HostCase{"of another GPU", "kernel-log-xids", dmesg(kXid79), {{"pci", kOtherGpu}}, Reply::no, Doubt::none, ""},
        HostCase{
            "another number", "kernel-log-xids", dmesg(kXid79), {{"xid", "48"}}, Reply::no, Doubt::none, "no Xid 48"},
        HostCase{"none", "kernel-log-xids", dmesg(""), {}, Reply::no, Doubt::none, "since boot"},
        HostCase{"none, but the boot is not in the log",
                 "kernel-log-xids",
                 file("/var/log/kern.log", "Mar 11 09:14:02 node kernel: [ 7421.1] eth0: link up\n"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 "beginning is lost"},
        HostCase{"before the last boot",
                 "kernel-log-xids",
                 file("/var/log/kern.log", kBoot + kXid79 + kBoot),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{
            "quoted by a program",
            "kernel-log-xids",
            file("/var/log/syslog", "Mar 11 09:14:02 node kernel: " + kBoot +
                                        "Mar 11 09:14:03 node monitor[7]: saw NVRM: Xid (PCI:0000:18:00): 79, x\n"),
            {},
            Reply::no,
            Doubt::none,
            ""},
        HostCase{"no log", "kernel-log-xids", {}, {}, Reply::unknown, Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    OomKills, KernelLogChecks,
    testing::Values(HostCase{"any", "kernel-log-oom", dmesg(kKilled), {}, Reply::unknown, Doubt::undecided, "(ruby)"},
                    HostCase{"the name asked for, with parentheses",
                             "kernel-log-oom",
                             dmesg(kKilled + kKilledInGroup),
                             {{"process", "pt_main (x)"}},
                             Reply::yes,
                             Doubt::none,
                             "20821"},
                    HostCase{"the process asked for",
                             "kernel-log-oom",
                             dmesg(kKilled + kKilledInGroup),
                             {{"pid", "20821"}},
                             Reply::yes,
                             Doubt::none,
                             "Memory cgroup"},
                    HostCase{"others only",
                             "kernel-log-oom",
                             dmesg(kKilled),
                             {{"pid", "7"}},
                             Reply::unknown,
                             Doubt::undecided,
                             "others"},
                    HostCase{"none", "kernel-log-oom", dmesg(""), {}, Reply::no, Doubt::none, ""},
                    HostCase{"no log", "kernel-log-oom", {}, {}, Reply::unknown, Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    Aer, KernelLogChecks,
    testing::Values(
        HostCase{"fatal", "kernel-log-aer", gpu(kGpu) + dmesg(kFatal), {}, Reply::yes, Doubt::none, "Fatal"},
        HostCase{"counted only, without the right to read the log",
                 "kernel-log-aer",
                 gpu(kGpu) + counters(kGpu, "0", "2", "0"),
                 {},
                 Reply::yes,
                 Doubt::none,
                 "2 uncorrected"},
        HostCase{"the kernel's own probing",
                 "kernel-log-aer",
                 gpu(kGpu) + counters(kGpu, "2", "2", "0"),
                 {},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{"corrected, seen by the bridge above",
                 "kernel-log-aer",
                 gpu(kGpu) + dmesg(kCorrectedAbove),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 "corrected them"},
        HostCase{"of another GPU",
                 "kernel-log-aer",
                 gpu(kGpu) + gpu(kOtherGpu) + dmesg(kFatal),
                 {{"pci", kOtherGpu}},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{
            "of a GPU that is gone", "kernel-log-aer", dmesg(kFatal), {{"pci", kGpu}}, Reply::yes, Doubt::none, ""},
        HostCase{"none", "kernel-log-aer", gpu(kGpu) + dmesg(""), {}, Reply::no, Doubt::none, ""},
        HostCase{"no log, no counters", "kernel-log-aer", gpu(kGpu), {}, Reply::unknown, Doubt::could_not_run, ""},
        HostCase{"no GPU", "kernel-log-aer", dmesg(kFatal), {}, Reply::unknown, Doubt::not_applicable, ""}));

TEST(KernelLogTest, KeepsLinesPrintableAndShort) {
  const Sysroot machine(dmesg("\x1b[31mred\x07" + std::string(5000, 'x') + "\n"));
  const auto log = read_kernel_log(machine.host());
  ASSERT_TRUE(log);
  EXPECT_TRUE(log->lines.back().starts_with(" [31mred x"));
  EXPECT_LE(log->lines.back().size(), 512U);
}

TEST(KernelLogTest, OfThisMachineEndsWithoutWaiting) {
  const auto from = std::chrono::steady_clock::now();
  (void)read_kernel_log(Host());
  EXPECT_LT(std::chrono::steady_clock::now() - from, std::chrono::seconds(5));
}

}  // namespace
}  // namespace cutopsy
