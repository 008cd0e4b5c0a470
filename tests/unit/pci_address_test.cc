#include "parsers/pci_address.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(PciAddress, WidthsOfDriverNvmlAndFabricManagerBecomeOne) {
  EXPECT_EQ(canonical_pci_address("0000:18:00"), "0000:18:00.0");
  EXPECT_EQ(canonical_pci_address("0000:18:00.0"), "0000:18:00.0");
  EXPECT_EQ(canonical_pci_address("00000000:18:00.0"), "0000:18:00.0");
  EXPECT_EQ(canonical_pci_address("18:00.0"), "0000:18:00.0");
}

TEST(PciAddress, DomainFunctionAndCaseAreKept) {
  EXPECT_EQ(canonical_pci_address("0009:01:00"), "0009:01:00.0");
  EXPECT_EQ(canonical_pci_address("10000:E1:1F.3"), "10000:e1:1f.3");
}

TEST(PciAddress, ALabelMayStandBefore) {
  EXPECT_EQ(canonical_pci_address("PCI:0000:3b:00"), "0000:3b:00.0");
  EXPECT_EQ(canonical_pci_address("PCI:0000:3b:00.0"), "0000:3b:00.0");
  EXPECT_EQ(canonical_pci_address("PCI:3b:00.0"), "0000:3b:00.0");
}

TEST(PciAddress, TheXServerWritesDecimalNumbers) {
  EXPECT_EQ(canonical_pci_address("PCI:59:0:0"), "0000:3b:00.0");
  EXPECT_EQ(canonical_pci_address("PCI:1:0:1"), "0000:01:00.1");
}

TEST(PciAddress, BusIdOfNccl) {
  EXPECT_EQ(pci_address_of_bus_id("1000"), "0000:01:00.0");
  EXPECT_EQ(pci_address_of_bus_id("b7000"), "0000:b7:00.0");
  EXPECT_EQ(pci_address_of_bus_id("0x3b000"), "0000:3b:00.0");
  EXPECT_EQ(pci_address_of_bus_id("901000"), "0009:01:00.0");
  for (const char* text : {"", "0x", "xyz", "1000 ", "ff0", "1008", "fffffffff"})
    EXPECT_EQ(pci_address_of_bus_id(text), "") << text;
}

TEST(PciAddress, OtherTextIsNoAddress) {
  for (const char* text : {"", ":", ".", "18", "0000:18:00.", "0000:18:", "0000:18:zz.0", "0000:100:00.0",
                           "0000:18:20.0", "0000:18:00.8", "1:2:3:4", "fffffffffffff:18:00.0", "GPU-1b2c3d4e"})
    EXPECT_EQ(canonical_pci_address(text), "") << text;
}

}  // namespace
}  // namespace cutopsy
