#include "engine/source/unpacking_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr UnpackingBounds kSmall{.free_bytes = 1000, .ratio = 10, .members = 3};

TEST(UnpackingLimit, AnyInputMayUnpackToTheFreeBytes) {
  UnpackingLimit limit("a.zip", kSmall);
  limit.add_unpacked(1000);
  EXPECT_FALSE(limit.is_reached());
  limit.add_packed(1);
  limit.add_unpacked(10);
  EXPECT_FALSE(limit.is_reached());
}

TEST(UnpackingLimit, BeyondThemTheRatioDecides) {
  UnpackingLimit limit("a.zip", kSmall);
  limit.add_packed(100);
  limit.add_unpacked(2000);
  EXPECT_THAT([&] { limit.add_unpacked(10); }, ThrowsMessage<SourceError>(HasSubstr("a.zip: unpacks to more than 10")));
  EXPECT_TRUE(limit.is_reached());
}

TEST(UnpackingLimit, MembersAreCounted) {
  UnpackingLimit limit("a.zip", kSmall);
  for (int i = 0; i < 3; ++i) limit.add_member();
  EXPECT_THAT([&] { limit.add_member(); }, ThrowsMessage<SourceError>(HasSubstr("a.zip: holds more than 3 files")));
}

}  // namespace
}  // namespace cutopsy
