#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sysroot.h"

namespace cutopsy {
namespace {

const std::string kGpu = "0000:1a:00.0";
const std::string kOther = "0000:1b:00.0";
const std::string kBridge = "0000:00:1a.0";  // above kGpu

SysrootFiles attribute(const std::string& address, const std::string& name, const std::string& value) {
  return file("/sys/bus/pci/devices/" + address + "/" + name, value);
}

// The first 64 bytes of the configuration space, as anybody may read them.
SysrootFiles config(const std::string& address, const std::string& vendor_and_device) {
  return attribute(address, "config", vendor_and_device + std::string(60, '\0'));
}
const std::string kAlive = "\xde\x10\x30\x23";
const std::string kGone = "\xff\xff\xff\xff";

SysrootFiles width(const std::string& address, const std::string& now, const std::string& most) {
  return attribute(address, "current_link_width", now + "\n") + attribute(address, "max_link_width", most + "\n") +
         attribute(address, "current_link_speed", "2.5 GT/s PCIe\n");
}

const SysrootFiles kVirtual = file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n");
const SysrootFiles kReal = file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme lahf_lm\nbugs\t\t: x\n");

SysrootFiles iommu(const std::string& type, const std::string& unit = "dmar0") {
  return file("/sys/class/iommu/" + unit + "/name", "") + file("/sys/kernel/iommu_groups/7/type", type + "\n") +
         link("/sys/bus/pci/devices/" + kGpu + "/iommu_group", "../../../../kernel/iommu_groups/7") +
         link("/sys/bus/pci/devices/" + kOther + "/iommu_group", "../../../../kernel/iommu_groups/7");
}

// 4,096 bytes: an Advanced Error Reporting capability at 0x100, Access Control Services at 0x148.
std::string bridge_config(char acs_control) {
  std::string bytes(4096, '\0');
  bytes.replace(0x100, 4, std::string("\x01\x00\x81\x14", 4));
  bytes.replace(0x148, 4, std::string("\x0d\x00\x01\x00", 4));
  bytes[0x148 + 6] = acs_control;
  return bytes;
}

SysrootFiles numa(const std::string& address, const std::string& node, const std::string& cpus) {
  return attribute(address, "numa_node", node + "\n") + attribute(address, "local_cpulist", cpus + "\n");
}
SysrootFiles allowed(const std::string& cpus) {
  return file("/proc/4242/status",
              "Name:\tpython3\nCpus_allowed:\tff\nCpus_allowed_list:\t" + cpus + "\nMems_allowed_list:\t0-1\n");
}
const std::map<std::string, std::string, std::less<>> kJob = {{"pid", "4242"}};

SysrootFiles memory_errors(const std::string& uncorrected, const std::string& corrected) {
  const std::string folder = "/sys/devices/system/edac/mc/mc0";
  return file(folder + "/ue_count", uncorrected + "\n") + file(folder + "/ce_count", corrected + "\n") +
         file("/sys/devices/system/edac/mc/power/control", "auto\n");
}

const SysrootFiles kTwo = gpu(kGpu) + gpu(kOther);

class BusChecks : public testing::TestWithParam<HostCase> {};

TEST_P(BusChecks, Answer) {
  expect_answer(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    BusPresence, BusChecks,
    testing::Values(
        HostCase{"reads all ones, though vendor is remembered",
                 "bus-presence",
                 kTwo + config(kGpu, kAlive) + config(kOther, kGone),
                 {},
                 Reply::yes,
                 Doubt::none,
                 kOther},
        HostCase{"gone from a bus that is there",
                 "bus-presence",
                 gpu(kGpu) + config(kGpu, kAlive) + file("/sys/class/pci_bus/0000:1b/cpulistaffinity", "0-7\n"),
                 {{"pci", "PCI:0000:1b:00"}},
                 Reply::yes,
                 Doubt::none,
                 "not on the PCI bus"},
        HostCase{"gone, but the driver had it",
                 "bus-presence",
                 gpu(kGpu) + file("/proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: NVIDIA H100\n"),
                 {{"pci", kOther}},
                 Reply::yes,
                 Doubt::none,
                 "the driver had it"},
        HostCase{"an address of another machine",
                 "bus-presence",
                 gpu(kGpu) + config(kGpu, kAlive),
                 {{"pci", "0009:01:00.0"}},
                 Reply::unknown,
                 Doubt::undecided,
                 "another's"},
        HostCase{"answers",
                 "bus-presence",
                 kTwo + config(kGpu, kAlive) + config(kOther, kAlive),
                 {},
                 Reply::no,
                 Doubt::none,
                 "every GPU"},
        HostCase{"the one asked for answers",
                 "bus-presence",
                 kTwo + config(kGpu, kAlive) + config(kOther, kGone),
                 {{"pci", "00000000:1A:00.0"}},
                 Reply::no,
                 Doubt::none,
                 ""},
        HostCase{"asleep",
                 "bus-presence",
                 gpu(kGpu) + config(kGpu, kGone) + attribute(kGpu, "power_state", "D3cold\n"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 "D3cold"},
        HostCase{"no GPU",
                 "bus-presence",
                 pci_function("0000:02:00.0", "0x8086", "0x1572", "0x020000", "i40e"),
                 {},
                 Reply::unknown,
                 Doubt::not_applicable,
                 ""},
        HostCase{"no PCI bus", "bus-presence", {}, {{"pci", kGpu}}, Reply::unknown, Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    PcieWidth, BusChecks,
    testing::Values(HostCase{"half the lanes lost",
                             "pcie-width",
                             kReal + gpu(kGpu) + width(kGpu, "8", "16") + width(kBridge, "8", "16"),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "x8 of x16"},
                    HostCase{"a narrow slot",
                             "pcie-width",
                             kReal + gpu(kGpu) + width(kGpu, "4", "16") + width(kBridge, "4", "4"),
                             {},
                             Reply::no,
                             Doubt::none,
                             "x4 as its slot has no more"},
                    HostCase{"all lanes, slow while idle",
                             "pcie-width",
                             kReal + gpu(kGpu) + width(kGpu, "16", "16") + width(kBridge, "16", "16"),
                             {},
                             Reply::no,
                             Doubt::none,
                             "x16"},
                    HostCase{"unknown to the kernel",
                             "pcie-width",
                             kReal + gpu(kGpu) + width(kGpu, "63", "255"),
                             {},
                             Reply::unknown,
                             Doubt::could_not_run,
                             ""},
                    HostCase{"a virtual machine",
                             "pcie-width",
                             kVirtual + gpu(kGpu) + width(kGpu, "8", "16"),
                             {},
                             Reply::unknown,
                             Doubt::could_not_run,
                             "virtual"},
                    HostCase{"another GPU asked for",
                             "pcie-width",
                             kReal + gpu(kGpu) + width(kGpu, "8", "16"),
                             {{"pci", kOther}},
                             Reply::unknown,
                             Doubt::not_applicable,
                             ""}));

INSTANTIATE_TEST_SUITE_P(
    Iommu, BusChecks,
    testing::Values(
        HostCase{"translated", "iommu", kReal + kTwo + iommu("DMA-FQ"), {}, Reply::yes, Doubt::none, "DMA-FQ"},
        HostCase{"passed through", "iommu", kReal + kTwo + iommu("identity"), {}, Reply::no, Doubt::none, "through"},
        HostCase{"off", "iommu", kReal + kTwo, {}, Reply::no, Doubt::none, "no IOMMU"},
        HostCase{"Arm's",
                 "iommu",
                 kTwo + iommu("DMA", "smmu3.0x0000000005000000"),
                 {},
                 Reply::unknown,
                 Doubt::undecided,
                 ""},
        HostCase{"one GPU", "iommu", kReal + gpu(kGpu), {}, Reply::unknown, Doubt::not_applicable, ""},
        HostCase{"a virtual machine", "iommu", kVirtual + kTwo, {}, Reply::unknown, Doubt::could_not_run, ""}));

INSTANTIATE_TEST_SUITE_P(
    Acs, BusChecks,
    testing::Values(HostCase{"redirected",
                             "acs",
                             kTwo + attribute(kBridge, "config", bridge_config('\0')) +
                                 attribute("0000:00:1b.0", "config", bridge_config('\x1d')),
                             {},
                             Reply::yes,
                             Doubt::none,
                             "0000:00:1b.0"},
                    HostCase{"not redirected",
                             "acs",
                             kTwo + attribute(kBridge, "config", bridge_config('\x01')) +
                                 attribute("0000:00:1b.0", "config", std::string(256, '\0')),
                             {},
                             Reply::no,
                             Doubt::none,
                             "none of the 2 bridges"},
                    HostCase{"64 bytes without root",
                             "acs",
                             kTwo + config(kBridge, "\x86\x80\x01\x01"),
                             {},
                             Reply::unknown,
                             Doubt::could_not_run,
                             "not readable in full"},
                    HostCase{"one GPU", "acs", gpu(kGpu), {}, Reply::unknown, Doubt::not_applicable, ""}));

INSTANTIATE_TEST_SUITE_P(
    NumaAffinity, BusChecks,
    testing::Values(
        HostCase{"bound to the other node",
                 "numa-affinity",
                 kTwo + numa(kGpu, "0", "0-31,64-95") + numa(kOther, "1", "32-63,96-127") + allowed("32-40"),
                 {{"pid", "4242"}, {"pci", kGpu}},
                 Reply::yes,
                 Doubt::none,
                 "32-40"},
        HostCase{"near one of the GPUs", "numa-affinity",
                 kTwo + numa(kGpu, "0", "0-31,64-95") + numa(kOther, "1", "32-63,96-127") + allowed("100"), kJob,
                 Reply::no, Doubt::none, kOther},
        HostCase{"no node", "numa-affinity", gpu(kGpu) + numa(kGpu, "-1", "0-7") + allowed("0-7"), kJob, Reply::unknown,
                 Doubt::undecided, ""},
        HostCase{"the process is gone", "numa-affinity", gpu(kGpu) + numa(kGpu, "0", "0-7"), kJob, Reply::unknown,
                 Doubt::could_not_run, ""},
        HostCase{"no GPU", "numa-affinity", allowed("0"), kJob, Reply::unknown, Doubt::not_applicable, ""}));

INSTANTIATE_TEST_SUITE_P(
    Edac, BusChecks,
    testing::Values(
        HostCase{"uncorrected", "edac", memory_errors("1", "40"), {}, Reply::yes, Doubt::none, "1 uncorrected"},
        HostCase{"none", "edac", memory_errors("0", "0"), {}, Reply::no, Doubt::none, ""},
        HostCase{"corrected ones only", "edac", memory_errors("0", "3"), {}, Reply::unknown, Doubt::undecided, ""},
        HostCase{"nobody counts", "edac", {}, {}, Reply::unknown, Doubt::not_applicable, ""}));

}  // namespace
}  // namespace cutopsy
