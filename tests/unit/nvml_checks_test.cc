// Every check that asks NVML, against the simulated library: a scenario for each answer, and no other check that is
// misled by the fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/temporary_folder.h"
#include "validators/check.h"
#include "validators/nvml.h"

namespace cutopsy {
namespace {

constexpr const char* kLibrary = CUTOPSY_FAKE_GPU_LIBRARIES "/libnvidia-ml.so.1";

// What a case expects. not_applicable and undecided are both unknown.
enum class Expected { yes, no, undecided, not_applicable, could_not_run };

Expected kind_of(const Answer& answer) {
  if (answer.reply == Reply::yes) return Expected::yes;
  if (answer.reply == Reply::no) return Expected::no;
  if (answer.doubt == Doubt::not_applicable) return Expected::not_applicable;
  return answer.doubt == Doubt::could_not_run ? Expected::could_not_run : Expected::undecided;
}

struct Case {
  const char* check;
  Expected expected;
  const char* scenario;
  const char* detail = "";  ///< a part of the answer's detail
  std::map<std::string, std::string, std::less<>> parameters = {};
  std::set<std::string> also_yes = {};  ///< other checks that the same scenario rightly makes say yes
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.check << ": " << one.scenario;
}

// A machine with the simulated library, bare metal, where all processes can be seen.
class Machine {
 public:
  explicit Machine(const std::string& scenario) : host_(files_.path("").substr(0, files_.path("").size() - 1)) {
    files_.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse2\n");
    files_.write("proc/1/comm", "systemd\n");
    std::filesystem::create_directories(files_.path("proc/self/ns"));
    std::filesystem::create_symlink("pid:[4026531836]", files_.path("proc/self/ns/pid"));
    setenv("CUTOPSY_FAKE_GPU", files_.write("scenario.ini", scenario).c_str(), 1);
    nvml_.emplace(kLibrary);
  }

  void write(const std::string& path, const std::string& text) { files_.write(path, text); }
  void remove(const std::string& path) { std::filesystem::remove(files_.path(path)); }
  Nvml& nvml() { return *nvml_; }
  void without_library() { nvml_.emplace("libno-such-library.so.1"); }

  /// As the runner asks: not when a check that it depends on found a fault or could not run.
  Answer ask(std::string_view name, const Gpu& gpu, const Parameters& parameters = {}) {
    const Check& check = *find_check(name);
    for (const std::string_view blocker : check.blocked_by) {
      const Answer before = ask(blocker, gpu, parameters);
      if (before.reply == Reply::yes || before.doubt == Doubt::could_not_run) {
        return Answer::could_not_run("blocked by " + std::string(blocker) + ": " + before.detail);
      }
    }
    Inquiry inquiry{host_, parameters, gpu, Level::thorough, std::chrono::seconds(1)};
    inquiry.nvml = &*nvml_;
    return check.ask(inquiry);
  }

  /// The NVML checks that say yes, of any GPU.
  std::set<std::string> checks_that_say_yes() {
    std::set<std::string> names;
    Parameters parameters;
    parameters.set("interval", "5");
    for (const Check* check : all_checks()) {
      if (check->need != Need::nvml) continue;
      for (const Gpu& gpu : check->per_gpu ? nvml_->gpus() : std::vector<Gpu>(1)) {
        if (ask(check->name, gpu, parameters).reply == Reply::yes) names.emplace(check->name);
      }
    }
    return names;
  }

 private:
  TemporaryFolder files_;
  Host host_;
  std::optional<Nvml> nvml_;
};

constexpr const char* kOneGpu = "[gpu 0]\nname = NVIDIA H200\nmemory.total = 141 GiB\n";

constexpr const char* kLoadedGpu = "[gpu 0]\nutilization = 97\n";

const Case kCases[] = {
    // the driver
    {"nvml-init", Expected::no, kOneGpu},
    {"nvml-init", Expected::yes, "nvml.nvmlInit_v2 = 9\n", "not loaded"},
    {"nvml-init", Expected::yes, "nvml.nvmlInit_v2 = 12\n"},
    {"nvml-init", Expected::yes, "nvml.nvmlInit_v2 = 17\n"},
    {"nvml-init", Expected::yes, "nvml.nvmlInit_v2 = 999\n"},
    {"nvml-init", Expected::could_not_run, "nvml.nvmlInit_v2 = 4\n", "no permission"},
    {"driver-library", Expected::no, kOneGpu},
    {"driver-library", Expected::yes, "nvml.nvmlInit_v2 = 18\ndriver_version = 535.1\n", "NVML is 13.535.1"},
    {"driver-library", Expected::could_not_run, "nvml.nvmlInit_v2 = 9\n", "", {}, {"nvml-init"}},
    {"firmware-mix", Expected::no, "[gpu 0]\n[gpu 1]\n"},
    {"firmware-mix", Expected::not_applicable, kOneGpu},
    {"firmware-mix", Expected::not_applicable, "[gpu 0]\nname = A\nvbios = 1\n[gpu 1]\nname = B\nvbios = 2\n"},
    {"firmware-mix", Expected::yes, "[gpu 0]\nvbios = 1\n[gpu 1]\nvbios = 2\n[gpu 2]\nvbios = 2\n",
     "vBIOS 1 on GPU 0; vBIOS 2 on GPU 1, 2"},
    {"firmware-mix", Expected::could_not_run, "nvml.nvmlDeviceGetVbiosVersion = 999\n[gpu 0]\n[gpu 1]\n"},

    // whether the GPU answers
    {"gpu-lost", Expected::no, kOneGpu},
    {"gpu-lost", Expected::yes, "[gpu 0]\nlost = 1\n", "NVML 15"},
    {"gpu-lost", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetTemperature = 15\n"},
    {"gpu-lost", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetHandleByUUID = 6\n"},
    {"gpu-lost", Expected::undecided, "[gpu 0]\nnvml.nvmlDeviceGetHandleByIndex_v2 = 999\n", "", {}, {"query-health"}},
    {"gsp-responds", Expected::no, kOneGpu},
    {"gsp-responds", Expected::not_applicable, "[gpu 0]\ngsp.enabled = 0\n"},
    {"gsp-responds", Expected::not_applicable, "missing = nvmlDeviceGetGspFirmwareMode\n[gpu 0]\n", "too old"},
    {"gsp-responds", Expected::yes,
     "[gpu 0]\nnvml.nvmlDeviceGetGspFirmwareVersion = 999\nnvml.nvmlDeviceGetTemperature = 999\n"
     "nvml.nvmlDeviceGetPowerUsage = 10\nnvml.nvmlDeviceGetUtilizationRates = 999\n"},
    {"recovery-state", Expected::no, kOneGpu},
    {"recovery-state", Expected::yes, "[gpu 0]\nrecovery_action = 1\n", "action 1"},
    {"recovery-state", Expected::yes, "[gpu 0]\nrecovery_action = 5\n"},
    {"recovery-state", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetTemperature = 16\n"},
    {"recovery-state", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetHandleByIndex_v2 = 16\n"},
    {"recovery-state", Expected::not_applicable, "[gpu 0]\nrecovery_action = unsupported\n"},
    {"query-health", Expected::no, kOneGpu},
    {"query-health", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetEccMode = 999\n", "nvmlDeviceGetEccMode"},
    {"query-health", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetTemperature = 999\n"},
    {"query-health", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetMemoryInfo_v2 = 20\n"},
    {"query-health", Expected::could_not_run, "[gpu 0]\nnvml.nvmlDeviceGetComputeRunningProcesses_v3 = 4\n"},
    {"query-health", Expected::no, "[gpu 0]\nnvml.nvmlDeviceGetMigMode = 3\n"},

    // memory errors
    {"ecc-counters", Expected::no, kOneGpu},
    {"ecc-counters", Expected::no, "[gpu 0]\necc.volatile.corrected = 7\n"},
    {"ecc-counters", Expected::yes, "[gpu 0]\necc.volatile.uncorrected = 2\necc.location = 1\n", "2 in L2 cache"},
    {"ecc-counters", Expected::undecided, "[gpu 0]\necc.aggregate.uncorrected = 3\n"},
    {"ecc-counters", Expected::not_applicable, "[gpu 0]\necc.mode = unsupported\n"},
    {"ecc-counters",
     Expected::could_not_run,
     "[gpu 0]\nnvml.nvmlDeviceGetTotalEccErrors = 999\n",
     "",
     {},
     {"query-health"}},
    {"ecc-mode", Expected::no, kOneGpu},
    {"ecc-mode", Expected::yes, "[gpu 0]\necc.mode = 0\n", "is off"},
    {"ecc-mode", Expected::yes, "[gpu 0]\necc.pending = 0\n", "next reset"},
    {"ecc-mode", Expected::undecided, "[gpu 0]\necc.mode = 0\necc.default = 0\n"},
    {"ecc-mode", Expected::not_applicable, "[gpu 0]\necc.mode = unsupported\n"},
    {"remap-state", Expected::no, kOneGpu},
    {"remap-state", Expected::yes, "[gpu 0]\nremap.pending = 1\n", "waits"},
    {"remap-state", Expected::yes, "[gpu 0]\nremap.failure = 1\n", "could not be replaced"},
    {"remap-state", Expected::yes, "[gpu 0]\nremap.unrepairable = 1\n"},
    {"remap-state", Expected::yes, "[gpu 0]\nremap.uncorrected = 513\n"},
    {"remap-state", Expected::undecided, "[gpu 0]\nremap.uncorrected = 512\n"},
    {"remap-state", Expected::undecided, "[gpu 0]\nremap.histogram = 639,0,0,0,1\n", "no spare row"},
    {"remap-state", Expected::not_applicable, "[gpu 0]\nremap = unsupported\n"},
    {"retired-pages", Expected::no, "[gpu 0]\nretired.single = 0\nretired.double = 0\nretired.pending = 0\n"},
    {"retired-pages", Expected::yes, "[gpu 0]\nretired.single = 1\nretired.double = 0\nretired.pending = 1\n", "waits"},
    {"retired-pages", Expected::yes, "[gpu 0]\nretired.single = 60\nretired.double = 3\n", "63 memory pages"},
    {"retired-pages", Expected::yes, "[gpu 0]\nretired.single = 300\nretired.double = 0\n", "300 memory pages"},
    {"retired-pages", Expected::undecided, "[gpu 0]\nretired.single = 60\nretired.double = 2\n"},
    {"retired-pages", Expected::not_applicable, kOneGpu},
    {"sram-threshold", Expected::no, kOneGpu},
    {"sram-threshold", Expected::yes, "[gpu 0]\nsram.parity = 9\nsram.exceeded = 1\n", "9 uncorrected"},
    {"sram-threshold", Expected::undecided, "[gpu 0]\nsram.parity = 3\nsram.secded = 2\n"},
    {"sram-threshold", Expected::not_applicable, "missing = nvmlDeviceGetSramEccErrorStatus\n[gpu 0]\n"},
    {"repair-pending", Expected::no, kOneGpu},
    {"repair-pending", Expected::yes, "[gpu 0]\nrepair.channel = 1\n", "memory channel"},
    {"repair-pending", Expected::yes, "[gpu 0]\nrepair.tpc = 1\n", "texture processing cluster"},
    {"repair-pending", Expected::not_applicable, "missing = nvmlDeviceGetRepairStatus\n[gpu 0]\n", "too old"},

    // memory and modes
    {"memory-holder", Expected::no, kOneGpu, "no other process"},
    {"memory-holder", Expected::no,
     "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\nprocesses = 4242:40 GiB:python\n", "process 4242 (python)"},
    {"memory-holder", Expected::yes,
     "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 4 GiB\nprocesses = 4242:76 GiB:python\n",
     "process 4242 (python) holds 76 GiB"},
    {"memory-holder",
     Expected::yes,
     "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\nprocesses = 4242:40 GiB:python\n",
     "",
     {{"needed", "50 GiB"}}},
    {"memory-holder", Expected::yes, "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 1 GiB\nprocesses = 4242::python\n",
     "holds memory"},
    {"memory-holder",
     Expected::undecided,
     "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\nprocesses = 4242:40 GiB:python\n",
     "not be enough",
     {{"needed", "100 GiB"}}},
    {"memory-holder", Expected::not_applicable, "[gpu 0]\nprocesses = unsupported\n"},
    {"zombie-memory", Expected::no, kOneGpu},
    {"zombie-memory", Expected::no, "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 79 GiB\nmemory.reserved = 1 GiB\n"},
    {"zombie-memory", Expected::yes, "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\n", "40 GiB are in use"},
    {"zombie-memory", Expected::undecided,
     "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\nprocesses = 4242:1 GiB:python\n"},
    {"zombie-memory", Expected::not_applicable,
     "missing = nvmlDeviceGetMemoryInfo_v2\n[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\n"},
    {"zombie-memory", Expected::not_applicable,
     "[gpu 0]\nnuma_node = 1\nmemory.total = 80 GiB\nmemory.free = 40 GiB\n"},
    {"compute-mode", Expected::no, kOneGpu},
    {"compute-mode", Expected::yes, "[gpu 0]\ncompute_mode = 2\n", "no process may compute"},
    {"compute-mode", Expected::yes, "[gpu 0]\ncompute_mode = 3\nprocesses = 4242:1 MiB:python\n", "process 4242"},
    {"compute-mode", Expected::no, "[gpu 0]\ncompute_mode = 3\nprocesses = 7:1 MiB:nvidia-cuda-mps-server\n", "MPS"},
    {"compute-mode", Expected::undecided, "[gpu 0]\ncompute_mode = 3\n"},
    {"compute-mode", Expected::not_applicable, "[gpu 0]\ncompute_mode = unsupported\n"},
    {"mig-mode", Expected::no, kOneGpu},
    {"mig-mode", Expected::no, "[gpu 0]\nmig.devices = MIG-a, MIG-b\n", "2 devices"},
    {"mig-mode", Expected::yes, "[gpu 0]\nmig.mode = 1\n", "no MIG device"},
    {"mig-mode", Expected::yes, "[gpu 0]\nmig.mode = 0\nmig.pending = 1\n", "next reset"},
    {"mig-mode", Expected::not_applicable, "[gpu 0]\nmig.mode = unsupported\n"},
    {"bar1-space", Expected::no, kOneGpu},
    {"bar1-space", Expected::yes, "[gpu 0]\nbar1.free = 0\n", "of the BAR1 window"},
    {"bar1-space", Expected::yes, "[gpu 0]\nbar1.free = 200 MiB\n", "200 MiB", {{"needed", "201 MiB"}}},
    {"bar1-space", Expected::not_applicable, "[gpu 0]\nbar1.total = unsupported\n"},
    {"inforom", Expected::no, kOneGpu},
    {"inforom", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceValidateInforom = 14\n"},
    {"inforom", Expected::could_not_run, "[gpu 0]\nnvml.nvmlDeviceValidateInforom = 4\n"},
    {"inforom", Expected::not_applicable, "[gpu 0]\nnvml.nvmlDeviceValidateInforom = 3\n"},
    {"persistence", Expected::no, kOneGpu},
    {"persistence", Expected::yes, "[gpu 0]\npersistence = 0\n"},
    {"persistence", Expected::no, "[gpu 0]\npersistence = 0\ndisplay_active = 1\n"},
    {"persistence", Expected::no, "[gpu 0]\npersistence = 0\ngraphics_processes = 99:10 MiB:Xorg\n"},
    {"persistence", Expected::not_applicable, "[gpu 0]\npersistence = unsupported\n"},

    // links
    {"fabric-ready", Expected::no, "[gpu 0]\nfabric.state = 3\n"},
    {"fabric-ready", Expected::yes, "[gpu 0]\nfabric.state = 1\n", "not begun"},
    {"fabric-ready", Expected::yes, "[gpu 0]\nfabric.state = 2\n", "still joining"},
    {"fabric-ready", Expected::yes, "[gpu 0]\nfabric.state = 3\nfabric.status = 999\n"},
    {"fabric-ready", Expected::yes, "[gpu 0]\nfabric.version = 2\nfabric.state = 1\n"},
    {"fabric-ready", Expected::yes, "missing = nvmlDeviceGetGpuFabricInfoV\n[gpu 0]\nfabric.state = 1\n"},
    {"fabric-ready", Expected::not_applicable, kOneGpu},
    {"fabric-health", Expected::no, "[gpu 0]\nfabric.state = 3\nfabric.health_mask = 0x1aa\n"},
    {"fabric-health", Expected::yes, "[gpu 0]\nfabric.state = 3\nfabric.health_mask = 0x1a9\n", "bandwidth"},
    {"fabric-health", Expected::yes, "[gpu 0]\nfabric.state = 3\nfabric.health_mask = 0x19a\n", "route is unhealthy"},
    {"fabric-health", Expected::yes, "[gpu 0]\nfabric.state = 3\nfabric.health_mask = 0x5aa\n", "not configured"},
    {"fabric-health", Expected::yes, "[gpu 0]\nfabric.state = 3\nfabric.health_summary = 2\n", "unhealthy"},
    {"fabric-health", Expected::not_applicable, "[gpu 0]\nfabric.version = 2\nfabric.state = 3\n"},
    {"nvlink-links", Expected::no, "[gpu 0]\nnvlink.links = 18\n", "18 of 18"},
    {"nvlink-links", Expected::no, "[gpu 0]\nnvlink.links = 18\nnvlink.asleep = 3\n", "18 of 18"},
    {"nvlink-links", Expected::yes, "[gpu 0]\nnvlink.links = 18\nnvlink.down = 3\nnvlink.remote = 3\n", "down: 3"},
    {"nvlink-links", Expected::yes, "[gpu 0]\nnvlink.links = 4\nnvlink.down = 1,2\n[gpu 1]\nnvlink.links = 4\n",
     "down: 1,2"},
    {"nvlink-links", Expected::no,
     "[gpu 0]\nnvlink.links = 4\nnvlink.down = 1\n[gpu 1]\nnvlink.links = 4\nnvlink.down = 1\n", "as on the other"},
    {"nvlink-links", Expected::undecided, "[gpu 0]\nnvlink.links = 4\nnvlink.down = 1\n"},
    {"nvlink-links", Expected::not_applicable, "[gpu 0]\nnvlink.links = 4\nnvlink.down = 0,1,2,3\n"},
    {"nvlink-links", Expected::not_applicable, kOneGpu, "no NVLink"},
    {"nvlink-links",
     Expected::could_not_run,
     "[gpu 0]\nnvml.nvmlDeviceGetFieldValues = 999\n",
     "",
     {},
     {"query-health"}},
    {"nvlink-errors", Expected::no, "[gpu 0]\nnvlink.links = 18\n"},
    {"nvlink-errors", Expected::yes, "[gpu 0]\nnvlink.links = 18\nnvlink.recovery.growth = 1\n", "recovery +1"},
    {"nvlink-errors", Expected::yes, "[gpu 0]\nnvlink.links = 18\nnvlink.crc.growth = 10\n", "crc +10"},
    {"nvlink-errors", Expected::yes,
     "[gpu 0]\nnvlink.links = 18\nnvlink.generation = 5\nnvlink.recovery_failed.growth = 1\n", "recovery_failed +1"},
    {"nvlink-errors",
     Expected::undecided,
     "[gpu 0]\nnvlink.links = 18\nnvlink.crc.growth = 10\n",
     "more slowly",
     {{"interval", "150"}},
     {"nvlink-errors"}},
    {"nvlink-errors", Expected::undecided, "[gpu 0]\nnvlink.links = 18\nnvlink.replay = 12\n", "replay 12"},
    {"nvlink-errors", Expected::not_applicable, kOneGpu},
    {"c2c-links", Expected::no, "[gpu 0]\nc2c.links = 10\n"},
    {"c2c-links", Expected::yes, "[gpu 0]\nc2c.links = 10\nc2c.down = 4\n", "down: 4"},
    {"c2c-links", Expected::undecided, "[gpu 0]\nc2c.links = 10\nc2c.errors = 2\n", "2 errors"},
    {"c2c-links", Expected::not_applicable, kOneGpu},
    {"pcie-link", Expected::no, kOneGpu},
    {"pcie-link", Expected::yes, "[gpu 0]\npcie.width = 8\nutilization = 97\n", "width 8 of 16"},
    {"pcie-link", Expected::yes, "[gpu 0]\npcie.generation = 1\nutilization = 97\n", "generation 1 of 5"},
    {"pcie-link", Expected::undecided, "[gpu 0]\npcie.generation = 1\n", "idle"},
    {"pcie-link", Expected::not_applicable, "[gpu 0]\nvirtualization = 1\npcie.width = 8\nutilization = 97\n"},
    {"pcie-link", Expected::not_applicable, "[gpu 0]\npcie.generation = unsupported\n"},

    // clocks
    {"thermal-power", Expected::no, kLoadedGpu},
    {"thermal-power", Expected::no, "[gpu 0]\nutilization = 97\nclocks.reasons = 0x4\n"},
    {"thermal-power", Expected::yes, "[gpu 0]\nutilization = 97\nclocks.reasons = 0x20\n", "heat"},
    {"thermal-power", Expected::yes, "[gpu 0]\nutilization = 97\nclocks.reasons = 0x48\n", "heat"},
    {"thermal-power", Expected::yes, "[gpu 0]\nclocks.reasons = 0x81\n", "power brake"},
    {"thermal-power", Expected::yes, "[gpu 0]\ntemperature = 93\n", "93 C"},
    {"thermal-power", Expected::yes, "missing = nvmlDeviceGetTemperature\n[gpu 0]\ntemperature = 92\n", "92 C"},
    {"thermal-power", Expected::yes, "[gpu 0]\npower.limit = 300000\n", "limited to 300 W"},
    {"thermal-power", Expected::yes, "[gpu 0]\nnvml.nvmlDeviceGetHandleByUUID = 8\n", "power cables"},
    {"thermal-power", Expected::yes,
     "missing = nvmlDeviceGetCurrentClocksEventReasons\n[gpu 0]\nclocks.reasons = 0x40\n"},
    {"thermal-power", Expected::undecided, kOneGpu, "little to do"},
    {"thermal-power", Expected::not_applicable, "[gpu 0]\nclocks.reasons = unsupported\n"},
    {"clock-lock", Expected::no, kLoadedGpu},
    {"clock-lock", Expected::yes, "[gpu 0]\nutilization = 97\nclocks.reasons = 2\nclocks.sm = 900\n", "900 of 1980"},
    {"clock-lock", Expected::undecided, "[gpu 0]\nclocks.reasons = 3\nclocks.sm = 345\n", "little to do"},
    {"clock-lock", Expected::undecided, "[gpu 0]\nutilization = 97\nclocks.reasons = 6\nclocks.sm = 900\n"},
    {"clock-lock", Expected::not_applicable, "[gpu 0]\nclocks.sm = unsupported\n"},
};

class NvmlChecks : public testing::TestWithParam<Case> {};

TEST_P(NvmlChecks, AnswerWhatTheScenarioShowsAndAreNotMisledByIt) {
  const Case& one = GetParam();
  Machine machine(one.scenario);
  std::map<std::string, std::string, std::less<>> parameters = {{"interval", "5"}};
  for (const auto& [name, value] : one.parameters) parameters[name] = value;
  const auto gpus = machine.nvml().gpus();
  const Gpu gpu = gpus.empty() ? Gpu{} : gpus.front();
  const Answer answer = machine.ask(one.check, gpu, Parameters(parameters));
  EXPECT_EQ(kind_of(answer), one.expected) << answer.detail;
  EXPECT_THAT(answer.detail, testing::HasSubstr(one.detail));
  EXPECT_NE(answer.detail, "");

  std::set<std::string> expected = one.also_yes;
  if (one.expected == Expected::yes && one.parameters.empty()) expected.insert(one.check);
  EXPECT_EQ(machine.checks_that_say_yes(), expected);
}

INSTANTIATE_TEST_SUITE_P(EveryAnswer, NvmlChecks, testing::ValuesIn(kCases));

TEST(NvmlChecks, HaveACaseForEachAnswer) {
  std::map<std::string_view, std::set<Reply>> seen;
  for (const Case& one : kCases) {
    seen[one.check].insert(one.expected == Expected::yes  ? Reply::yes
                           : one.expected == Expected::no ? Reply::no
                                                          : Reply::unknown);
  }
  for (const Check* check : all_checks()) {
    if (check->need != Need::nvml || check->name == "same-machine") continue;  // which compares names only
    EXPECT_EQ(seen[check->name].size(), 3) << check->name;
  }
}

struct Healthy {
  const char* name;
  std::string scenario;
};

std::ostream& operator<<(std::ostream& out, const Healthy& one) {
  return out << one.name;
}

std::string eight_gpus() {
  std::string scenario;
  for (int i = 0; i < 8; ++i) {
    scenario +=
        "[gpu " + std::to_string(i) +
        "]\nname = NVIDIA H100 80GB HBM3\nmemory.total = 80 GiB\nmemory.free = 79 GiB\nmemory.reserved = 1 GiB\n"
        "nvlink.links = 18\nfabric.state = 3\nfabric.health_mask = 0x11aa\nfabric.health_summary = 1\n";
  }
  return scenario;
}

const Healthy kHealthy[] = {
    {"one idle GPU", kOneGpu},
    {"eight GPUs with NVSwitches", eight_gpus()},
    {"a GPU at its power cap under load",
     "[gpu 0]\nutilization = 100\nclocks.reasons = 4\nclocks.sm = 1400\ntemperature = 70\n"},
    {"MIG",
     "[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 77 GiB\nmig.devices = MIG-a, MIG-b\nnvlink.links = 12\n"
     "nvlink.down = 0,1,2,3,4,5,6,7,8,9,10,11\n"},
    {"a driver of 2020",
     "driver_version = 450.80.02\n"
     "missing = nvmlDeviceGetRepairStatus, nvmlDeviceGetMemoryInfo_v2, nvmlDeviceGetComputeRunningProcesses_v3,"
     "nvmlDeviceGetComputeRunningProcesses_v2, nvmlDeviceGetGraphicsRunningProcesses_v3,"
     "nvmlDeviceGetGraphicsRunningProcesses_v2, nvmlDeviceGetSramEccErrorStatus, nvmlDeviceGetGpuFabricInfo,"
     "nvmlDeviceGetGpuFabricInfoV, nvmlDeviceGetUnrepairableMemoryFlag_v1, nvmlDeviceGetCurrentClocksEventReasons,"
     "nvmlDeviceGetGspFirmwareMode, nvmlDeviceGetGspFirmwareVersion, nvmlDeviceGetNumaNodeId,"
     "nvmlDeviceGetDefaultEccMode, nvmlDeviceGetTemperatureV\n"
     "[gpu 0]\nname = Tesla T4\nretired.single = 0\nretired.double = 0\nretired.pending = 0\nremap = unsupported\n"
     "recovery_action = unsupported\nmig.mode = unsupported\npcie.generation = 1\n"
     "memory.total = 15 GiB\nmemory.free = 14 GiB\n"},
    {"a driver without what NVML 13 calls deprecated",
     "missing = nvmlDeviceGetTemperature, nvmlDeviceGetCurrentClocksThrottleReasons, nvmlDeviceGetGpuFabricInfo\n"
     "[gpu 0]\ntemperature = 60\nutilization = 90\n"},
    {"a desktop",
     "[gpu 0]\nname = NVIDIA GeForce RTX 4090\nmemory.total = 24 GiB\nmemory.free = 23 GiB\nmemory.reserved = 400 MiB\n"
     "ecc.mode = 0\necc.default = 0\nremap = unsupported\nmig.mode = unsupported\npersistence = 0\ndisplay_active = 1\n"
     "graphics_processes = 900:300 MiB:Xorg, 901:80 MiB:gnome-shell\npcie.generation = 1\nutilization = 3\n"
     "recovery_action = 0\nnuma_node = unsupported\ngsp.enabled = 1\n"},
    {"WSL",
     "[gpu 0]\nname = NVIDIA GeForce RTX 3060\nmemory.total = 12 GiB\nmemory.free = 11 GiB\nprocesses = unsupported\n"
     "graphics_processes = unsupported\necc.mode = unsupported\nremap = unsupported\nmig.mode = unsupported\n"
     "persistence = 1\nbar1.total = unsupported\nrecovery_action = unsupported\n"
     "nvml.nvmlDeviceGetGspFirmwareMode = 3\nnvml.nvmlDeviceValidateInforom = 3\n"},
    {"a Grace host",
     "[gpu 0]\nname = NVIDIA GH200\nmemory.total = 96 GiB\nmemory.free = 60 GiB\nnuma_node = 1\n"
     "c2c.links = 10\nbar1.total = unsupported\n"},
};

class HealthyMachine : public testing::TestWithParam<Healthy> {};

TEST_P(HealthyMachine, RaisesNothing) {
  Machine machine(GetParam().scenario);
  EXPECT_THAT(machine.checks_that_say_yes(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, HealthyMachine, testing::ValuesIn(kHealthy));

TEST(HealthyMachine, IsUnharmedByALostNeighbour) {
  Machine machine("[gpu 0]\nname = A\n[gpu 1]\nname = A\nlost = 1\n");
  const auto gpus = machine.nvml().gpus();
  ASSERT_EQ(gpus.size(), 2);
  EXPECT_EQ(machine.ask("gpu-lost", gpus[0]).reply, Reply::no);
  EXPECT_EQ(machine.ask("gpu-lost", gpus[1]).reply, Reply::yes);
  EXPECT_EQ(machine.ask("ecc-counters", gpus[0]).reply, Reply::no);
  EXPECT_THAT(machine.ask("ecc-counters", gpus[1]).detail, testing::HasSubstr("blocked by gpu-lost"));
}

TEST(ContainerWithoutDriver, SaysThatTheLibraryIsMissing) {
  Machine machine(kOneGpu);
  machine.without_library();
  const Answer answer = machine.ask("nvml-init", {});
  EXPECT_EQ(kind_of(answer), Expected::could_not_run);
  EXPECT_THAT(answer.detail, testing::HasSubstr("libno-such-library.so.1"));
  EXPECT_THAT(answer.advice, testing::HasSubstr("--gpus all"));
}

TEST(ContainerWithoutDriver, IsAFaultWhenTheKernelHasTheModule) {
  Machine machine(kOneGpu);
  machine.write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  x\n");
  machine.without_library();
  EXPECT_EQ(machine.ask("nvml-init", {}).reply, Reply::yes);
}

TEST(DriverLibrary, NamesBothVersions) {
  Machine machine("nvml.nvmlInit_v2 = 18\ndriver_version = 550.90.07\n");
  machine.write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  x\n");
  const std::string detail = machine.ask("driver-library", {}).detail;
  EXPECT_THAT(detail, testing::HasSubstr("550.54.14"));
  EXPECT_THAT(detail, testing::HasSubstr("550.90.07"));
}

TEST(ZombieMemory, IsUnknownInsideAContainer) {
  Machine machine("[gpu 0]\nmemory.total = 80 GiB\nmemory.free = 40 GiB\n");
  machine.remove("proc/self/ns/pid");
  EXPECT_EQ(kind_of(machine.ask("zombie-memory", machine.nvml().gpus().front())), Expected::undecided);
  EXPECT_EQ(kind_of(machine.ask("memory-holder", machine.nvml().gpus().front())), Expected::undecided);
}

TEST(PcieLink, IsNotJudgedInAVirtualMachine) {
  Machine machine("[gpu 0]\npcie.width = 8\nutilization = 97\n");
  machine.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor sse2\n");
  EXPECT_EQ(kind_of(machine.ask("pcie-link", machine.nvml().gpus().front())), Expected::not_applicable);
}

TEST(Persistence, IsKeptByItsDaemon) {
  Machine machine("[gpu 0]\npersistence = 0\n");
  machine.write("proc/77/comm", "nvidia-persiste\n");
  EXPECT_EQ(kind_of(machine.ask("persistence", machine.nvml().gpus().front())), Expected::undecided);
}

TEST(MemoryHolder, LooksAtTheMigDevice) {
  Machine machine(
      "[gpu 0]\nmemory.total = 40 GiB\nmemory.free = 1 GiB\nprocesses = 7:30 GiB:python\nmig.devices = MIG-a\n");
  const auto parts = machine.nvml().mig_devices(machine.nvml().gpus().front());
  ASSERT_EQ(parts.size(), 1);
  EXPECT_EQ(machine.ask("memory-holder", parts.front()).reply, Reply::yes);
  EXPECT_EQ(machine.ask("ecc-mode", parts.front()).reply, Reply::no);
}

}  // namespace
}  // namespace cutopsy
