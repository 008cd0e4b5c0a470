#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/temporary_folder.h"
#include "validators/kernel_log.h"
#include "validators/xid_line.h"

namespace cutopsy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kOld = "4,1,5000000,-;old\n";
constexpr const char* kXid = "4,2,7421118204,-;NVRM: Xid (PCI:0000:18:00): 48, pid=1, name=a, DBE\n SUBSYSTEM=pci\n";

// One record for each reading, as /dev/kmsg gives them.
void append(const std::string& path, const char* record) {
  std::ofstream(path, std::ios::app) << record;
}

TEST(KernelLogTail, GivesOnlyWhatComesAfterItsBeginning) {
  const TemporaryFolder folder;
  const std::string device = folder.write("kmsg", kOld);
  KernelLogTail tail(device);
  EXPECT_THAT(tail.new_lines(), IsEmpty());
  append(device, kXid);
  EXPECT_THAT(tail.new_lines(), ElementsAre("[ 7421.118204] NVRM: Xid (PCI:0000:18:00): 48, pid=1, name=a, DBE"));
  EXPECT_THAT(tail.new_lines(), IsEmpty());
}

TEST(KernelLogTail, TellsWhenThereIsNoLog) {
  KernelLogTail tail("/no/such/kmsg");
  EXPECT_FALSE(tail.is_open());
  EXPECT_THAT(tail.new_lines(), IsEmpty());
}

TEST(XidLine, ReadsAddressAndNumber) {
  const auto xid = xid_in("[ 7421.1] NVRM: Xid (PCI:0000:18:00 GPU-I:05): 94, pid=7, Contained");
  ASSERT_TRUE(xid);
  EXPECT_EQ(xid->address, "0000:18:00.0");
  EXPECT_EQ(xid->number, 94);
  EXPECT_EQ(xid_in("NVRM: Xid (0000:18:00): 13, Graphics Exception")->number, 13);
}

TEST(XidLine, IsNoOtherLine) {
  for (const char* line : {"", "NVRM: Xid (PCI:0000:18:00", "NVRM: Xid (PCI:0000:18:00): x", "Xid 48"}) {
    EXPECT_FALSE(xid_in(line)) << line;
  }
}

}  // namespace
}  // namespace cutopsy
