#include "validators/pci_devices.h"

#include <gtest/gtest.h>

#include "tests/unit/sysroot.h"

namespace cutopsy {
namespace {

TEST(PciAddressTest, ReadsEveryWidthThatIsPrinted) {
  for (const char* const printed :
       {"0000:3b:00.0", "00000000:3B:00.0", "PCI:0000:3b:00", "0000:3b:00", "3b:00.0", "PCI:0000:3b:00.0"}) {
    EXPECT_EQ(pci_address(printed), "0000:3b:00.0") << printed;
  }
  EXPECT_EQ(pci_address("0009:01:00.0"), "0009:01:00.0");
  EXPECT_EQ(pci_address("10000:e1:1f.7"), "10000:e1:1f.7");  // Intel's VMD
}

TEST(PciAddressTest, RefusesWhatIsNone) {
  for (const char* const printed : {"", "79", "PCI:", "0:0000:3b:00.0", "3b:20.0", "3b:00.8", "zz:00.0", "100:00.0",
                                    "3b:00.0/../..", "pci0000:3a", ":", "3b:00."}) {
    EXPECT_EQ(pci_address(printed), "") << printed;
  }
}

TEST(PciDevicesTest, TellsGpusFromOtherFunctionsOfNvidia) {
  const Sysroot machine(gpu("0000:1a:00.0") +
                        pci_function("0000:1a:00.1", "0x10de", "0x22ba", "0x040300", "snd_hda_intel") +
                        pci_function("0000:05:00.0", "0x10de", "0x22a3", "0x068000", "nvidia-nvswitch") +
                        pci_function("0000:02:00.0", "0x1002", "0x744c", "0x030000", "amdgpu"));
  EXPECT_EQ(nvidia_devices(machine.host()).size(), 3U);
  const auto gpus = nvidia_gpus(machine.host());
  ASSERT_EQ(gpus.size(), 1U);
  EXPECT_EQ(gpus[0].address, "0000:1a:00.0");
  EXPECT_EQ(gpus[0].device, 0x2330);
  EXPECT_EQ(gpus[0].driver, "nvidia");
  EXPECT_EQ(bridges_above(machine.host(), gpus[0]), std::vector<std::string>{"0000:00:1a.0"});
}

TEST(PciDevicesTest, KnowsTheFamiliesAtTheirEdges) {
  // V100S, RTX 2080 Ti; RTX 500 Ada, B200.
  EXPECT_TRUE((PciDevice{.address = "", .device = 0x1df6, .driver = ""}.is_before_turing()));
  EXPECT_FALSE((PciDevice{.address = "", .device = 0x1e02, .driver = ""}.is_before_turing()));
  EXPECT_FALSE((PciDevice{.address = "", .device = 0x28bb, .driver = ""}.is_blackwell_or_later()));
  EXPECT_TRUE((PciDevice{.address = "", .device = 0x2901, .driver = ""}.is_blackwell_or_later()));
}

}  // namespace
}  // namespace cutopsy
