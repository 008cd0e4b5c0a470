// Files that are rotated, truncated and written to while they are read.
#include "engine/live/follow_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

class FollowSourceTest : public ::testing::Test {
 protected:
  ~FollowSourceTest() override {
    if (source_) source_->stop();
    if (reader_.joinable()) reader_.join();
  }

  void follow() {
    source_ = std::make_unique<FollowSource>(path_.string());
    reader_ = std::thread([this] {
      std::array<char, 1000> buffer{};
      while (const std::size_t bytes = source_->read(buffer)) {
        const std::lock_guard lock(mutex_);
        read_.append(buffer.data(), bytes);
      }
    });
  }

  void append(const std::string& text) { std::ofstream(path_, std::ios::app | std::ios::binary) << text; }

  std::string read() {
    const std::lock_guard lock(mutex_);
    return read_;
  }

  /// Waits, 20 seconds at most, until all of `text` has been read.
  std::string read_all(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (read().size() < text.size() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return read();
  }

  const TemporaryFolder folder_;
  const fs::path path_ = folder_.path("app.log");
  std::unique_ptr<FollowSource> source_;
  std::thread reader_;
  std::mutex mutex_;
  std::string read_;
};

TEST_F(FollowSourceTest, ReadsWhatIsThereAndWhatComes) {
  append("one\n");
  follow();
  EXPECT_EQ(read_all("one\n"), "one\n");
  append("two\n");
  EXPECT_EQ(read_all("one\ntwo\n"), "one\ntwo\n");
}

TEST_F(FollowSourceTest, WaitsForAFileThatIsNotThereYet) {
  follow();
  append("late\n");
  EXPECT_EQ(read_all("late\n"), "late\n");
}

TEST_F(FollowSourceTest, ReadsATruncatedFileFromItsStart) {
  append("first, rather long\n");
  follow();
  read_all("first, rather long\n");
  fs::resize_file(path_, 0);
  append("new\n");
  EXPECT_EQ(read_all("first, rather long\nnew\n"), "first, rather long\nnew\n");
}

TEST_F(FollowSourceTest, NoticesATruncatedFileThatHasGrownPastItsOldSize) {
  append("old\n");
  follow();
  read_all("old\n");
  std::ofstream(path_, std::ios::trunc | std::ios::binary) << "entirely new text\n";
  EXPECT_EQ(read_all("old\nentirely new text\n"), "old\nentirely new text\n");
}

TEST_F(FollowSourceTest, FollowsTheNameOverRotation) {
  append("a\n");
  follow();
  read_all("a\n");
  append("b\n");
  fs::rename(path_, folder_.path("app.log.1"));
  append("c\n");
  EXPECT_EQ(read_all("a\nb\nc\n"), "a\nb\nc\n");
}

TEST_F(FollowSourceTest, AThousandRotationsLoseAndDoubleNothing) {
  constexpr int kRotations = 1000, kKept = 20;
  follow();
  std::string expected;
  for (int i = 0; i < kRotations; ++i) {
    std::string text;
    for (int line = 0; line <= i % 7; ++line) text += "line " + std::to_string(i) + "." + std::to_string(line) + "\n";
    append(text);
    expected += text;
    for (int n = kKept; n > 0; --n) {
      const fs::path from = n == 1 ? path_ : fs::path(folder_.path("app.log." + std::to_string(n - 1)));
      std::error_code ignored;
      fs::rename(from, folder_.path("app.log." + std::to_string(n)), ignored);
    }
    // A writer that rotates faster than files are read would delete what nobody has seen: no follower could help.
    if (i % (kKept / 2) == 0) read_all(expected.substr(0, expected.size() - text.size()));
  }
  EXPECT_EQ(read_all(expected), expected);
}

TEST_F(FollowSourceTest, AThousandTruncationsLoseAndDoubleNothing) {
  follow();
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = "line " + std::to_string(i) + " of the log\n";
    append(text);
    expected += text;
    ASSERT_EQ(read_all(expected).size(), expected.size());  // what is cut off unread is gone for everybody
    if (i % 3 == 0) fs::resize_file(path_, 0);
    if (i % 3 == 1) {
      const std::string anew =
          "anew " + std::to_string(i) + " and longer than before, so that the size does not tell\n";
      std::ofstream(path_, std::ios::trunc | std::ios::binary) << anew;
      expected += anew;
      ASSERT_EQ(read_all(expected).size(), expected.size());
    }
  }
  EXPECT_EQ(read(), expected);
}

TEST_F(FollowSourceTest, StopEndsAWaitingRead) {
  append("x\n");
  follow();
  read_all("x\n");
  source_->stop();
  reader_.join();
  EXPECT_EQ(read(), "x\n");
}

TEST(FollowSourceErrors, AFolderThatIsNotThereIsNamed) {
  EXPECT_THROW(FollowSource("/nonexistent/folder/app.log"), SourceError);
}

}  // namespace
}  // namespace cutopsy
