// Archives as people and attackers make them: every one gives its logs, with a message for what could not be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// What all scripts that make archives begin with.
constexpr const char* kPrelude = R"(
import gzip, io, random, sys, tarfile, warnings, zipfile
warnings.simplefilter("ignore")
out = sys.argv[1]
FAULT = "AssertionError: Torch not compiled with CUDA enabled\n"
random.seed(1)
def noise(lines):
    return "".join("step %d %d %d %d\n" % (i, *(random.getrandbits(31) for _ in range(3))) for i in range(lines))
def make_zip(members, to=None):
    with zipfile.ZipFile(to or out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members: archive.writestr(name, text)
def make_tar(members, mode="w"):
    with tarfile.open(out, mode) as archive:
        for name, text in members:
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
def edit(change):
    data = bytearray(open(out, "rb").read())
    open(out, "wb").write(change(data))
)";

class ArchiveInput : public ::testing::Test {
 protected:
  // Runs Python, which makes the archive `name`.
  std::string make(const std::string& name, const std::string& script) const {
    const std::string python = folder_.write("make.py", kPrelude + script);
    EXPECT_EQ(shell("python3 " + python + " " + folder_.path(name)), 0);
    return folder_.path(name);
  }

  // Where faults were found, "name:line" below the folder.
  std::vector<std::string> faults(const std::string& arguments) {
    outcome_ = run_cutopsy("--format jsonl " + arguments);
    std::vector<std::string> found;
    std::istringstream lines(outcome_.out);
    for (std::string line; std::getline(lines, line);) {
      const auto where = nlohmann::json::parse(line)["where"];
      const std::string input = where["input"];
      const std::string folder = folder_.path().string() + "/";
      const std::string name = input.starts_with(folder) ? input.substr(folder.size()) : input;
      found.push_back(name + ":" + std::to_string(where["line"].get<int>()));
    }
    return found;
  }

  const TemporaryFolder folder_;
  Outcome outcome_;
};

TEST_F(ArchiveInput, EachLogInAnArchiveIsACase) {
  make("a.zip", R"(make_zip([("x/a.log", noise(3) + FAULT), ("b.log", FAULT), ("ok.log", noise(9))]))");
  make("b.tar", R"(make_tar([("c.log", FAULT)]))");
  make("c.tgz", R"(make_tar([("d.log", FAULT)], "w:gz"))");
  EXPECT_THAT(faults(folder_.path().string()),
              ElementsAre("a.zip/x/a.log:4", "a.zip/b.log:1", "b.tar/c.log:1", "c.tgz/d.log:1"));
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(ArchiveInput, ArchivesComeThroughPipesToo) {
  for (const char* script : {R"(make_zip([("a.log", FAULT)]))", R"(make_tar([("a.log", FAULT)], "w:xz"))"}) {
    const Outcome outcome = run_cutopsy("--format jsonl", "", "cat " + make("packed", script) + " | ");
    EXPECT_THAT(outcome.out, HasSubstr("\"-/a.log\"")) << script;
    EXPECT_EQ(outcome.status, 1);
  }
}

TEST_F(ArchiveInput, WhatIsNoLogIsSkippedByNameKindAndContent) {
  make("a.zip", R"(make_zip([("a.py", FAULT), (".cache/b.log", FAULT), ("c.bin", bytes(range(256)) * 9),
                             ("site-packages/d.log", FAULT), ("e.log", FAULT)]))");
  EXPECT_THAT(faults(folder_.path("a.zip")), ElementsAre("a.zip/e.log:1"));
  EXPECT_THAT(outcome_.err, HasSubstr("1 binary, 1 hidden, 1 of a package manager, 1 source or document"));
}

TEST_F(ArchiveInput, ModelsAndPackagesInFoldersAreNoArchivesOfLogs) {
  make("model.pt", R"(make_zip([("model/data.log", FAULT)]))");
  folder_.write("a.log", "step 1\n");
  EXPECT_THAT(faults(folder_.path().string()), IsEmpty());
  EXPECT_THAT(faults(folder_.path("model.pt")), ElementsAre("model.pt/model/data.log:1"));
}

TEST_F(ArchiveInput, OfAGitHubLogArchiveEachJobIsReadOnce) {
  make("logs.zip", R"(make_zip([("0_build (3.8).txt", noise(2) + FAULT), ("build (3.8)/1_Set up job.txt", noise(2)),
                                ("build (3.8)/2_Run tests.txt", FAULT), ("1_lint.txt", noise(2))]))");
  EXPECT_THAT(faults(folder_.path("logs.zip")), ElementsAre("logs.zip/0_build (3.8).txt:3"));
  EXPECT_THAT(outcome_.err, HasSubstr("2 repeated in the log of their job"));
}

TEST_F(ArchiveInput, PathsThatLeadOutOfTheArchiveAreOnlyNames) {
  make("a.zip", R"(make_zip([("../../up.log", FAULT), ("/etc/abs.log", FAULT), ("C:\\win\\dos.log", FAULT),
                             ("caf\u00e9\x1b[31m.log", FAULT)]))");
  EXPECT_THAT(faults(folder_.path("a.zip")), ElementsAre("a.zip/up.log:1", "a.zip/etc/abs.log:1", "a.zip/win/dos.log:1",
                                                         "a.zip/caf\u00e9?[31m.log:1"));
  EXPECT_EQ(outcome_.status, 1);
}

TEST_F(ArchiveInput, MembersOfOneNameAreAllRead) {
  make("a.zip", R"(make_zip([("a.log", FAULT), ("a.log", noise(1) + FAULT)]))");
  EXPECT_THAT(faults(folder_.path("a.zip")), ElementsAre("a.zip/a.log:1", "a.zip/a.log#2:2"));
}

TEST_F(ArchiveInput, LinksAndDevicesAreSkipped) {
  make("a.tar", R"(
with tarfile.open(out, "w") as archive:
    for name, kind in (("soft", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("pipe", tarfile.FIFOTYPE)):
        info = tarfile.TarInfo(name + ".log")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
)");
  EXPECT_THAT(faults(folder_.path("a.tar")), IsEmpty());
  EXPECT_THAT(outcome_.err, AllOf(HasSubstr("3 no regular file"), HasSubstr("holds no log")));
}

TEST_F(ArchiveInput, ArchivesInAnArchiveAreReadAndThoseInThemNamed) {
  make("a.zip", R"(
third, inner = io.BytesIO(), io.BytesIO()
make_zip([("never.log", FAULT)], third)
make_zip([("deep.log", FAULT), ("third.zip", third.getvalue()), ("last.log", FAULT)], inner)
make_zip([("inner.zip", inner.getvalue()), ("c.log.gz", gzip.compress(FAULT.encode())), ("after.log", FAULT)])
)");
  EXPECT_THAT(faults(folder_.path("a.zip")), ElementsAre("a.zip/inner.zip/deep.log:1", "a.zip/inner.zip/last.log:1",
                                                         "a.zip/c.log.gz:1", "a.zip/after.log:1"));
  EXPECT_THAT(outcome_.err, HasSubstr("a.zip/inner.zip/third.zip: is an archive in an archive in an archive"));
  EXPECT_EQ(outcome_.status, 2);
}

TEST_F(ArchiveInput, ACorruptMemberGivesWhatStandsBeforeItsFault) {
  make("a.zip", R"(
make_zip([("first.log", noise(2)), ("bad.log", FAULT + noise(4000)), ("last.log", FAULT)])
def change(data):
    begin = data.find(b"bad.log")
    at = begin + (data.find(b"PK\x03\x04", begin) - begin) // 2
    data[at:at + 64] = b"\xAA" * 64
    return data
edit(change)
)");
  EXPECT_THAT(faults(folder_.path("a.zip")), ElementsAre("a.zip/bad.log:1", "a.zip/last.log:1"));
  EXPECT_THAT(outcome_.err, HasSubstr("a.zip/bad.log: is damaged"));
  EXPECT_EQ(outcome_.status, 2);
}

TEST_F(ArchiveInput, OfATruncatedArchiveAllThatIsThereIsRead) {
  constexpr const char* kMembers = R"([("a.log", FAULT), ("b.log", FAULT + noise(4000)), ("c.log", FAULT)])";
  constexpr const char* kCut = "edit(lambda data: data[:len(data) * 8 // 10])";
  for (const char* maker : {"make_zip(", "make_tar(", "make_tar(mode='w:gz', members="}) {
    const std::string path = make("cut", maker + std::string(kMembers) + ")\n" + kCut);
    EXPECT_THAT(faults(path), ElementsAre("cut/a.log:1", "cut/b.log:1")) << maker;
    EXPECT_THAT(outcome_.err, HasSubstr("cut/b.log: is damaged")) << maker;
    EXPECT_EQ(outcome_.status, 2);
  }
}

TEST_F(ArchiveInput, BehindADamagedHeaderOfATarTheRestIsRead) {
  make("a.tar", R"(
make_tar([("a.log", FAULT), ("b.log", FAULT), ("c.log", FAULT)])
def change(data):
    at = data.find(b"b.log") + 100
    data[at:at + 8] = b"damaged!"
    return data
edit(change)
)");
  EXPECT_THAT(faults(folder_.path("a.tar")), ElementsAre("a.tar/a.log:1", "a.tar/c.log:1"));
  EXPECT_THAT(outcome_.err, HasSubstr("a.tar: is damaged"));
}

TEST_F(ArchiveInput, TenThousandMembersAreTenThousandCases) {
  make("a.zip", R"(make_zip([("job%d.log" % i, FAULT if i % 100 == 0 else "step 1\n") for i in range(10000)]))");
  EXPECT_THAT(faults("--jobs 4 " + folder_.path("a.zip")), SizeIs(100));
  EXPECT_EQ(outcome_.status, 1);
  const auto report = nlohmann::json::parse(run_cutopsy("--format json " + folder_.path("a.zip")).out);
  EXPECT_EQ(report["inputs"].size(), 10000u);
}

// 40 members of 100 MB in a file of 2 MB.
constexpr const char* kBomb = R"(
import subprocess
bomb = subprocess.run("yes 'step 1 loss 0.5' | head -c 100000000 | zstd -q -1", shell=True, capture_output=True).stdout
make_zip([("first.log", FAULT), ("noise.log", noise(100000))] +
         [("bomb%d.log.zst" % i, bomb) for i in range(40)] + [("last.log", FAULT)])
)";

TEST_F(ArchiveInput, ABombIsStoppedAndTheOtherInputsAreRead) {
  make("bomb.zip", kBomb);
  folder_.write("z.log", "AssertionError: Torch not compiled with CUDA enabled\n");
  for (const char* jobs : {"1", "2"}) {
    EXPECT_THAT(faults(folder_.path().string() + " --jobs " + jobs), ElementsAre("bomb.zip/first.log:1", "z.log:1"));
    EXPECT_THAT(outcome_.err, HasSubstr("bomb.zip: unpacks to more than 250 times its size"));
    EXPECT_EQ(outcome_.status, 2);
  }
}

TEST_F(ArchiveInput, AnInputThatFailsIsToldOfAndTheRestGoesOn) {
  make("a.zip", R"(make_zip([("a.log", FAULT)]))");
  const std::string missing = folder_.path("missing.zip");
  EXPECT_THAT(faults(missing + " " + folder_.path("a.zip")), ElementsAre("a.zip/a.log:1"));
  EXPECT_THAT(outcome_.err, HasSubstr("missing.zip: No such file or directory"));
  EXPECT_EQ(outcome_.status, 2);
  EXPECT_THAT(faults(folder_.write("empty.zip", std::string("PK\5\6") + std::string(18, '\0'))), IsEmpty());
  EXPECT_THAT(outcome_.err, HasSubstr("empty.zip: holds no log"));
}

TEST_F(ArchiveInput, TheReportIsTheSameForAnyNumberOfJobs) {
  make("a.zip", R"(make_zip([("job%03d.log" % i, noise(2000) + (FAULT if i % 7 == 0 else "")) for i in range(60)]))");
  make("cut.zip", R"(
make_zip([("job%03d.log" % i, noise(2000) + FAULT + noise(2000)) for i in range(20)])
edit(lambda data: data[:len(data) // 2])
)");
  make("big.log", R"(open(out, "w").write(noise(200000) + FAULT + noise(200000)))");
  const std::string folder = folder_.path().string();
  const Outcome one = run_cutopsy("--format json --jobs 1 " + folder);
  EXPECT_THAT(one.out, HasSubstr("big.log"));
  EXPECT_THAT(one.err, HasSubstr("cut.zip"));
  for (const char* jobs : {"2", "5", "16"}) {
    const Outcome many = run_cutopsy("--format json --jobs " + std::string(jobs) + " " + folder);
    EXPECT_EQ(many.out, one.out) << jobs;
    EXPECT_EQ(many.err, one.err) << jobs;
  }
}

}  // namespace
}  // namespace cutopsy
