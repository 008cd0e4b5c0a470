#include "parsers/xid.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

using Expected = std::vector<std::pair<std::string, std::string>>;

struct Sample {
  std::string line;
  Expected fields;  // an empty value: the field must be absent
};

void expect_fields(const Sample& sample) {
  const Event event = only_event(kXidParser, sample.line);
  EXPECT_EQ(event.kind, "kernel.xid");
  for (const auto& [name, value] : sample.fields)
    EXPECT_EQ(event.fields.get(name), value) << name << ": " << sample.line;
  EXPECT_EQ(event.fields.get("code"), event.fields.get("xid"));
}

constexpr char kUnknown[] =
    "NVRM: Xid (PCI:0000:18:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

TEST(Xid, PrefixesOfKernelLogsDoNotMatter) {
  const Expected bus = {{"xid", "79"}, {"pci", "0000:18:00"}, {"gpu_pci", "0000:18:00.0"},
                        {"pid", ""},   {"process", ""},       {"text", "GPU has fallen off the bus."}};
  for (const char* prefix :
       {"", "[ 7421.118204] ", "[ 7421.118204] [  T2977] ", "[Tue Mar 11 09:14:02 2025] ",
        "2025-03-11T09:14:02,118204+00:00 ",
        "Mar 11 09:14:02 gpu-node-07 kernel: ", "Mar 11 09:14:02 gpu-node-07 kernel: [ 7421.118204] ",
        "2025-03-11T09:14:02+0000 gpu-node-07 kernel: ", "2025-03-11T09:14:02.118204+00:00 gpu-node-07 kernel: ",
        "4,1733,7421118204,-;", "kernel: ", "gpu-node-07: kern: warning: [2025-03-11T09:14:02.118204Z]: "})
    expect_fields({std::string(prefix) + kUnknown, bus});
}

TEST(Xid, HeadsOfAllDriverBranches) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (0000:03:00): 14, Channel 00000001",
       {{"xid", "14"}, {"pci", "0000:03:00"}, {"gpu_pci", "0000:03:00.0"}, {"channel", "00000001"}}},
      {"NVRM: Xid (0000:02:00): 13, 0001 00000000 00009197 0000239c 00000000 00100000",
       {{"xid", "13"}, {"pci", "0000:02:00"}, {"text", "0001 00000000 00009197 0000239c 00000000 00100000"}}},
      {"NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus.",
       {{"xid", "79"}, {"pid", ""}, {"process", ""}, {"text", "GPU has fallen off the bus."}}},
      {"NVRM: Xid (PCI:0000:18:00): 79, pid=0, GPU has fallen off the bus.",
       {{"xid", "79"}, {"pid", "0"}, {"process", ""}, {"text", "GPU has fallen off the bus."}}},
      {"NVRM: Xid (PCI:0000:3b:00): 79, pid=<unknown>, GPU has fallen off the bus.",
       {{"xid", "79"}, {"pid", ""}, {"text", "GPU has fallen off the bus."}}},
      {"NVRM: Xid (PCI:0000:18:00 GPU-I:05): 94, pid=48213, name=python3, Contained: CE User Channel (0x9). RST: No, "
       "D-RST: No",
       {{"xid", "94"}, {"pci", "0000:18:00"}, {"pid", "48213"}, {"process", "python3"}, {"engine", "CE User Channel"}}},
      {"NVRM: Xid (PCI:0000:18:00 GPU-I:02 GPU-CI:01): 43, pid=48213, name=python3, Ch 00000018",
       {{"xid", "43"}, {"pci", "0000:18:00"}, {"gpu_pci", "0000:18:00.0"}, {"channel", "00000018"}}},
      {"NVRM: Xid (PCI:0009:01:00): 79, GPU has fallen off the bus.", {{"xid", "79"}, {"gpu_pci", "0009:01:00.0"}}},
      {"NVRM: Xid (PCI:0000:18:00): 45, pid=48213, name=python3, Ch 00000011 caused by previous Xid 31",
       {{"xid", "45"}, {"channel", "00000011"}, {"caused_by", "31"}}},
      {"NVRM: Xid (PCI:0000:18:00): 45, pid=77, name=VLLM::Worker TP1, Ch 0000001e",
       {{"pid", "77"}, {"process", "VLLM::Worker TP1"}, {"channel", "0000001e"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, ExceptionsOfTheGraphicsEngine) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (PCI:0000:18:00): 13, pid=48213, name=python3, Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): "
       "Out Of Range Address",
       {{"xid", "13"},
        {"pid", "48213"},
        {"process", "python3"},
        {"exception", "Out Of Range Address"},
        {"gpc", "1"},
        {"tpc", "3"},
        {"sm", "0"}}},
      {"NVRM: Xid (PCI:0000:18:00): 13, pid=48213, name=python3, Graphics SM Warp Exception on (GPC 4, TPC 2, SM 1): "
       "Illegal Instruction Encoding",
       {{"exception", "Illegal Instruction Encoding"}, {"gpc", "4"}, {"tpc", "2"}, {"sm", "1"}}},
      {"NVRM: Xid (PCI:0000:18:00): 13, Graphics SM Warp Exception on (GPC 1, TPC 0): Out Of Range Address",
       {{"exception", "Out Of Range Address"}, {"gpc", "1"}, {"tpc", "0"}, {"sm", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 13, pid=48213, name=python3, Graphics SM Global Exception on (GPC 4, TPC 2, SM 1): "
       "Multiple Warp Errors",
       {{"exception", "Multiple Warp Errors"}, {"gpc", "4"}}},
      {"NVRM: Xid (PCI:0000:18:00): 13, pid=48213, name=python3, Graphics Exception: ESR 0x524730=0xd000e "
       "0x524734=0x24 0x524728=0xc81eb60 0x52472c=0x1174",
       {{"exception", ""},
        {"text", "Graphics Exception: ESR 0x524730=0xd000e 0x524734=0x24 0x524728=0xc81eb60 0x52472c=0x1174"}}},
      {"NVRM: Xid (PCI:0000:18:00): 13, pid=48213, name=python3, Graphics Exception: ChID 0010, Class 0000cbc0, Offset "
       "00000000, Data 00000000",
       {{"exception", ""}, {"channel", "0010"}}},
      {"NVRM: Xid (PCI:0000:18:00): 69, pid=48213, name=python3, Class Error: ChId 0008, Class 0000cbc0, Offset "
       "00000184, Data ffffffff, ErrorCode 00000004",
       {{"xid", "69"}, {"channel", "0008"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, FaultsOfTheMemoryUnit) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (PCI:0000:18:00): 31, pid=48213, name=python3, Ch 00000012, intr 00000000. MMU Fault: ENGINE "
       "GRAPHICS GPCCLIENT_T1_4 faulted @ 0x7f21_4c000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
       {{"xid", "31"},
        {"channel", "00000012"},
        {"engine", "GRAPHICS"},
        {"address", "0x7f21_4c000000"},
        {"exception", "FAULT_PDE"},
        {"gpc", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 31, pid=48213, name=python3, Ch 00000012, intr 00000000. MMU Fault: ENGINE "
       "GRAPHICS GPC3 GPCCLIENT_T1_4 faulted @ 0x7f21_4c000000. Fault is of type FAULT_PTE ACCESS_TYPE_VIRT_WRITE",
       {{"engine", "GRAPHICS"}, {"gpc", "3"}, {"exception", "FAULT_PTE"}, {"access", "ACCESS_TYPE_VIRT_WRITE"}}},
      {"NVRM: Xid (PCI:0000:18:00): 31, pid=48213, name=python3, Ch 00000009, intr 00000000. MMU Fault: ENGINE CE3 "
       "HUBCLIENT_CE1 faulted @ 0x7f21_4c000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
       {{"engine", "CE3"}, {"channel", "00000009"}}},
      {"NVRM: Xid (PCI:0000:18:00): 31, pid=48213, name=python3, channel 0x00000012, intr 00000000. MMU Fault: ENGINE "
       "GRAPHICS GPC3 GPCCLIENT_T1_4 faulted @ 0x7f21_4c000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_ATOMIC",
       {{"channel", "0x00000012"}, {"exception", "FAULT_PDE"}}},
      {"NVRM: Xid (PCI:0000:18:00): 31, Ch 00000012, engmask 00000101, intr 10000000",
       {{"channel", "00000012"}, {"exception", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 108, pid=48213, name=python3, NVLink remote translation error: faulted @ "
       "0x7f21_4c000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
       {{"xid", "108"}, {"address", "0x7f21_4c000000"}, {"exception", "FAULT_PDE"}, {"engine", ""}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, Channels) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (PCI:0000:18:00): 32, pid=48213, name=python3, Channel ID 0000000d intr0 00040000",
       {{"channel", "0000000d"}}},
      {"NVRM: Xid (PCI:0000:18:00): 32, Channel ID 0000000d intr 02000000", {{"channel", "0000000d"}}},
      {"NVRM: Xid (PCI:0000:18:00): 43, Ch 00000018, engmask 00000101", {{"channel", "00000018"}}},
      {"NVRM: Xid (PCI:0000:18:00): 45, pid=48213, name=python3, Ch 0000001e", {{"channel", "0000001e"}}},
      {"NVRM: Xid (PCI:0000:07:00): 38, pid=326, name=modprobe, channel 0x00000003 0000c597 00000000 00000000",
       {{"xid", "38"}, {"process", "modprobe"}, {"channel", "0x00000003"}}},
      {"NVRM: Xid (PCI:0000:18:00): 109, pid=48213, name=python3, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info "
       "0x1c011",
       {{"xid", "109"}, {"channel", "00000008"}, {"exception", "CTX SWITCH TIMEOUT"}}},
      {"NVRM: Xid (PCI:0000:18:00): 109, pid=48213, name=python3, channel 0x0000000d, CTX SWITCH TIMEOUT, Info 0x1c011",
       {{"channel", "0x0000000d"}, {"exception", "CTX SWITCH TIMEOUT"}}},
      {"NVRM: Xid (PCI:0000:18:00): 110, pid='<unknown>', name=<unknown>, SEC_FAULT: SCPM Fatal",
       {{"exception", "SCPM Fatal"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, MemoryErrors) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (PCI:0000:18:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has "
       "been detected on GPU in the framebuffer at partition 6, subpartition 1.",
       {{"xid", "48"}, {"address", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE) has "
       "been detected on GPU in the framebuffer at physAddr 0x1f3a40c80 partition 6, subpartition 1.",
       {{"address", "0x1f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row (0x00000001f3a40c80) "
       "marked for remapping, reset gpu to activate.",
       {{"xid", "63"}, {"address", "0x00000001f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row marked for remapping, "
       "reset gpu to activate.",
       {{"address", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 63, pid='<unknown>', name=<unknown>, Dynamic Page Retirement: New page retired, "
       "reboot to activate (0x00000000001f3a40).",
       {{"address", "0x00000000001f3a40"}}},
      {"NVRM: Xid (PCI:0000:18:00): 64, pid='<unknown>', name=<unknown>, Row Remapper Error: (0x00000001f3a40c80) - "
       "Row Remapping table is full",
       {{"xid", "64"}, {"address", "0x00000001f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 64, pid='<unknown>', name=<unknown>, Row Remapper Error: (0x00000001f3a40c80) - "
       "All reserved rows for bank are remapped",
       {{"address", "0x00000001f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 64, pid='<unknown>', name=<unknown>, Row Remapper: (0x00000001f3a40c80) - "
       "Attempting to remap a row that is already pending remapping.",
       {{"address", "0x00000001f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 92, pid='<unknown>', name=<unknown>, Disabling ECC single-bit error interrupts in "
       "framebuffer at logical partition 3, due to high error rate",
       {{"xid", "92"}}},
      {"NVRM: Xid (PCI:0000:18:00): 92, pid='<unknown>', name=<unknown>, SM SBE interrupt storm detected",
       {{"xid", "92"}}},
      {"NVRM: Xid (PCI:0000:18:00): 94, pid=48213, name=python3, Contained: SM (0x1, 0x0). physAddr: 0x1f3a40c80 RST: "
       "No, D-RST: No",
       {{"engine", "SM"}, {"address", "0x1f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 95, pid='<unknown>', name=<unknown>, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, "
       "D-RST: No",
       {{"xid", "95"}, {"engine", "LTC TAG"}}},
      {"NVRM: Xid (PCI:0000:18:00): 95, pid='<unknown>', name=<unknown>, Uncontained: FBHUB. RST: Yes, D-RST: No",
       {{"engine", "FBHUB"}}},
      {"NVRM: Xid (PCI:0000:18:00): 140, pid='<unknown>', name=<unknown>, An uncorrectable ECC error detected "
       "(possible firmware handling failure) DRAM:2, LTC:0, MMU:0, PCIE:0",
       {{"xid", "140"}}},
      {"NVRM: Xid (PCI:0000:18:00): 160, Marking Channel 3 in FBPA 2 along with its pair for repair. Perform node "
       "reboot to activate repair.",
       {{"xid", "160"}}},
      {"NVRM: Xid (PCI:0000:18:00): 161, Repairing Channel failed as there are no more spare channels.",
       {{"xid", "161"}, {"channel", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 171, HBM, Uncorrectable DRAM error in FBPA 6 subpartition 0 physAddr 0x1f3a40c80",
       {{"xid", "171"}, {"process", ""}, {"address", "0x1f3a40c80"}}},
      {"NVRM: Xid (PCI:0000:18:00): 172, GSP-RISCV, Uncorrectable SRAM error",
       {{"xid", "172"}, {"engine", "GSP-RISCV"}}},
      {"NVRM: Xid (PCI:0000:18:00): 177, Bank Remapper: New bank marked for remapping, reset gpu to activate.",
       {{"xid", "177"}}},
      {"NVRM: Xid (PCI:0000:18:00): 156, Retiring TPC 4 from GPC 2 with a spare from the same GPC.",
       {{"tpc", "4"}, {"gpc", "2"}}},
      {"NVRM: Xid (PCI:0000:18:00): 157, Unable to retire TPC 7 from GPC 3 as there are no spare TPCs available.",
       {{"tpc", "7"}, {"gpc", "3"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, NvlinkErrors) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (PCI:0000:18:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 5(0x0, "
       "0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
       {{"xid", "74"}, {"link", "5"}}},
      {"NVRM: Xid (PCI:0000:18:00): 74, pid='<unknown>', name=<unknown>, NVLink: failed to train link 5 to remote "
       "PCI:0000:0b:00",
       {{"link", "5"}}},
      {"NVRM: Xid (PCI:0000:18:00): 136, NVLink: Link training failed for link 5(0x1, 0x0, 0x8, 0x0, 0x0, 0x0, 0x0)",
       {{"xid", "136"}, {"link", "5"}}},
      {"NVRM: Xid (PCI:0000:18:00): 136, NVLink: Link training failed for links 0x20(0x1, 0x0, 0x8, 0x0, 0x0, 0x0, "
       "0x0)",
       {{"link", "0x20"}}},
      {"NVRM: Xid (PCI:0000:18:00): 145, RLW_SRC_TRACK Nonfatal XC1 i0 Link 10 (0x04082907 0x00000008 0x00000000 "
       "0x00000000 0x00000000 0x00000000)",
       {{"xid", "145"}, {"exception", "RLW_SRC_TRACK"}, {"link", "10"}}},
      {"NVRM: Xid (PCI:0000:18:00): 149, pid=48213, name=python3, NETIR_LINK_EVT  Fatal   XC0 i0 Link 08 (0x004505c6 "
       "0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)",
       {{"xid", "149"}, {"exception", "NETIR_LINK_EVT"}, {"link", "08"}, {"process", "python3"}}},
      {"NVRM: Xid (PCI:0000:18:00): 149, NETIR_BER_EVENT Nonfatal XC0 i0 Link -1 (0x00000006 0x00000000 0x00000000 "
       "0x00000000)",
       {{"exception", "NETIR_BER_EVENT"}, {"link", "-1"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, FirmwareOfTheGpu) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (PCI:0000:18:00): 61, pid=1802, 0cec(3098) 00000000 00000000",
       {{"xid", "61"}, {"pid", "1802"}, {"process", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 62, pid='<unknown>', name=<unknown>, 2b9c11d0 00007a3c 00000000 2026e0f4 20252fc8 "
       "20253148 20248c1e 00000000",
       {{"xid", "62"}}},
      {"NVRM: Xid (PCI:0000:18:00): 78, pid='<unknown>', name=<unknown>, Guest driver is incompatible with host driver",
       {{"xid", "78"}, {"text", "Guest driver is incompatible with host driver"}}},
      {"NVRM: Xid (PCI:0000:18:00): 119, pid='<unknown>', name=<unknown>, Timeout waiting for RPC from GSP! Expected "
       "function GSP_RM_CONTROL (0x20800a4c 0x4).",
       {{"xid", "119"}, {"function", "GSP_RM_CONTROL"}}},
      {"NVRM: Xid (PCI:0000:18:00): 119, pid='<unknown>', name=<unknown>, Timeout waiting for RPC from GSP! Expected "
       "function 76 (GSP_RM_CONTROL) (0x20800a4c 0x4).",
       {{"function", "76 (GSP_RM_CONTROL)"}}},
      {"NVRM: Xid (PCI:0000:18:00): 119, pid='<unknown>', name=<unknown>, Timeout waiting for RPC from GSP0! Expected "
       "function 76 (GSP_RM_CONTROL) (0x20800a4c 0x4).",
       {{"function", "76 (GSP_RM_CONTROL)"}}},
      {"NVRM: Xid (PCI:0000:18:00): 119, pid=48213, name=python3, Timeout after 45s of waiting for RPC response from "
       "GPU0 GSP! Expected function 76 (GSP_RM_CONTROL) (0x20800a4c 0x4).",
       {{"process", "python3"}, {"function", "76 (GSP_RM_CONTROL)"}, {"waited", "45s"}}},
      {"NVRM: Xid (PCI:0000:18:00): 119, pid=48213, name=python3, Timeout after 45s of waiting for RPC response from "
       "GPU0 GSP! Expected function 76 (GSP_RM_CONTROL) sequence 48112 (0x20800a4c 0x4).",
       {{"function", "76 (GSP_RM_CONTROL)"}}},
      {"NVRM: Xid (PCI:0000:18:00): 175, pid=48213, name=python3, Timeout after 45s of waiting for RPC response from "
       "GPU0 GSP! Expected function 76 (GSP_RM_CONTROL) sequence 48112 (0x20800a4c 0x4).",
       {{"xid", "175"}, {"function", "76 (GSP_RM_CONTROL)"}}},
      {"NVRM: Xid (PCI:0000:18:00): 120, pid='<unknown>', name=<unknown>, GSP task exception: load access page fault "
       "(cause:0xd) @ pc:0x140ca4a, partition:4#0, task:3",
       {{"xid", "120"}, {"exception", "load access page fault"}, {"address", "0x140ca4a"}}},
      {"NVRM: Xid (PCI:0000:18:00): 143, FSP fuse error check has failed. Status = 0x3.", {{"xid", "143"}}},
      {"NVRM: Xid (PCI:0000:18:00): 143, Error status 0x65 while polling for FSP boot complete, 0x0, 0x0, 0x0, 0x0, "
       "0x0",
       {{"xid", "143"}, {"process", ""}}},
      {"NVRM: Xid (PCI:0000:18:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)",
       {{"xid", "154"}, {"recovery_action", "GPU Reset Required"}}},
      {"NVRM: Xid (PCI:0000:18:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)",
       {{"recovery_action", "Node Reboot Required"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, DevicePluginRepeatsTheNumber) {
  const Event event = only_event(
      kXidParser,
      "XidCriticalError: Xid=79 on Device=GPU-1b2c3d4e-5f60-7182-93a4-b5c6d7e8f901, the device will go unhealthy.");
  EXPECT_EQ(event.fields.get("code"), "79");
  EXPECT_FALSE(event.fields.has("pci"));
}

TEST(Xid, OtherLinesAreNoXids) {
  for (const char* line : {
           "NVRM: GPU at PCI:0000:18:00: GPU-1b2c3d4e-5f60-7182-93a4-b5c6d7e8f901",
           "NVRM: GPU Board Serial Number: 1650123456789",
           "NVRM: GPU 0000:18:00.0: GPU has fallen off the bus.",
           "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:18:00 (printing 1 of every 30).  The GPU "
           "likely needs to be reset.",
           "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)",
           "dhclient[812]: DHCPREQUEST for 10.0.0.7 on eth0 to 255.255.255.255 port 67 (xid=0x5a2c7c1e)",
           "r8169 0000:06:00.0 eth0: RTL8125B, 2c:f0:5d:00:11:22, XID 641, IRQ 139",
           "LOG:  redo starts at 0/16B3740, next xid 731",
           "see the Xid (error) table of the documentation",
       })
    EXPECT_TRUE(parse_line(kXidParser, line).events.empty()) << line;
}

TEST(Xid, CutAndHostileLinesAreIgnored) {
  for (const char* line : {"NVRM: Xid (", "NVRM: Xid (PCI:0000:18:0", "NVRM: Xid (PCI:0000:18:00",
                           "NVRM: Xid (PCI:0000:18:00): ", "NVRM: Xid (PCI:0000:18:00): 99999999999999999999999, x",
                           "NVRM: Xid (PCI:zz:18:00): 79, x", "NVRM: Xid (PCI:0000:18:00): 79x, y",
                           "NVRM: Xid (): 79, x", "NVRM: Xid (PCI:): 79, x"})
    EXPECT_TRUE(parse_line(kXidParser, line).events.empty()) << line;
  EXPECT_EQ(only_event(kXidParser, "NVRM: Xid (PCI:0000:18:00): 79").fields.get("xid"), "79");
  EXPECT_EQ(only_event(kXidParser, "NVRM: Xid (PCI:0000:18:00): 43, pid=12a, name=").fields.get("pid"), "");
  EXPECT_EQ(
      only_event(kXidParser, "NVRM: Xid (PCI:0000:18:00): 31, pid=1, name=\xff\xfe, Ch 00\x80").fields.get("process"),
      "\xff\xfe");
}

}  // namespace
}  // namespace cutopsy
