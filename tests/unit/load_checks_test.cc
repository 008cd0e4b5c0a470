// What the checks make of a record of a load: pure decisions, without a machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validators/check.h"
#include "validators/load_watch.h"

namespace cutopsy {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// As the observer would read them, one after another; the counters are those of the product's table.
std::vector<CounterReading> readings(CounterGroup group, const std::vector<std::uint64_t>& counts) {
  static const Nvml kNone("/no/such/libnvidia-ml.so.1");
  auto readings = read_counters(kNone, nullptr, group);
  for (std::size_t i = 0; i < readings.size(); ++i) readings[i].count = {i < counts.size() ? counts[i] : 0, {}};
  return readings;
}

LoadRecord loaded() {
  LoadRecord record;
  record.hears_xids = true;
  record.most_sm_mhz = 1980;
  record.load_time = milliseconds(4000);
  for (const char* check : {"memory-pattern", "copy-integrity", "p2p-integrity", "sdc-gemm", "sm-sweep"}) {
    record.loads[check] = milliseconds(800);
  }
  return record;
}

LoadRecord counted(CounterGroup group, const std::vector<std::uint64_t>& before,
                   const std::vector<std::uint64_t>& after) {
  LoadRecord record = loaded();
  record.before[group] = readings(group, before);
  record.after[group] = readings(group, after);
  return record;
}

Answer answer_of(const char* check, const LoadRecord& record,
                 std::map<std::string, std::string, std::less<>> given = {}) {
  const Host host;
  const Parameters parameters(std::move(given));
  return find_check(check)->ask(
      {.host = host, .parameters = parameters, .gpu = {}, .budget = milliseconds(0), .record = &record});
}

Answer memory_answer(const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& after) {
  return answer_of("ecc-under-load", counted(CounterGroup::memory, before, after));
}

TEST(EccUnderLoad, IsAFaultFromTheFirstUncorrectedError) {
  const Answer answer = memory_answer({0, 7}, {0, 8});
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("aggregate_uncorrected +1"));
}

TEST(EccUnderLoad, IsAFaultAboveTenCorrectedErrors) {
  EXPECT_EQ(memory_answer({0, 0, 5}, {0, 0, 16}).reply, Reply::yes);
  EXPECT_EQ(memory_answer({0, 0, 5}, {0, 0, 15}).doubt, Doubt::undecided);
}

TEST(EccUnderLoad, TakesNoCountThatGoesBackwardsForHealth) {
  const Answer answer = memory_answer({0, 0, 9}, {0, 0, 0});
  EXPECT_EQ(answer.doubt, Doubt::undecided);
  EXPECT_THAT(answer.detail, HasSubstr("volatile_corrected went from 9 back to 0"));
}

TEST(EccUnderLoad, SeesAFaultBesideACountThatGoesBackwards) {
  EXPECT_EQ(memory_answer({0, 0, 9}, {0, 1, 0}).reply, Reply::yes);
}

TEST(EccUnderLoad, FindsNothingInOldErrors) {
  const Answer answer = memory_answer({3, 3, 90, 90}, {3, 3, 90, 90});
  EXPECT_EQ(answer.reply, Reply::no);
  EXPECT_THAT(answer.detail, HasSubstr("0.8 s of load"));
}

TEST(EccUnderLoad, SaysNoOnlyAfterALoad) {
  LoadRecord record = counted(CounterGroup::memory, {}, {});
  record.loads = {{"sdc-gemm", milliseconds(900)}};
  EXPECT_EQ(answer_of("ecc-under-load", record).doubt, Doubt::could_not_run);
}

TEST(EccUnderLoad, TakesACounterThatFailsForNoHealth) {
  LoadRecord record = counted(CounterGroup::memory, {}, {});
  record.after[CounterGroup::memory][1].count.status = {"nvmlDeviceGetTotalEccErrors", kNvmlGpuIsLost};
  EXPECT_EQ(answer_of("ecc-under-load", record).doubt, Doubt::could_not_run);
  EXPECT_EQ(answer_of("ecc-under-load", loaded()).doubt, Doubt::could_not_run);
}

TEST(EccUnderLoad, IsNotAskedOfABoardThatDoesNotCount) {
  LoadRecord record = counted(CounterGroup::memory, {}, {});
  for (auto* readings : {&record.before, &record.after}) {
    for (CounterReading& one : (*readings)[CounterGroup::memory]) one.count.status = {"call", kNvmlNotSupported};
  }
  EXPECT_EQ(answer_of("ecc-under-load", record).doubt, Doubt::not_applicable);
}

TEST(PcieUnderLoad, IsAFaultAboveEightyReplays) {
  EXPECT_EQ(answer_of("pcie-under-load", counted(CounterGroup::pcie, {7}, {88})).reply, Reply::yes);
  EXPECT_EQ(answer_of("pcie-under-load", counted(CounterGroup::pcie, {7}, {87})).doubt, Doubt::undecided);
  EXPECT_EQ(answer_of("pcie-under-load", counted(CounterGroup::pcie, {7, 0, 0}, {7, 0, 1})).reply, Reply::yes);
}

TEST(NvlinkUnderLoad, CountsNoiseByTheSecond) {
  // In four seconds.
  EXPECT_EQ(answer_of("nvlink-under-load", counted(CounterGroup::nvlink, {0}, {400})).reply, Reply::yes);
  EXPECT_EQ(answer_of("nvlink-under-load", counted(CounterGroup::nvlink, {0}, {399})).doubt, Doubt::undecided);
  EXPECT_EQ(answer_of("nvlink-under-load", counted(CounterGroup::nvlink, {0, 0}, {0, 1})).reply, Reply::yes);
}

LoadRecord sampled(std::size_t moments, std::uint64_t reasons, unsigned mhz) {
  LoadRecord record = loaded();
  record.samples.assign(moments, {.clocks_reasons = reasons, .sm_mhz = mhz, .celsius = 71, .milliwatts = 650'000});
  return record;
}

TEST(ThrottleUnderLoad, NeedsTwoMoments) {
  LoadRecord record = sampled(20, kNvmlReasonPowerCap, 1900);
  EXPECT_EQ(answer_of("throttle-under-load", record).reply, Reply::no);
  record.samples[3].clocks_reasons = kNvmlReasonHardwareThermal;
  EXPECT_EQ(answer_of("throttle-under-load", record).doubt, Doubt::undecided);
  record.samples[9].clocks_reasons = kNvmlReasonHardwareThermal | kNvmlReasonPowerCap;
  const Answer answer = answer_of("throttle-under-load", record);
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("because of heat, in 2 of 20 moments"));
}

TEST(ThrottleUnderLoad, TakesAShortLoadForNoProof) {
  EXPECT_EQ(answer_of("throttle-under-load", sampled(9, 0, 1900)).doubt, Doubt::undecided);
  EXPECT_EQ(answer_of("throttle-under-load", loaded()).doubt, Doubt::undecided);
}

TEST(ThrottleUnderLoad, TakesAMomentThatCouldNotBeSeenForNoHealth) {
  LoadRecord record = sampled(20, 0, 1900);
  record.blind = {"nvmlDeviceGetUtilizationRates", kNvmlUnknown};
  EXPECT_EQ(answer_of("throttle-under-load", record).doubt, Doubt::could_not_run);
  EXPECT_EQ(answer_of("clocks-under-load", record).doubt, Doubt::could_not_run);
}

TEST(ThrottleUnderLoad, IsNotAskedOfADividedGpu) {
  LoadRecord record = loaded();
  record.blind = {"nvmlDeviceGetUtilizationRates", kNvmlNotSupported};
  EXPECT_EQ(answer_of("throttle-under-load", record).doubt, Doubt::not_applicable);
}

TEST(ClocksUnderLoad, BlameASettingOnlyWhenItIsTheOnlyReason) {
  EXPECT_EQ(answer_of("clocks-under-load", sampled(20, kNvmlReasonApplicationClocks, 1380)).reply, Reply::yes);
  EXPECT_EQ(answer_of("clocks-under-load", sampled(20, kNvmlReasonApplicationClocks, 1390)).reply, Reply::no);
  EXPECT_EQ(answer_of("clocks-under-load", sampled(20, 0, 1380)).doubt, Doubt::undecided);
  EXPECT_EQ(answer_of("clocks-under-load", sampled(9, kNvmlReasonApplicationClocks, 1380)).doubt, Doubt::undecided);
}

TEST(XidReplay, IsTheSameXidAgain) {
  LoadRecord record = loaded();
  record.xids = {{63, "NVML's event"}, {48, "[ 7.1] NVRM: Xid (PCI:0000:01:00): 48, ..."}};
  const Answer answer = answer_of("xid-replay", record, {{"xid", "48"}});
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("NVRM: Xid"));
}

TEST(XidReplay, DecidesNothingByAnotherXid) {
  LoadRecord record = loaded();
  record.xids = {{63, "NVML's event"}};
  EXPECT_EQ(answer_of("xid-replay", record, {{"xid", "48"}}).doubt, Doubt::undecided);
}

TEST(XidReplay, SaysForHowLongItDidNotCome) {
  const Answer answer = answer_of("xid-replay", loaded(), {{"xid", "48"}});
  EXPECT_EQ(answer.reply, Reply::no);
  EXPECT_THAT(answer.detail, HasSubstr("Xid 48 did not come in 0.8 s of load"));
}

TEST(XidReplay, TakesAnyXidWithoutANumberButThoseOfAnEnd) {
  LoadRecord record = loaded();
  record.xids = {{45, "NVML's event"}};
  EXPECT_EQ(answer_of("xid-replay", record).doubt, Doubt::undecided);
  record.xids.push_back({62, "NVML's event"});
  EXPECT_EQ(answer_of("xid-replay", record).reply, Reply::yes);
}

TEST(XidReplay, ProvesNothingWithoutEarsOrLoad) {
  LoadRecord deaf = loaded();
  deaf.hears_xids = false;
  EXPECT_EQ(answer_of("xid-replay", deaf, {{"xid", "48"}}).doubt, Doubt::could_not_run);
  LoadRecord idle = loaded();
  idle.loads.clear();
  EXPECT_EQ(answer_of("xid-replay", idle, {{"xid", "48"}}).doubt, Doubt::could_not_run);
}

TEST(LoadChecks, NameLoadsThatExist) {
  for (const Check* check : all_checks()) {
    EXPECT_EQ(check->loads != nullptr, check->need == Need::load_record) << check->name;
    for (int xid = 0; check->loads && xid < 200; ++xid) {
      const Parameters parameters(std::map<std::string, std::string, std::less<>>{{"xid", std::to_string(xid)}});
      for (const std::string_view name : check->loads(parameters)) {
        const Check* load = find_check(name);
        ASSERT_NE(load, nullptr) << name;
        EXPECT_TRUE(load->need == Need::idle_gpu || load->need == Need::two_gpus) << name;
        EXPECT_LE(load->level, check->level) << check->name << " after " << name;
      }
    }
  }
}

}  // namespace
}  // namespace cutopsy
