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

// The forms that tests/forms/xid_samples.yaml does not hold.
TEST(Xid, FurtherFormsFromReports) {
  const std::vector<Sample> samples = {
      {"NVRM: Xid (0000:02:00): 13, 0001 00000000 00009197 0000239c 00000000 00100000",
       {{"xid", "13"}, {"pci", "0000:02:00"}, {"text", "0001 00000000 00009197 0000239c 00000000 00100000"}}},
      {"NVRM: Xid (PCI:0000:3b:00): 79, pid=<unknown>, GPU has fallen off the bus.",
       {{"xid", "79"}, {"pid", ""}, {"text", "GPU has fallen off the bus."}}},
      {"NVRM: Xid (PCI:0000:18:00): 45, pid=77, name=VLLM::Worker TP1, Ch 0000001e",
       {{"pid", "77"}, {"process", "VLLM::Worker TP1"}, {"channel", "0000001e"}}},
      {"NVRM: Xid (PCI:0000:07:00): 38, pid=326, name=modprobe, channel 0x00000003 0000c597 00000000 00000000",
       {{"xid", "38"}, {"process", "modprobe"}, {"channel", "0x00000003"}}},
  };
  for (const Sample& sample : samples) expect_fields(sample);
}

TEST(Xid, ReportsOfTwoKindsSayWhetherTheyAskForAnything) {
  const std::vector<Sample> samples = {
      // https://github.com/NVIDIA/open-gpu-kernel-modules/issues/1150: fatal in print, to be ignored by the catalogue
      {"NVRM: Xid (PCI:0000:ba:00): 145, pid=1818989, name=python3, RLW_RXPIPE Fatal XC0 i0 Link 09 (0x0401a0c2 "
       "0x00000008 0x00000001 0x00000000 0x00100000 0x00000004)",
       {{"action", "IGNORE"}, {"harmless", "false"}}},
      {"NVRM: Xid (PCI:0000:ba:00): 145, RLW_RXPIPE Nonfatal XC0 i0 Link 09 (0x0401a0c2 0x00000008 0x00000001 "
       "0x00000000 0x00100000 0x00000004)",
       {{"action", "IGNORE"}, {"harmless", "true"}}},
      {"NVRM: Xid (PCI:0000:ba:00): 145, RLW_RXPIPE Nonfatal XC0 i0 Link 09 (0x000004c2 0x00000001 0x00000000)",
       {{"action", "RESET_GPU"}, {"harmless", "false"}}},
      {"NVRM: Xid (PCI:0000:ba:00): 149, NETIR_LINK_DOWN", {{"action", ""}, {"harmless", "false"}}},
      {"NVRM: Xid (PCI:0000:18:00): 74, NVLink: fatal error detected on link 5(0x1, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)",
       {{"harmless", "true"}}},
      {"NVRM: Xid (PCI:0000:18:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)",
       {{"recovery_action", "None"}, {"harmless", "true"}}},
      {"NVRM: Xid (PCI:0000:18:00): 13, Graphics SM Warp Exception on (GPC 1, TPC 0): Out Of Range Address",
       {{"harmless", ""}}},
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
