// `cutopsy run -- CMD` as a user at a terminal, and as a script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// A program on a terminal of 100 columns and 40 rows.
class OnTerminal {
 public:
  explicit OnTerminal(const std::string& command) {
    winsize size{40, 100, 0, 0};
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
      _exit(99);
    }
  }
  ~OnTerminal() { close(terminal_); }

  void type(const std::string& keys) { EXPECT_EQ(write(terminal_, keys.data(), keys.size()), ssize_t(keys.size())); }
  pid_t pid() const { return pid_; }

  /// Reads until `text` has appeared, or to the end; for 20 seconds at most.
  bool wait_for(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (screen.find(text) == std::string::npos && std::chrono::steady_clock::now() < deadline) {
      pollfd wait{terminal_, POLLIN, 0};
      if (poll(&wait, 1, 100) == 0) continue;
      char buffer[4096];
      const ssize_t bytes = read(terminal_, buffer, sizeof buffer);
      if (bytes <= 0) break;
      screen.append(buffer, static_cast<std::size_t>(bytes));
    }
    return screen.find(text) != std::string::npos;
  }

  int end() {
    wait_for("\x01never printed\x01");
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string screen;

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
};

const std::string kRun = CUTOPSY_BINARY " run -- ";

TEST(Run, PassesOutputAndStatusThrough) {
  const Outcome result = run_cutopsy("run -- sh -c 'printf \"a\\0b\\n\"; printf unfinished >&2; exit 0'");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, std::string("a\0b\n", 4));
  EXPECT_EQ(result.err, "unfinished");
}

TEST(Run, PassesAMegabyteThroughByteForByte) {
  const Outcome bare = run_cutopsy("run --log /dev/null -- seq 200000");
  std::string expected;
  for (int i = 1; i <= 200000; ++i) expected += std::to_string(i) + "\n";
  EXPECT_EQ(bare.out, expected);
}

TEST(Run, KeepsTheOrderOfOutputAndErrorsInOneFile) {
  FILE* pipe = popen((kRun + "sh -c 'for i in 1 2 3; do echo out$i; echo err$i >&2; done' 2>&1").c_str(), "r");
  char buffer[256];
  const std::size_t bytes = std::fread(buffer, 1, sizeof buffer, pipe);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(std::string(buffer, bytes), "out1\nerr1\nout2\nerr2\nout3\nerr3\n");
}

TEST(Run, DiagnosesAFailureOnStandardError) {
  const Outcome result = run_cutopsy(
      "run -- sh -c 'echo \"RuntimeError: CUDA error: an illegal memory access was encountered\" >&2; exit 7'");
  EXPECT_EQ(result.status, 7);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, StartsWith("RuntimeError: CUDA error"));
  EXPECT_THAT(result.err, HasSubstr("\n  cuda/illegal-memory-access, "));
}

TEST(Run, ASignalIsAStatusAsInAShellAndAFactOfTheDiagnosis) {
  const Outcome result = run_cutopsy("run -- sh -c 'kill -SEGV $$'");
  EXPECT_EQ(result.status, 139);
  EXPECT_THAT(result.err, HasSubstr("\n  other/segfault, "));
}

TEST(Run, SaysWhenNothingPrintedTellsWhy) {
  const Outcome result = run_cutopsy("run -- sh -c 'echo step 1; exit 3'");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err, "\ncutopsy run: sh ended with status 3; nothing that it printed says why\n");
}

TEST(Run, SaysWhatCannotBeExecuted) {
  const Outcome missing = run_cutopsy("run -- no-such-program");
  EXPECT_EQ(missing.status, 127);
  EXPECT_EQ(missing.err, "cutopsy run: no-such-program: No such file or directory; check its name and PATH\n");
  EXPECT_EQ(run_cutopsy("run -- /etc/passwd").status, 126);
  EXPECT_EQ(run_cutopsy("run").status, 2);
  EXPECT_EQ(run_cutopsy("run --nope -- true").status, 2);
}

TEST(Run, EndsWithTheProgramsStatusAlsoWhenNobodyGetsTheDiagnosis) {
  EXPECT_EQ(shell(CUTOPSY_BINARY " run -- sh -c 'exit 3' 2>&-"), 3);
  EXPECT_EQ(shell(CUTOPSY_BINARY " run -- sh -c 'echo RuntimeError: CUDA error: out of memory; exit 3' "
                                 ">/dev/null 2>/dev/full"),
            3);
}

TEST(Run, GivesTheCommandItsOwnOptions) {
  EXPECT_EQ(run_cutopsy("run --color never echo --format -n x").out, "--format -n x\n");
}

TEST(Run, KeepsTheOutputInALog) {
  const TemporaryFolder folder;
  run_cutopsy("run --log " + folder.path("log") + " -- sh -c 'echo one; echo two >&2'");
  EXPECT_THAT(folder.read("log"), testing::AnyOf("one\ntwo\n", "two\none\n"));
  EXPECT_EQ(run_cutopsy("run --log /nonexistent/x -- true").status, 2);
}

TEST(Run, DoesNotWaitLongForAProcessThatWasLeftBehind) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome result = run_cutopsy("run -- sh -c 'sleep 60 & echo started; exit 4'");
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(result.out, "started\n");
  EXPECT_THAT(result.err, HasSubstr("left behind holds its output still"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Run, AClosedPipeEndsTheProgramAsItWouldAlone) {
  const auto status_before_head = [](const std::string& program) {
    return shell("bash -c 'set -o pipefail; " + program + " 2>/dev/null | head -1 >/dev/null'");
  };
  EXPECT_EQ(status_before_head("yes"), 128 + SIGPIPE);
  EXPECT_EQ(status_before_head(kRun + "yes"), 128 + SIGPIPE);
}

TEST(Run, ForwardsASignalThatIsSentToIt) {
  OnTerminal terminal(kRun + "sh -c 'trap \"echo caught; exit 5\" TERM; echo ready; while :; do sleep 0.1; done'");
  ASSERT_TRUE(terminal.wait_for("ready")) << terminal.screen;
  kill(terminal.pid(), SIGTERM);
  EXPECT_EQ(terminal.end(), 5);
  EXPECT_THAT(terminal.screen, HasSubstr("caught"));
}

TEST(Run, WaitsForAProgramThatIgnoresTheSignal) {
  OnTerminal terminal(kRun + "sh -c 'trap \"\" TERM; echo ready; sleep 1; echo done'");
  ASSERT_TRUE(terminal.wait_for("ready")) << terminal.screen;
  kill(terminal.pid(), SIGTERM);
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_THAT(terminal.screen, HasSubstr("done"));
}

TEST(Run, CtrlCReachesTheProgramOnce) {
  OnTerminal terminal(kRun + "sh -c 'trap \"echo caught\" INT; echo ready; sleep 1; sleep 1; exit 6'");
  ASSERT_TRUE(terminal.wait_for("ready")) << terminal.screen;
  terminal.type("\x03");
  EXPECT_EQ(terminal.end(), 6);
  const std::size_t first = terminal.screen.find("caught");
  ASSERT_NE(first, std::string::npos) << terminal.screen;
  EXPECT_EQ(terminal.screen.find("caught", first + 1), std::string::npos) << terminal.screen;
}

TEST(Run, TheProgramSeesATerminalOfTheSameSize) {
  OnTerminal terminal(kRun + "sh -c 'test -t 1 && test -t 2 && stty size <&1; printf \"50%%\\r100%%\\n\"'");
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_EQ(terminal.screen, "40 100\r\n50%\r100%\r\n");
}

TEST(Run, OutputOnATerminalIsAsWithoutIt) {
  const std::string program = "sh -c 'printf \"\\033[31mred\\033[0m\\ta\\r\\nb\\n\\n\\x80\\n\"; seq 2000; printf last'";
  OnTerminal bare(program), watched(kRun + program);
  EXPECT_EQ(bare.end(), 0);
  EXPECT_EQ(watched.end(), 0);
  EXPECT_EQ(watched.screen, bare.screen);
}

TEST(Run, TheProgramReadsTheTerminal) {
  OnTerminal terminal(kRun + "sh -c 'read line; echo \"got $line\"'");
  terminal.type("hello\n");
  EXPECT_EQ(terminal.end(), 0);
  EXPECT_THAT(terminal.screen, HasSubstr("got hello"));
}

}  // namespace
}  // namespace cutopsy
