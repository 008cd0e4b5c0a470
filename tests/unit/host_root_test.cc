// A copy of a machine comes from anywhere: its links lead nowhere but into it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/temporary_folder.h"
#include "validators/host.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;

class HostRoot : public ::testing::Test {
 protected:
  HostRoot() {
    folder_.write("secret", "of this machine");
    folder_.write("copy/etc/real", "of the copy");
    link("/etc/real", "absolute");
    link("../../secret", "leading-out");
    link(folder_.path("secret"), "absolute-out");
    link(folder_.path(""), "folder-out");
  }
  void link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, folder_.path("copy/etc/" + name));
  }

  const TemporaryFolder folder_;
  const Host host_{folder_.path("copy")};
};

TEST_F(HostRoot, FollowsAnAbsoluteLinkFromTheRootOfTheCopy) {
  EXPECT_EQ(host_.read("/etc/absolute"), "of the copy");
  EXPECT_TRUE(host_.exists("/etc/absolute"));
  EXPECT_THAT(host_.at("/etc/absolute"), EndsWith("/copy/etc/real"));
  EXPECT_EQ(host_.link("/etc/absolute"), "/etc/real");
}

TEST_F(HostRoot, FollowsNoLinkOutOfTheCopy) {
  for (const char* path : {"/etc/leading-out", "/etc/absolute-out", "/etc/../../secret", "/etc/folder-out/secret"}) {
    EXPECT_EQ(host_.read(path), std::nullopt) << path;
    EXPECT_FALSE(host_.exists(path)) << path;
    EXPECT_FALSE(std::filesystem::exists(host_.at(path))) << path;
  }
  EXPECT_THAT(host_.list("/etc/folder-out"), ElementsAre());
}

}  // namespace
}  // namespace cutopsy
