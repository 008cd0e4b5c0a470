// `cutopsy check` as a user runs it, without a GPU and on simulated ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "tests/e2e/running_command.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kOneGpu = "[gpu 0]\nname = NVIDIA H100 80GB HBM3\n";

// The one answer of a check, as JSON.
nlohmann::json answer(const nlohmann::json& report, const std::string& check) {
  for (const auto& one : report["checks"]) {
    if (one["check"] == check) return one;
  }
  return nullptr;
}

TEST(CheckCommand, SaysWithoutAGpuWhatIsMissingAtWhichLayer) {
  const Outcome outcome = run_cutopsy("check");
  EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
  for (const char* layer : {"PCI bus", "kernel module", "device nodes", "driver library", "NVML"}) {
    EXPECT_THAT(outcome.out, HasSubstr(layer));
  }
  EXPECT_THAT(outcome.out, HasSubstr("no NVIDIA GPU"));
  EXPECT_THAT(outcome.out, HasSubstr("->"));
}

TEST(CheckCommand, FindsNothingOnASoundMachine) {
  const Outcome outcome = SimulatedMachine(kOneGpu).run("check --all --budget 5m");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("Faults")));
  EXPECT_THAT(outcome.out, HasSubstr("NVIDIA H100 80GB HBM3"));
}

TEST(CheckCommand, EndsWithOneWhenACheckFindsItsFault) {
  const Outcome outcome = SimulatedMachine("[gpu 0]\necc.volatile.uncorrected = 3\n").run("check ecc-counters");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("3 uncorrected"));
}

TEST(CheckCommand, AsksEachGpuOrTheOneThatIsNamed) {
  const SimulatedMachine machine("[gpu 0]\n[gpu 1]\necc.volatile.uncorrected = 1\n");
  EXPECT_EQ(machine.check("ecc-counters")["checks"].size(), 2U);
  EXPECT_EQ(machine.run("check ecc-counters --gpu 0").status, 0);
  EXPECT_EQ(machine.run("check ecc-counters --gpu 0000:02:00.0").status, 1);
  EXPECT_EQ(machine.run("check ecc-counters --gpu 7").status, 2);
}

TEST(CheckCommand, TakesAHangForAnAnswerAndGoesOn) {
  const auto report = SimulatedMachine("[gpu 0]\nhang = cuCtxSynchronize\n[gpu 1]\n").check("context-smoke");
  ASSERT_EQ(report["checks"].size(), 2U);
  EXPECT_EQ(report["checks"][0]["answer"], "yes");
  EXPECT_THAT(report["checks"][0]["detail"].get<std::string>(), HasSubstr("no answer in"));
  EXPECT_EQ(report["checks"][1]["answer"], "no");
}

TEST(CheckCommand, TakesACrashForAnAnswerAndGoesOn) {
  const auto report = SimulatedMachine("[gpu 0]\ncrash = cuLaunchKernel\n[gpu 1]\n").check("context-smoke");
  ASSERT_EQ(report["checks"].size(), 2U);
  EXPECT_EQ(report["checks"][0]["answer"], "yes");
  EXPECT_THAT(report["checks"][0]["detail"].get<std::string>(), HasSubstr("signal 11"));
  EXPECT_EQ(report["checks"][1]["answer"], "no");
}

TEST(CheckCommand, NamesWhatBlocksACheck) {
  const auto report = SimulatedMachine("cu.cuInit = 999\n[gpu 0]\n").check("memory-pattern");
  const auto blocked = answer(report, "memory-pattern");
  EXPECT_EQ(blocked["answer"], "unknown");
  EXPECT_THAT(blocked["detail"].get<std::string>(), HasSubstr("blocked by"));
  EXPECT_EQ(report["status"], 2);
}

TEST(CheckCommand, LeavesABusyGpuAloneUnlessForced) {
  const SimulatedMachine machine("[gpu 0]\nprocesses = 1:32 MiB:python\n");
  const auto polite = machine.check("memory-pattern");
  EXPECT_EQ(answer(polite, "memory-pattern")["doubt"], "could-not-run");
  EXPECT_THAT(answer(polite, "memory-pattern")["detail"].get<std::string>(), HasSubstr("busy"));
  // On a slow machine the time may be up before all is compared.
  EXPECT_NE(answer(machine.check("memory-pattern --force"), "memory-pattern")["doubt"], "could-not-run");
}

TEST(CheckCommand, ListsEveryCheckWithItsParameters) {
  const Outcome text = run_cutopsy("check --list");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("memory-pattern: "));
  const auto list = nlohmann::json::parse(run_cutopsy("check --list --format json").out);
  EXPECT_GT(list.size(), 70U);
  for (const auto& check : list) {
    EXPECT_TRUE(check["question"].get<std::string>().ends_with("?")) << check;
    EXPECT_FALSE(check["decision"].get<std::string>().empty()) << check;
  }
}

TEST(CheckCommand, RefusesWhatItDoesNotKnow) {
  const Outcome name = run_cutopsy("check memory-patern");
  EXPECT_EQ(name.status, 2);
  EXPECT_THAT(name.err, HasSubstr("did you mean memory-pattern?"));
  EXPECT_EQ(run_cutopsy("check --level heroic").status, 2);
  EXPECT_THAT(run_cutopsy("check --budget soon").err, HasSubstr("write 30s or 5m"));
  EXPECT_THAT(run_cutopsy("check --sysroot /no/such/folder").err, HasSubstr("no such folder"));
  for (const char* option : {"--budget ''", "--pid 0", "--pid ''", "--gpu ''", "--gpu nonsense", "--gpu 0000:"}) {
    const Outcome refused = run_cutopsy("check shm-size " + std::string(option));
    EXPECT_EQ(refused.status, 2) << option;
    EXPECT_THAT(refused.err, HasSubstr(std::string(option).substr(0, 5))) << option;
    EXPECT_TRUE(refused.out.empty()) << option;
  }
  EXPECT_THAT(run_cutopsy("check alloc-probe --with 'size=2 apples'").err, HasSubstr("size '2 apples' is no size"));
  EXPECT_THAT(SimulatedMachine(kOneGpu).run("check shm-size --gpu 7").err, HasSubstr("--gpu 7: no GPU"));
  EXPECT_THAT(run_cutopsy("check --with size").err, HasSubstr("NAME=VALUE"));
  EXPECT_THAT(run_cutopsy("check --with requested=1").err, HasSubstr("no check knows that name"));
}

TEST(CheckCommand, MakesPrintableWhatFilesAndDriversSay) {
  const TemporaryFolder folder;
  folder.write("sys/module/nvidia/version", "580\xff\x1b[31m" + std::string(100'000, 'x'));
  const std::string copy = "check --sysroot " + folder.path().string();
  const Outcome text = run_cutopsy(copy);
  EXPECT_THAT(text.out, HasSubstr("nvidia 580"));
  EXPECT_THAT(text.out, Not(HasSubstr("\x1b")));
  EXPECT_LT(text.out.size(), 10'000U);
  const auto layers = nlohmann::json::parse(run_cutopsy(copy + " --format json").out)["machine"]["layers"];
  EXPECT_THAT(layers[1]["detail"].get<std::string>(), HasSubstr("nvidia 580"));
  const auto report = SimulatedMachine("[gpu 0]\nuuid = GPU-\xff\x1b[31m\n").check("nvml-init");
  EXPECT_THAT(report["machine"]["gpus"][0]["uuid"].get<std::string>(), HasSubstr("GPU-"));
}

TEST(CheckCommand, AFileOfAMebibyteIsNoDamagedAnswer) {
  const TemporaryFolder folder;
  folder.write("proc/sys/kernel/hostname", std::string(2 << 20, 'h'));
  folder.write("etc/hosts", "127.0.0.1 localhost\n");
  const Outcome outcome = run_cutopsy("check hostname-loopback --sysroot " + folder.path().string());
  EXPECT_EQ(outcome.status, 0) << outcome.out.substr(0, 1000);
}

// A program that --python names may be anything.
std::string refusal_of_interpreter(const std::string& script) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.write("python", "#!/bin/sh\n" + script), std::filesystem::perms::owner_all);
  const Outcome outcome = run_cutopsy("check torch-build --python " + folder.path("python"));
  EXPECT_EQ(outcome.status, 2);
  return outcome.err;
}

TEST(CheckCommand, EndsAnInterpreterThatIsNone) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal_of_interpreter("yes\n"), HasSubstr("prints more than"));
  EXPECT_THAT(refusal_of_interpreter("kill -9 $$\n"), HasSubstr("ended by signal 9"));
  EXPECT_THAT(refusal_of_interpreter("exit 1\n"), HasSubstr("cannot import torch"));
  EXPECT_THAT(refusal_of_interpreter("sleep 50 & echo hello\n"), HasSubstr("no Python that answers"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(40));
}

// Of a sound machine; on a slow one the time limit holds it, and the answers then say so.
TEST(CheckCommand, KeepsToTheTimeOfItsLevel) {
  const SimulatedMachine machine("[gpu 0]\nmemory.total = 16 MiB\n[gpu 1]\nmemory.total = 16 MiB\n");
  const auto start = std::chrono::steady_clock::now();
  machine.run("check --level quick");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(CheckCommand, SaysThatNobodyGetsItsReport) {
  const TemporaryFolder folder;
  EXPECT_EQ(shell(CUTOPSY_BINARY " check debug-env >&- 2>" + folder.path("err")), 2);
  EXPECT_THAT(folder.read("err"), HasSubstr("could not be written"));
}

TEST(CheckCommand, ReadsACopyOfAMachineWithoutAskingItsOwnGpus) {
  const SimulatedMachine machine(kOneGpu);
  std::filesystem::create_directories(machine.folder().path("root/proc"));
  const auto report = machine.check("ecc-counters --sysroot " + machine.folder().path("root"));
  EXPECT_EQ(answer(report, "ecc-counters")["doubt"], "could-not-run");
  EXPECT_TRUE(report["machine"]["gpus"].empty());
}

TEST(CheckCommand, KnowsTheToolkitsStubOnTheLibraryPath) {
  if (!std::filesystem::exists("/usr/local/cuda/lib64/stubs/libcuda.so")) GTEST_SKIP() << "no CUDA toolkit here";
  const Outcome outcome = run_cutopsy("check stub-lib", "", "LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs ");
  EXPECT_EQ(outcome.status, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("stubs"));
}

TEST(CheckCommand, KeepsDriverLibrariesOutOfTheParent) {
  const SimulatedMachine machine("[gpu 0]\nhang = cuCtxSynchronize\n");
  const RunningCommand check(machine, {"check", "ecc-counters", "context-smoke"});
  // Both children are there when the hanging one has loaded CUDA.
  const pid_t observer = check.child_with("libnvidia-ml.so.1"), cuda = check.child_with("libcuda.so.1");
  EXPECT_GT(observer, 0);
  EXPECT_GT(cuda, 0);
  EXPECT_NE(observer, cuda);
  EXPECT_FALSE(maps(check.pid(), "libcuda.so") || maps(check.pid(), "libnvidia-ml.so"));
}

}  // namespace
}  // namespace cutopsy
