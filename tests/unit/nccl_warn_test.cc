#include "parsers/nccl_warn.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

TEST(NcclWarn, PlaceAndMessageOfOldVersions) {
  const Event event = only_event(
      kNcclWarnParser,
      "node1:4242:4310 [0] transport/net_socket.cc:200 NCCL WARN NET/Socket : peer 10.0.0.2<45678> message truncated : "
      "receiving 1048576 bytes instead of 65536");
  EXPECT_EQ(event.kind, "nccl.warn");
  EXPECT_EQ(event.fields.get("host"), "node1");
  EXPECT_EQ(event.fields.get("pid"), "4242");
  EXPECT_EQ(event.fields.get("tid"), "4310");
  EXPECT_EQ(event.fields.get("gpu"), "0");
  EXPECT_EQ(event.fields.get("file"), "transport/net_socket.cc");
  EXPECT_EQ(event.fields.get("line"), "200");
  EXPECT_EQ(event.fields.get("message"),
            "NET/Socket : peer 10.0.0.2<45678> message truncated : receiving 1048576 bytes instead of 65536");
}

TEST(NcclWarn, TimeInFrontIsNoPartOfThePlace) {
  const Event event =
      only_event(kNcclWarnParser,
                 "[2026-11-30 10:00:00] node1:4242:4310 [3] enqueue.cc:1556 NCCL WARN Cuda failure 700 'an "
                 "illegal memory access was encountered'");
  EXPECT_EQ(event.fields.get("host"), "node1");
  EXPECT_EQ(event.fields.get("gpu"), "3");
  EXPECT_EQ(event.fields.get("file"), "enqueue.cc");
  EXPECT_EQ(event.fields.get("message"), "Cuda failure 700 'an illegal memory access was encountered'");
}

TEST(NcclWarn, PartsOfThePlaceMayBeMissing) {
  const Event without_file =
      only_event(kNcclWarnParser, "node1:4242:4310 [0] NCCL WARN Error : ring 0 does not contain rank 1");
  EXPECT_EQ(without_file.fields.get("pid"), "4242");
  EXPECT_FALSE(without_file.fields.has("file"));
  const Event bare = only_event(kNcclWarnParser, "NCCL WARN Bootstrap : no socket interface found");
  EXPECT_EQ(bare.fields.get("message"), "Bootstrap : no socket interface found");
  EXPECT_FALSE(bare.fields.has("host"));
}

TEST(NcclWarn, LabelsOfLaunchersInFrontDoNotMatter) {
  const Event tagged =
      only_event(kNcclWarnParser,
                 "[1,0]<stdout>:hv-gpu-11:41212:41733 [0] init.cc:521 NCCL WARN Duplicate GPU detected : "
                 "rank 0 and rank 1 both on CUDA device 1000");
  EXPECT_EQ(tagged.fields.get("host"), "hv-gpu-11");
  EXPECT_EQ(tagged.fields.get("pid"), "41212");
  EXPECT_EQ(tagged.fields.get("gpu_pci"), "0000:01:00.0");
  const Event labelled =
      only_event(kNcclWarnParser,
                 "[default0]:lab-ws3:140260:140340 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]");
  EXPECT_EQ(labelled.fields.get("host"), "lab-ws3");
  EXPECT_EQ(labelled.fields.get("message"), "Failed to open libibverbs.so[.1]");
}

TEST(NcclWarn, InfoLinesAndCutLinesAreNone) {
  for (const char* line : {"node1:4242:4310 [0] NCCL INFO group.cc:241 -> 1", "node1:4242:4310 [0] NCCL WARN",
                           "NCCL WARN ", "node1:4242:4310 [0] NCCL INFO NCCL_DEBUG set by environment to WARN."})
    EXPECT_TRUE(parse_line(kNcclWarnParser, line).events.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
