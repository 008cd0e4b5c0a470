// Pipes that go on, findings as they come, and files that are followed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kFault = "RuntimeError: CUDA error: an illegal memory access was encountered\n";
const std::string kXid = "[ 12.5] NVRM: Xid (PCI:0000:03:00): 79, pid=1, name=python, GPU has fallen off the bus.\n";

/// A command in the background in a folder of its own, its output in files.
class InBackground {
 public:
  explicit InBackground(const std::string& command) {
    pid_ = fork();
    if (pid_ == 0) {
      if (chdir(folder_.path().c_str()) != 0) _exit(98);
      execl("/bin/sh", "sh", "-c", ("{ " + command + "; } >out 2>err").c_str(), nullptr);
      _exit(99);
    }
  }

  std::string read(const char* name) const { return folder_.read(name); }
  void append(const char* name, const std::string& text) const {
    std::ofstream(folder_.path(name), std::ios::app | std::ios::binary) << text;
  }
  /// Waits, 20 seconds at most, until the output holds `text`.
  bool wait_for(const std::string& text, const char* in = "out") const {
    for (int i = 0; i < 2000 && read(in).find(text) == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return read(in).find(text) != std::string::npos;
  }
  int end(int signal) const {
    if (signal != 0) kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  const TemporaryFolder folder_;
  pid_t pid_ = -1;
};

TEST(Tee, PassesInputOnAndReportsOnStandardError) {
  const std::string input = std::string("a\0b\r", 4) + kFault + "unfinished";
  const Outcome result = run_cutopsy("--tee", input);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, input);
  EXPECT_THAT(result.err, HasSubstr("cuda/illegal-memory-access"));
}

/// A shell's pipe into cutopsy whose writer lives on until it is told to end.
std::string slow_pipe(const std::string& first, const std::string& options) {
  return "(printf '" + first + "'; touch written; while [ ! -e stop ]; do sleep 0.05; done) | " CUTOPSY_BINARY " " +
         options;
}

TEST(Tee, PassesEachLineOnAtOnce) {
  const InBackground running(slow_pipe("step 1\\n", "--tee"));
  EXPECT_TRUE(running.wait_for("step 1\n"));
  running.append("stop", "");
  EXPECT_EQ(running.end(0), 0);
}

TEST(Tee, RefusesFilesBesideIt) {
  EXPECT_THAT(run_cutopsy("--tee x.log").err, HasSubstr("name no files beside it"));
}

TEST(Live, ShowsAFindingBeforeTheEnd) {
  const InBackground running(
      slow_pipe("RuntimeError: CUDA error: an illegal memory access was encountered\\nnext\\n", "--live"));
  EXPECT_TRUE(running.wait_for(
      "line 1: fatal: A kernel read or wrote memory that it may not (cuda/illegal-memory-access)", "err"));
  EXPECT_THAT(running.read("out"), IsEmpty());
  running.append("stop", "");
  EXPECT_EQ(running.end(0), 1);
  EXPECT_THAT(running.read("out"), HasSubstr("cuda/illegal-memory-access, "));
}

TEST(Live, ASignalStillGivesTheReportOfWhatWasRead) {
  const std::string command =
      "sh -c '(printf \"CUDA error: an illegal memory access was encountered\\n\"; sleep 4) | "
      "(timeout --preserve-status -s TERM 1 " CUTOPSY_BINARY "; echo status $?)' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  std::string out(4096, '\0');
  out.resize(std::fread(out.data(), 1, out.size(), pipe));
  EXPECT_THAT(out, HasSubstr("cuda/illegal-memory-access, "));
  EXPECT_THAT(out, HasSubstr("status 1\n"));
  pclose(pipe);
}

TEST(Follow, TellsEachFaultAsItComesAndCountsForPrometheus) {
  const InBackground running("exec " CUTOPSY_BINARY " --follow kern.log late.log --metrics metrics.prom");
  running.append("kern.log", "[ 1.0] all is well\n" + kXid);
  ASSERT_TRUE(running.wait_for("\"rule\":\"driver/xid-79\"")) << running.read("err");
  running.append("late.log", kFault + "next\n");
  ASSERT_TRUE(running.wait_for("cuda/illegal-memory-access"));
  ASSERT_TRUE(
      running.wait_for("cutopsy_findings_total{rule=\"driver/xid-79\",severity=\"fatal\"} 1\n", "metrics.prom"));
  EXPECT_EQ(running.end(SIGTERM), 0);
  const auto alert = nlohmann::json::parse(running.read("out").substr(0, running.read("out").find('\n')));
  EXPECT_EQ(alert["schema"], "cutopsy/alert/v1");
  EXPECT_EQ(alert["where"]["input"], "kern.log");
  EXPECT_EQ(alert["where"]["line"], 2);
}

TEST(Follow, ReadsAPipeToItsEnd) {
  const Outcome result = run_cutopsy("--follow -", kXid + kXid + kXid);
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("{\"schema\":\"cutopsy/alert/v1\",\"rule\":\"driver/xid-79\""));
  EXPECT_THAT(result.out, HasSubstr("\"count\":3}\n"));
}

TEST(Follow, SaysWhatItCannotWatch) {
  const Outcome result = run_cutopsy("--follow /nonexistent/kern.log");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/kern.log: its folder cannot be watched"));
  EXPECT_EQ(run_cutopsy("--follow").status, 2);
  EXPECT_EQ(run_cutopsy("--metrics x y.log").status, 2);
}

}  // namespace
}  // namespace cutopsy
