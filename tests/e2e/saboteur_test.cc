// The program as it is, while something spoils its driver's work (tests/saboteur): each fault is named where it was
// made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "kernels/image.h"
#include "tests/e2e/simulated_machine.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SpoiltMachine {
 public:
  SpoiltMachine(const std::string& scenario, const std::string& sabotage) : machine_(scenario), sabotage_(sabotage) {}

  /// The one answer of a check, as JSON. `arguments` begins with its name.
  nlohmann::json check(const std::string& arguments) const {
    const Outcome outcome = machine_.run("check --format json " + arguments,
                                         "LD_LIBRARY_PATH=" CUTOPSY_SABOTEUR ":" CUTOPSY_FAKE_GPU_LIBRARIES
                                         " CUTOPSY_SABOTEUR_DRIVER=" CUTOPSY_FAKE_GPU_LIBRARIES
                                         "/libcuda.so.1"
                                         " CUTOPSY_SABOTEUR_LOG=" +
                                             log_path() + " CUTOPSY_SABOTAGE='" + sabotage_ + "'");
    const std::string name = arguments.substr(0, arguments.find(' '));
    const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << outcome.out << outcome.err;
    for (const auto& one : report["checks"]) {
      if (one["check"] == name) return one;
    }
    return nullptr;
  }
  /// What the saboteur did, a line for each deed; "" for nothing.
  std::string log() const { return machine_.folder().read("deeds"); }

 private:
  std::string log_path() const { return machine_.folder().path("deeds"); }

  SimulatedMachine machine_;
  std::string sabotage_;
};

class Saboteur : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  }
};

// One multiprocessor and a small cache: less to simulate.
constexpr const char* kLarge = "[gpu 0]\nmemory.total = 6 GiB\nsm_count = 1\nattribute.38 = 65536\n";
constexpr const char* kLargeTest = "memory-pattern --with 'bytes=5 GiB'";
constexpr std::uint64_t kLargeBytes = 5ULL << 30;

TEST_F(Saboteur, ThatDoesNothingChangesNoAnswer) {
  const SpoiltMachine machine(kLarge, "sparse");
  const auto answer = machine.check(kLargeTest);
  EXPECT_EQ(answer["answer"], "no") << answer;
  EXPECT_EQ(answer["measurements"]["tested_bytes"], std::to_string(kLargeBytes));
  EXPECT_EQ(machine.log(), "");
}

struct Place {
  const char* name;
  std::int64_t offset;  // bytes, from the end when negative
};

void PrintTo(const Place& place, std::ostream* out) {
  *out << place.name;
}

class FlippedBit : public Saboteur, public testing::WithParamInterface<std::tuple<Place, int>> {};

TEST_P(FlippedBit, IsNamedByAddressAndMask) {
  const auto& [place, bit] = GetParam();
  std::ostringstream mask, offset;
  mask << "0x" << std::hex << (std::uint64_t{1} << bit);
  offset << "0x" << std::hex << (place.offset < 0 ? kLargeBytes : 0) + static_cast<std::uint64_t>(place.offset);
  const SpoiltMachine machine(
      kLarge, "sparse; flip cutopsy_pattern_verify 1 largest " + std::to_string(place.offset) + " " + mask.str());
  const auto answer = machine.check(kLargeTest);
  EXPECT_EQ(answer["answer"], "yes") << answer;
  const auto& measured = answer["measurements"];
  EXPECT_EQ(measured["wrong_words"], "1");
  EXPECT_EQ(measured["first_offset"], offset.str());
  EXPECT_EQ(measured["first_mask"], mask.str());
  EXPECT_EQ(machine.log(), "flip " + measured["first_address"].get<std::string>() + " " + mask.str() + "\n");
}

INSTANTIATE_TEST_SUITE_P(OfLargeMemory, FlippedBit,
                         testing::Combine(testing::Values(Place{"FirstWord", 0}, Place{"Below4GiB", (4LL << 30) - 8},
                                                          Place{"Above4GiB", (4LL << 30) + 8}, Place{"LastWord", -8}),
                                          testing::Values(0, 31, 32, 63)),
                         [](const auto& one) {
                           return std::get<0>(one.param).name + std::string("Bit") +
                                  std::to_string(std::get<1>(one.param));
                         });

// A pattern that repeats cannot see it.
TEST_F(Saboteur, AliasesAddressesWhichOnlyOwnAddressShows) {
  const SpoiltMachine machine(kLarge, "sparse; alias cutopsy_pattern_verify every largest 0x2000 0x100002000 1024");
  const auto answer = machine.check(kLargeTest + std::string(" --with patterns=own-address"));
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_EQ(answer["measurements"]["wrong_words"], "128");
  EXPECT_EQ(answer["measurements"]["first_offset"], "0x2000");
  EXPECT_EQ(answer["measurements"]["first_mask"], "0x20000000");
  EXPECT_EQ(machine.check(kLargeTest + std::string(" --with patterns=walking-bit"))["answer"], "no");
}

TEST_F(Saboteur, SpoilsOneMultiprocessorWhichTheSweepNames) {
  const SpoiltMachine machine("[gpu 0]\n", "multiprocessor 6 0x8000");
  const auto answer = machine.check("sm-sweep");
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_EQ(answer["measurements"]["wrong_multiprocessors"], "6");
}

TEST_F(Saboteur, SpoilsOneMultiprocessorWhichTheMultiplicationNames) {
  const SpoiltMachine machine("[gpu 0]\n", "multiprocessor 9 1");
  const auto answer = machine.check("sdc-gemm");
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_EQ(answer["measurements"]["wrong_multiprocessors"], "9");
}

TEST_F(Saboteur, SpoilsACopyWhoseDirectionIsNamed) {
  for (const std::string way : {"device", "host"}) {
    // Smaller ones would spoil context-smoke, which comes first.
    const SpoiltMachine machine("[gpu 0]\n", "copy_to_" + way + " 0x200000 1 0x12340 0x40000");
    const auto answer = machine.check("copy-integrity --with 'bytes=2 MiB'");
    EXPECT_EQ(answer["answer"], "yes") << answer;
    EXPECT_EQ(answer["measurements"]["direction"], way == "host" ? "device to host" : "host to device");
    EXPECT_EQ(answer["measurements"]["first_offset"], "0x12340");
    EXPECT_EQ(answer["measurements"]["first_mask"], "0x40000");
  }
}

TEST_F(Saboteur, SpoilsACopyBetweenGpusWhoseEndsAreNamed) {
  for (const auto& [from, to] : {std::pair{"0", "1"}, std::pair{"1", "0"}}) {
    const SpoiltMachine machine("[gpu 0]\n[gpu 1]\n",
                                std::string("copy_to_peer ") + from + " " + to + " 0 1 -8 0x8000000000000000");
    const auto answer = machine.check("p2p-integrity --with 'bytes=64 KiB'");
    EXPECT_EQ(answer["answer"], "yes") << answer;
    const auto& measured = answer["measurements"];
    EXPECT_EQ(measured["path"], "copies");
    EXPECT_EQ(measured["from"], from);
    EXPECT_EQ(measured["to"], to);
    EXPECT_EQ(measured["first_offset"], "0xfff8");
    EXPECT_EQ(measured["first_mask"], "0x8000000000000000");
  }
}

TEST_F(Saboteur, LetsACallFailWhichTheAnswerNames) {
  const SpoiltMachine machine("[gpu 0]\n", "fail cuCtxSynchronize 1 719");
  const auto answer = machine.check("sm-sweep");
  EXPECT_EQ(answer["answer"], "unknown") << answer;
  EXPECT_THAT(answer["detail"].get<std::string>(), HasSubstr("context-smoke"));
  EXPECT_THAT(machine.check("context-smoke")["detail"].get<std::string>(), HasSubstr("cuCtxSynchronize"));
}

TEST_F(Saboteur, DelaysACall) {
  const SpoiltMachine machine("[gpu 0]\n", "delay cuDevicePrimaryCtxRetain 1 700");
  const auto answer = machine.check("context-smoke");
  EXPECT_EQ(answer["answer"], "no") << answer;
  EXPECT_GE(answer["seconds"].get<double>(), 0.7);
}

TEST_F(Saboteur, HasOnlyTheFunctionsThatItsDriverHas) {
  const SpoiltMachine machine("cuda_version = 11040\nmissing = cuFuncSetAttribute\n[gpu 0]\nsm_count = 2\n", "");
  const auto answer = machine.check("sm-sweep");
  EXPECT_EQ(answer["answer"], "no") << answer;
  EXPECT_EQ(answer["measurements"]["kernels"], "lowered PTX");
}

TEST_F(Saboteur, EndsItselfWhenItsOrdersMakeNoSense) {
  for (const char* nonsense : {"flop 1", "fail cuInit 1", "multiprocessor six 1"}) {
    const SpoiltMachine machine("[gpu 0]\n", nonsense);
    EXPECT_EQ(machine.check("driver-runtime")["doubt"], "could-not-run") << nonsense;
    EXPECT_THAT(machine.log(), StartsWith("refused: "));
  }
}

}  // namespace
}  // namespace cutopsy
