// `cutopsy check --self-test` on machines that report faults, and on such as do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/image.h"
#include "tests/e2e/running_command.h"

namespace cutopsy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kGpu = "[gpu 0]\n";

class SelfTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
    log_ = folder_.write("kern.log", "[    1.000000] Linux version 6.8\n");
  }

  // The answer about one fault on a machine of one GPU with these keys.
  nlohmann::json answer(const std::string& fault, const std::string& keys) {
    const SimulatedMachine machine(kGpu + keys + "\nkernel_log = " + log_ + "\n");
    const auto report = machine.check("--self-test --kernel-log " + log_ + " fault-" + fault);
    if (report["checks"].size() != 1 || report["self_test"] != true) return "no report of one fault: " + report.dump();
    return report["checks"][0];
  }

  // A machine whose answers are `answer` with these words in them.
  void expect(const char* fault, const std::string& keys, const char* answer, const std::vector<std::string>& words) {
    const auto one = this->answer(fault, keys);
    ASSERT_TRUE(one.is_object()) << one;
    EXPECT_EQ(one["answer"], answer) << one;
    for (const std::string& word : words) EXPECT_THAT(one["detail"].get<std::string>(), HasSubstr(word));
  }

  TemporaryFolder folder_;
  std::string log_;
};

TEST_F(SelfTest, FindsThatASoundMachineReportsEveryFault) {
  const SimulatedMachine machine(kGpu + ("kernel_log = " + log_ + "\n"));
  const Outcome outcome = machine.run("check --self-test --kernel-log " + log_);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("CUDA error 710 (CUDA_ERROR_ASSERT)"), HasSubstr("logged Xid 43"),
                    HasSubstr("Assertion `made_to_fail` failed."),
                    HasSubstr("CUDA error 700 (CUDA_ERROR_ILLEGAL_ADDRESS)"), HasSubstr("logged Xid 31"),
                    HasSubstr("CUDA error 716 (CUDA_ERROR_MISALIGNED_ADDRESS)"), HasSubstr("logged Xid 13"),
                    HasSubstr("kept its process waiting"), HasSubstr("\nThis machine reports faults as it should.\n")));
}

TEST_F(SelfTest, NamesAnErrorThatComesBackAsAnother) {
  expect("unmapped-store", "report.700 = 719", "yes",
         {"came back as CUDA error 719 (CUDA_ERROR_LAUNCH_FAILED), it should have been 700"});
  expect("device-assert", "report.710 = 999", "yes", {"CUDA error 999", "should have been 710"});
}

TEST_F(SelfTest, NamesAFaultThatGoesUnnoticed) {
  expect("unmapped-store", "report.700 = 0", "yes", {"went unnoticed"});
  expect("misaligned-store", "report.716 = 0", "yes", {"went unnoticed"});
}

TEST_F(SelfTest, NamesAFaultThatTheNextProcessMeets) {
  expect("unmapped-store", "scar = " + folder_.path("scar"), "yes",
         {"came back as CUDA error 700", "afterwards a fresh process fails: ", "error 700"});
}

TEST_F(SelfTest, NamesAGpuThatStaysTakenAfterItsProcessWasKilled) {
  expect("overlong-kernel", "scar = " + folder_.path("scar"), "yes",
         {"kept its process waiting", "afterwards a fresh process fails: ", "error 702"});
}

TEST_F(SelfTest, NamesAKernelThatEndsBeforeItsTime) {
  expect("overlong-kernel", "attribute.17 = 1", "unknown", {"the display's watchdog ended the kernel"});
  expect("overlong-kernel", "attribute.17 = 1\nreport.702 = 719", "yes", {"came back as CUDA error 719"});
  expect("overlong-kernel", "attribute.17 = 1\nreport.702 = 0", "yes", {"ended before its time"});
}

TEST_F(SelfTest, NamesADriverThatDiesOfAFault) {
  expect("unmapped-store", "crash = cuMemAddressFree", "yes", {"came back as no status: ended by signal 11"});
}

TEST_F(SelfTest, NamesXidsThatAProgramDoesNotCause) {
  expect("unmapped-store", "xid = 79", "yes", {"came back as CUDA error 700", "logged Xid 79"});
}

TEST_F(SelfTest, DoubtsAKernelLogWithoutTheXid) {
  expect("unmapped-store", "xid =", "unknown", {"came back as CUDA error 700", "has no Xid of it"});
  expect("unmapped-store", "xid = 43", "unknown", {"has no Xid of it"});
}

TEST_F(SelfTest, TakesNoXidOfEarlierForTheFaults) {
  folder_.write("kern.log", "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus\n");
  expect("unmapped-store", "", "no", {"logged Xid 31"});
}

TEST_F(SelfTest, MakesNoFaultOnAGpuThatFailsAlready) {
  const auto one = answer("unmapped-store", "launch_error = 719");
  EXPECT_EQ(one["doubt"], "could-not-run") << one;
  EXPECT_THAT(one["detail"].get<std::string>(), HasSubstr("the GPU fails before the fault"));
}

// The kernel log stays as it was where nothing was done.
void expect_refused(const SimulatedMachine& machine, const std::string& environment, const std::string& reason,
                    const std::string& log) {
  const Outcome outcome = machine.run("check --self-test --format json --kernel-log " + log, environment);
  EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_EQ(report["checks"].size(), 4U) << outcome.out;
  for (const auto& one : report["checks"]) {
    EXPECT_EQ(one["doubt"], "could-not-run");
    EXPECT_THAT(one["detail"].get<std::string>(), HasSubstr(reason));
  }
  std::ifstream file(log);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(file), {}), Not(HasSubstr("Xid")));
}

TEST_F(SelfTest, IsRefusedUnderMps) {
  const std::string keys = "kernel_log = " + log_ + "\n";
  expect_refused(SimulatedMachine(kGpu + keys), "CUDA_MPS_PIPE_DIRECTORY=/tmp/mps", "CUDA_MPS_PIPE_DIRECTORY is set",
                 log_);
  expect_refused(SimulatedMachine(kGpu + keys + "attribute.133 = 1\n"), "", "reached through MPS", log_);
}

TEST_F(SelfTest, IsRefusedOnAGpuThatOthersUse) {
  expect_refused(SimulatedMachine(kGpu + ("processes = 1:32 MiB:python\nkernel_log = " + log_ + "\n")), "",
                 "process 1 (python)", log_);
}

TEST_F(SelfTest, IsNeverForcedNorPartOfALevel) {
  const SimulatedMachine machine(kGpu);
  EXPECT_EQ(machine.run("check --self-test --force").status, 2);
  EXPECT_THAT(machine.run("check fault-unmapped-store").err, HasSubstr("made by --self-test only"));
  EXPECT_THAT(machine.run("check --self-test memory-pattern").err, HasSubstr("there is no fault"));
  EXPECT_THAT(machine.run("check --self-test --sysroot /").err, HasSubstr("needs the machine"));
  EXPECT_THAT(machine.run("check --kernel-log /dev/null").err, HasSubstr("goes with --self-test"));
  for (const auto& check : nlohmann::json::parse(machine.run("check --list --format json").out))
    EXPECT_FALSE(check["check"].get<std::string>().starts_with("fault-")) << check;
}

TEST_F(SelfTest, SaysWithoutAGpuThatNothingCouldBeMade) {
  const Outcome outcome = run_cutopsy("check --self-test");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("is not known in full"));
}

TEST_F(SelfTest, MakesNoMoreFaultsOnceItIsInterrupted) {
  const SimulatedMachine machine(kGpu + ("kernel_log = " + log_ + "\n"));
  RunningCommand check(machine,
                       {"check", "--self-test", "--kernel-log", log_, "fault-overlong-kernel", "fault-unmapped-store"});
  ASSERT_GT(check.child_with("libcuda.so.1"), 0);
  kill(check.pid(), SIGINT);
  EXPECT_EQ(check.end(), 128 + SIGINT);
  EXPECT_THAT(check.out(), Not(HasSubstr("error 700")));
  EXPECT_THAT(folder_.read("kern.log"), Not(HasSubstr("Xid")));
}

}  // namespace
}  // namespace cutopsy
