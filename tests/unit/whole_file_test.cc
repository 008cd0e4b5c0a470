// Files that are written as a whole or not at all.
#include "engine/live/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(WholeFile, IsNewOrReplacesTheOldOne) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_whole_file(folder.path("report"), "one"), "");
  EXPECT_EQ(write_whole_file(folder.path("report"), "two"), "");
  EXPECT_EQ(folder.read("report"), "two");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(WholeFile, KeepsTheModeOfTheOldOne) {
  const TemporaryFolder folder;
  const std::string path = folder.write("report", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_EQ(write_whole_file(path, "new"), "");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WholeFile, LeavesALinkALink) {
  const TemporaryFolder folder;
  folder.write("target", "old");
  fs::create_symlink(folder.path("target"), folder.path("link"));
  ASSERT_EQ(write_whole_file(folder.path("link"), "new"), "");
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("target"), "new");
}

TEST(WholeFile, WritesToADeviceAndLeavesItThere) {
  EXPECT_EQ(write_whole_file("/dev/null", "text"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WholeFile, TellsWhatWentWrongAndLeavesTheOldOne) {
  const TemporaryFolder folder;
  EXPECT_NE(write_whole_file(folder.path("none/report"), "text"), "");
  EXPECT_NE(write_whole_file(folder.path().string(), "text"), "");
  EXPECT_NE(write_whole_file("/dev/full", "text"), "");
  EXPECT_EQ(files_in(folder), 0u);
}

}  // namespace
}  // namespace cutopsy
