// Files that change while they are read.
#include "engine/source/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;

std::size_t read_four(ByteSource& source) {
  std::array<char, 4> buffer{};
  return source.read(buffer);
}

TEST(ByteSource, ReadsWhatIsAppendedMeanwhile) {
  const TemporaryFolder folder;
  const auto source = open_file(folder.write("x.log", "abcd"));
  EXPECT_EQ(read_four(*source), 4u);
  folder.write("x.log", "abcdef");
  EXPECT_EQ(read_four(*source), 2u);
  EXPECT_EQ(read_four(*source), 0u);
}

TEST(ByteSource, TellsOfTruncation) {
  const TemporaryFolder folder;
  const auto source = open_file(folder.write("x.log", "abcdefgh"));
  EXPECT_EQ(read_four(*source), 4u);
  std::filesystem::resize_file(folder.path("x.log"), 2);
  EXPECT_THAT([&] { read_four(*source); }, ::testing::Throws<SourceError>(Property(
                                               &SourceError::what, HasSubstr("was truncated while it was read"))));
}

TEST(ByteSource, ReadsFilesThatTellNoSize) {
  const auto source = open_file("/proc/self/status");
  while (read_four(*source) > 0) {
  }
}

}  // namespace
}  // namespace cutopsy
