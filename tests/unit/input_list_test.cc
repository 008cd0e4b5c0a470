#include "engine/source/input_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class InputListTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) const { folder_.write(name, bytes); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  // The inputs' paths without the temporary folder.
  std::vector<std::string> names(const InputList& list) const {
    std::vector<std::string> found;
    for (const InputName& input : list.inputs) found.push_back(fs::relative(input.path, folder_.path()));
    return found;
  }

  const TemporaryFolder folder_;
};

TEST_F(InputListTest, TakesNamedFilesAsTheyAre) {
  write("core.bin", std::string(100, '\0'));
  InputList list = list_inputs({"-", path("core.bin"), path("missing.log")});
  EXPECT_EQ(list.inputs.size(), 3u);
  EXPECT_EQ(list.inputs[0].path, "-");
  EXPECT_EQ(list.inputs[2].folder, 0u);
}

TEST_F(InputListTest, FindsTheLogsBelowAFolderInTheOrderOfTheirPaths) {
  write("b/train.log", "step 1\n");
  write("a/x/kern.txt", "text\n");
  write("a/empty.log", "");
  InputList list = list_inputs({path("b"), path("a")});
  EXPECT_THAT(names(list), ElementsAre("b/train.log", "a/empty.log", "a/x/kern.txt"));
  EXPECT_EQ(list.inputs[0].folder, 1u);
  EXPECT_EQ(list.inputs[2].folder, 2u);
}

TEST_F(InputListTest, SkipsWhatIsNoLogAndCountsIt) {
  write("train.log", "step 1\n");
  write("model.pt", std::string("PK\x03\x04") + std::string(64, '\x01'));
  write("train.py", "raise RuntimeError('CUDA out of memory')\n");
  write(".git/HEAD", "ref\n");
  write("node_modules/x/a.log", "x\n");
  fs::create_directory_symlink(folder_.path(), folder_.path("again"));
  InputList list = list_inputs({folder_.path().string()});
  EXPECT_THAT(names(list), ElementsAre("train.log"));
  EXPECT_THAT(list.skipped, ElementsAre(Pair("binary", 1), Pair("hidden", 1), Pair("link to a folder", 1),
                                        Pair("of a package manager", 1), Pair("source or document", 1)));
}

TEST_F(InputListTest, ReadsLogsThatOnlyLookOdd) {
  write("utf16.log", std::string("\xFF\xFEs\0t\0e\0p\0", 10));
  write("utf16-without-mark.log", std::string("s\0t\0e\0p\0 \0001\0\n\0", 14));
  write("colours.log", "\x1b[31mred\x1b[0m\a\r\n");
  write("emptied-while-written.log", std::string(20000, '\0') + std::string(9000, 'x') + "\n");
  write("kern.log.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10));
  InputList list = list_inputs({folder_.path().string()});
  EXPECT_EQ(list.inputs.size(), 5u);
  EXPECT_THAT(list.skipped, IsEmpty());
}

TEST_F(InputListTest, ExpandsPatternsOverFoldersToo) {
  write("a/1/train.log", "x\n");
  write("a/2/deep/train.log", "x\n");
  write("a/train.txt", "x\n");
  EXPECT_THAT(names(list_inputs({path("a/**/*.log")})), ElementsAre("a/1/train.log", "a/2/deep/train.log"));
  EXPECT_THAT(names(list_inputs({path("a/*/train.log")})), ElementsAre("a/1/train.log"));
  EXPECT_THAT(names(list_inputs({path("a/train.[st]xt")})), ElementsAre("a/train.txt"));
  EXPECT_EQ(list_inputs({path("a/**/*.log")}).inputs[0].folder, 0u);
}

TEST_F(InputListTest, TakesAFileWhoseNameLooksLikeAPattern) {
  write("run[1].log", "x\n");
  EXPECT_THAT(names(list_inputs({path("run[1].log")})), ElementsAre("run[1].log"));
}

TEST_F(InputListTest, SaysWhatToDoWhenNothingIsFound) {
  fs::create_directory(folder_.path("empty"));
  EXPECT_THAT(list_inputs({path("*.log")}).errors, ElementsAre(HasSubstr("no file matches this pattern")));
  EXPECT_THAT(list_inputs({path("empty")}).errors, ElementsAre(HasSubstr("holds no log")));
}

}  // namespace
}  // namespace cutopsy
