#include "parsers/sxid.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

TEST(Sxid, FatalReportOfADriver) {
  const Event event =
      only_event(kSxidParser, "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 20034, Fatal, Link 32 LTSSM Fault Up");
  EXPECT_EQ(event.kind, "kernel.sxid");
  EXPECT_EQ(event.fields.get("sxid"), "20034");
  EXPECT_EQ(event.fields.get("code"), "20034");
  EXPECT_EQ(event.fields.get("pci"), "0000:86:00.0");
  EXPECT_EQ(event.fields.get("gpu_pci"), "0000:86:00.0");
  EXPECT_EQ(event.fields.get("fatal"), "true");
  EXPECT_EQ(event.fields.get("link"), "32");
  EXPECT_EQ(event.fields.get("text"), "Link 32 LTSSM Fault Up");
}

TEST(Sxid, SeverityWordsTellWhetherItIsFatal) {
  EXPECT_EQ(
      only_event(
          kSxidParser,
          "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)")
          .fields.get("fatal"),
      "false");
  EXPECT_EQ(
      only_event(kSxidParser,
                 "nvidia-nvswitch1: SXid (PCI:0000:87:00.0): 19084, Correctable, Link 05 AN1 Heartbeat Timeout Error")
          .fields.get("fatal"),
      "false");
  EXPECT_EQ(only_event(kSxidParser,
                       "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 10003, Fatal, unhandled interrupt in "
                       "_nvswitch_service_nvlipt_lnk_ls10(2841)")
                .fields.get("fatal"),
            "true");
}

TEST(Sxid, ReportsWithoutSeverityWord) {
  for (const char* line :
       {"nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 27006, Module 3 boot failure",
        "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 10004, NVSWITCH Temperature 96C | TSENSE WARN Threshold 95C",
        "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 26004, SOE reset timeout error(0)"}) {
    const Event event = only_event(kSxidParser, line);
    EXPECT_FALSE(event.fields.has("fatal")) << line;
    EXPECT_FALSE(event.fields.has("link")) << line;
  }
}

TEST(Sxid, PrefixesDoNotMatter) {
  for (const char* line :
       {"[ 2811.402113] nvidia-nvswitch3: SXid (PCI:0000:c6:00.0): 22003, Fatal, Link 12 Minion Halt",
        "Mar 11 09:14:02 gpu-node-07 kernel: nvidia-nvswitch3: SXid (PCI:0000:c6:00.0): 22003, Fatal, Link 12 Minion "
        "Halt"})
    EXPECT_EQ(only_event(kSxidParser, line).fields.get("sxid"), "22003");
}

TEST(Sxid, FabricManagerNamesTheSwitchInNvmlWidth) {
  const Event fatal = only_event(kSxidParser,
                                 "[Mar 11 2025 09:14:02] [ERROR] [tid 12727] detected NVSwitch fatal error 20034 on "
                                 "fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 61");
  EXPECT_EQ(fatal.fields.get("code"), "20034");
  EXPECT_EQ(fatal.fields.get("fatal"), "true");
  EXPECT_EQ(fatal.fields.get("pci"), "00000000:86:00.0");
  EXPECT_EQ(fatal.fields.get("gpu_pci"), "0000:86:00.0");
  EXPECT_EQ(fatal.fields.get("link"), "61");
  EXPECT_EQ(fatal.emitter, "fabric manager");
  const Event other = only_event(kSxidParser,
                                 "nv-fabricmanager: detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci "
                                 "bus id 00000000:86:00.0 physical id 3 port 61");
  EXPECT_EQ(other.fields.get("fatal"), "false");
}

TEST(Sxid, DetailLinesAndXidsAreNoReports) {
  for (const char* line :
       {"nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Severity 0 Engine instance 32 Sub-engine instance 00",
        "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Data {0x00000004, 0x00000004, 0x00000000}",
        "nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 99999999999, Fatal, x",
        "nvidia-nvswitch0: SXid (PCI:", "NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus."})
    EXPECT_TRUE(parse_line(kSxidParser, line).events.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
