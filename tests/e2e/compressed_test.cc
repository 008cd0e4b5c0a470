// Compressed logs, made by the tools that people use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kMessage = "AssertionError: Torch not compiled with CUDA enabled\n";

// Decoders of blocks give only whole ones: bzip2's hold 900 kB, lz4's up to 4 MB, here 64 kB.
const std::string kTools[] = {"gzip", "bzip2", "xz", "zstd", "lz4 -B4"};

// Some lines, then a failure, then `after` further lines that do not compress well.
std::string log_text(int before, int after) {
  std::ostringstream text;
  unsigned noise = 1;
  const auto line = [&](int i) {
    text << "step " << i;
    for (int word = 0; word < 6; ++word) text << ' ' << (noise = noise * 1664525 + 1013904223);
    text << '\n';
  };
  for (int i = 0; i < before; ++i) line(i);
  text << kMessage;
  for (int i = 0; i < after; ++i) line(i);
  return text.str();
}

class PackedLog : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& bytes) const { folder_.write(name, bytes); }
  // What the tool makes of `text`.
  std::string pack(const std::string& tool, const std::string& text) const {
    write("plain", text);
    EXPECT_EQ(shell(tool + " -c <" + path("plain") + " >" + path("packed")), 0);
    return folder_.read("packed");
  }
  // The report on the file `name`; the exit status and stderr are kept. Without an incident, a null one is added.
  nlohmann::json report(const std::string& name) {
    const std::string command = std::string(CUTOPSY_BINARY) + " --format json " + path(name);
    status_ = shell(command + " >" + path("out") + " 2>" + path("err") + " </dev/null");
    auto report = nlohmann::json::parse(folder_.read("out"), nullptr, false);
    if (report.is_object() && report["incidents"].empty()) report["incidents"].push_back({{"rule", "none"}});
    return report;
  }

  const TemporaryFolder folder_;
  int status_ = 0;
};

class Compressed : public PackedLog, public ::testing::WithParamInterface<std::string> {};

TEST_P(Compressed, IsReadUnderAnyName) {
  const std::string text = log_text(20000, 10);
  write("kern.log", pack(GetParam(), text));
  const auto found = report("kern.log");
  EXPECT_EQ(found["incidents"][0]["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(found["incidents"][0]["where"]["line"], 20001);
  EXPECT_EQ(found["inputs"][0]["bytes"], text.size());
  EXPECT_EQ(status_, 1);
}

TEST_P(Compressed, IsReadFromAPipe) {
  write("log", pack(GetParam(), log_text(5, 5)));
  const std::string command = "cat " + path("log") + " | " CUTOPSY_BINARY " --format json >" + path("out");
  EXPECT_EQ(shell(command), 1);
  EXPECT_EQ(nlohmann::json::parse(folder_.read("out"))["incidents"][0]["rule"], "pytorch/cpu-only-build");
}

TEST_P(Compressed, ManyMembersAreOneText) {
  const std::string first = log_text(300, 0);
  write("log", pack(GetParam(), "step 0\n") + pack(GetParam(), "") + pack(GetParam(), first) + std::string(512, '\0'));
  EXPECT_EQ(report("log")["incidents"][0]["where"]["line"], 302);
}

TEST_P(Compressed, CutOffDataGivesWhatItHoldsAndAnError) {
  const std::string packed = pack(GetParam(), log_text(10, 30000));
  write("log", packed.substr(0, packed.size() * 9 / 10));
  const auto found = report("log");
  EXPECT_EQ(found["incidents"][0]["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(status_, 2);
  EXPECT_THAT(folder_.read("err"), HasSubstr(path("log") + ": the compressed data is cut off"));
}

TEST_P(Compressed, CorruptDataGivesWhatStandsBeforeIt) {
  std::string packed = pack(GetParam(), log_text(10, 30000));
  packed.replace(packed.size() * 3 / 4, 64, std::string(64, '\xAA'));
  write("log", packed);
  const auto found = report("log");
  EXPECT_EQ(found["incidents"][0]["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(status_, 2);
  EXPECT_THAT(folder_.read("err"), HasSubstr(path("log") + ": "));
}

INSTANTIATE_TEST_SUITE_P(Tools, Compressed, ::testing::ValuesIn(kTools),
                         [](const auto& info) { return std::string(info.param.substr(0, info.param.find(' '))); });

TEST_F(PackedLog, ShortCutOffGzipGivesItsFirstLines) {
  const std::string packed = pack("gzip", log_text(2, 300));
  write("log", packed.substr(0, packed.size() / 2));
  EXPECT_EQ(report("log")["incidents"][0]["where"]["line"], 3);
  EXPECT_EQ(status_, 2);
}

TEST_F(PackedLog, ALogThatWasCompressedTwiceIsRead) {
  write("log.zst", pack("zstd", pack("gzip", kMessage)));
  EXPECT_EQ(report("log.zst")["incidents"][0]["rule"], "pytorch/cpu-only-build");
}

TEST_F(PackedLog, ABombIsReadInConstantMemory) {
  ASSERT_EQ(shell("(yes 'step 1 loss 0.5' | head -c 300000000; echo '" + std::string(kMessage) + "') | gzip -1 >" +
                  path("bomb")),
            0);
  EXPECT_EQ(report("bomb")["incidents"][0]["rule"], "pytorch/cpu-only-build");
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
#ifndef __SANITIZE_ADDRESS__
  constexpr long kBudgetKiB = 96 * 1024;
  EXPECT_LT(usage.ru_maxrss, kBudgetKiB);
#endif
}

}  // namespace
}  // namespace cutopsy
