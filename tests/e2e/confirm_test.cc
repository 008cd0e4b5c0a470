// Diagnoses that are tested on simulated and copied machines: tests/confirm/cases.yaml.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cctype>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <vector>

#include "engine/rule/advice.h"
#include "engine/rule/rule_set.h"
#include "tests/e2e/simulated_machine.h"
#include "tests/unit/fatbin_bytes.h"
#include "validators/check.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSoundGpu = "[gpu 0]\n";
// A line that names a GPU which no simulated machine has.
constexpr const char* kOtherGpu = "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-ffffffff-1111-2222-3333-444444444444)\n";

struct ConfirmCase {
  std::string rule, check, options, when_faulty, when_sound, sound, pci;
  std::size_t example = 0;
  YAML::Node confirming, healthy;  ///< each a scenario's text or a list of mappings of files
};

void PrintTo(const ConfirmCase& one, std::ostream* out) {
  *out << one.rule << " by " << one.check;
}

std::vector<ConfirmCase> cases() {
  std::vector<ConfirmCase> all;
  for (const YAML::Node& node : YAML::LoadFile(CUTOPSY_TEST_DATA "/confirm/cases.yaml")["cases"]) {
    ConfirmCase one;
    one.rule = node["rule"].as<std::string>();
    one.check = node["check"].as<std::string>();
    one.sound = node["sound"].as<std::string>();
    one.pci = node["pci"].as<std::string>("");
    one.options = node["options"].as<std::string>("");
    one.when_faulty = node["when_faulty"].as<std::string>("");
    one.when_sound = node["when_sound"].as<std::string>("");
    one.example = node["example"].as<std::size_t>(0);
    one.confirming.reset(node["files"] ? node["files"] : node["scenario"]);
    if (node["healthy"]) one.healthy.reset(node["healthy"]);
    all.push_back(one);
  }
  return all;
}

// The scenario with its first GPU at the address that the log names.
std::string at_address(std::string scenario, const std::string& pci) {
  const std::string first = "[gpu 0]\n";
  if (const std::size_t at = scenario.find(first); !pci.empty() && at != std::string::npos)
    scenario.insert(at + first.size(), "pci = " + pci + "\n");
  return scenario;
}

// A library with machine code for "sm_80 sm_86".
std::string library_for(const std::string& architectures) {
  std::vector<ImageBytes> images;
  std::istringstream words(architectures);
  for (std::string word; words >> word;) {
    images.push_back({.kind = 2, .architecture = static_cast<std::uint32_t>(std::stoul(word.substr(3)))});
  }
  return library_bytes({{".nv_fatbin", container_bytes(images)}});
}

// A machine that is simulated, or one whose files are copied.
class TestMachine {
 public:
  TestMachine(const YAML::Node& node, const std::string& pci)
      : machine_(at_address(node && node.IsScalar() ? node.as<std::string>() : kSoundGpu, pci)),
        is_copy_(node && node.IsSequence()) {
    if (!is_copy_) return;
    for (const auto& piece : node) {
      for (const auto& file : piece) add(file.first.as<std::string>(), file.second.as<std::string>());
    }
  }

  /// The rule's incident in the report on `log`; null when it has none.
  nlohmann::json diagnose(const std::string& log, const ConfirmCase& one, const std::string& options) const {
    const std::string root = is_copy_ ? " --sysroot " + machine_.folder().path("root") : "";
    const Outcome outcome =
        machine_.run("--confirm --format json " + options + " " + one.options + root + " " + machine_.log(log));
    const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
    if (report.is_discarded()) return nullptr;
    for (const auto& incident : report["incidents"]) {
      if (incident["rule"] == one.rule) return incident;
      for (const auto& other : incident["alternatives"]) {
        if (other["rule"] == one.rule && other.contains("hypothesis")) return other;
      }
    }
    return nullptr;
  }

 private:
  // A later piece's file replaces an earlier one's.
  void add(const std::string& path, const std::string& content) {
    static const std::string kLink = "-> ", kLibrary = "code for ";
    const std::filesystem::path place = machine_.folder().path("root" + path);
    std::filesystem::create_directories(place.parent_path());
    std::filesystem::remove(place);
    if (content.starts_with(kLink)) {
      std::filesystem::create_symlink(content.substr(kLink.size()), place);
    } else {
      const bool is_library = content.starts_with(kLibrary);
      machine_.folder().write("root" + path, is_library ? library_for(content.substr(kLibrary.size())) : content);
    }
  }

  SimulatedMachine machine_;
  bool is_copy_;
};

class Confirm : public testing::TestWithParam<ConfirmCase> {
 protected:
  const Rule& rule() const { return *RuleSet::built_in().find(GetParam().rule); }
  std::string log() const {
    std::vector<std::string> logs;
    for (const Example& example : parse_advice(rule()).examples) {
      if (example.must_match && !example.is_gap) logs.push_back(example.log);
    }
    return logs.at(GetParam().example);
  }
  bool asks_only_for_states() const {
    for (const ConfirmBy& by : rule().confirm) {
      if (by.expects_failure && find_check(by.check)->check_class != CheckClass::state) return false;
    }
    return true;
  }
};

TEST_P(Confirm, ByAMachineThatHasTheFault) {
  const auto incident = TestMachine(GetParam().confirming, GetParam().pci)
                            .diagnose(log(), GetParam(), "--this-machine " + GetParam().when_faulty);
  ASSERT_FALSE(incident.is_null());
  EXPECT_EQ(incident["hypothesis"]["verdict"], "confirmed") << incident["hypothesis"].dump(2);
  bool said_yes = false;
  for (const auto& tested : incident["hypothesis"]["checks"]) {
    said_yes = said_yes || (tested["check"] == GetParam().check && tested["answer"] == "yes");
  }
  EXPECT_TRUE(said_yes) << incident["hypothesis"].dump(2);
  EXPECT_GE(incident["confidence"], 0.98);
}

TEST_P(Confirm, NeverByASoundMachine) {
  const auto incident = TestMachine(GetParam().healthy, GetParam().pci)
                            .diagnose(log(), GetParam(), "--this-machine " + GetParam().when_sound);
  ASSERT_FALSE(incident.is_null());
  EXPECT_EQ(incident["hypothesis"]["verdict"], GetParam().sound) << incident["hypothesis"].dump(2);
  EXPECT_TRUE(asks_only_for_states() || incident["hypothesis"]["verdict"] != "refuted");
}

TEST_P(Confirm, NothingWhenTheLogIsOfAnotherMachine) {
  const YAML::Node& machine = GetParam().confirming;
  const bool shows_gpus = machine.IsScalar() && machine.as<std::string>().find("nvmlInit") == std::string::npos;
  if (!shows_gpus) GTEST_SKIP() << "without NVML there are no GPUs to compare with";
  const auto incident = TestMachine(GetParam().confirming, GetParam().pci)
                            .diagnose(kOtherGpu + log(), GetParam(), GetParam().when_faulty);
  ASSERT_FALSE(incident.is_null());
  EXPECT_EQ(incident["hypothesis"]["verdict"], "inconclusive") << incident["hypothesis"].dump(2);
  EXPECT_THAT(incident["hypothesis"]["reason"].get<std::string>(), HasSubstr("another machine"));
}

std::string name_of(const testing::TestParamInfo<ConfirmCase>& info) {
  std::string name;
  for (const char c : info.param.rule + "_" + info.param.check)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name + "_" + std::to_string(info.index);  // a rule may be confirmed by one check in several ways
}

TEST(ConfirmTable, CoversEveryCheckThatARuleNames) {
  // What these answer depends on the machine that the test runs on: a container does not show all processes, a virtual
  // machine no real PCIe link.
  std::set<std::string> uncovered;
  for (const Rule& rule : RuleSet::built_in().rules()) {
    for (const ConfirmBy& by : rule.confirm) uncovered.emplace(by.check);
  }
  std::set<std::string> rules;
  for (const ConfirmCase& one : cases()) {
    uncovered.erase(one.check);
    rules.insert(one.rule);
  }
  EXPECT_THAT(uncovered, testing::UnorderedElementsAre("zombie-memory", "pcie-link"));
  EXPECT_GE(rules.size(), 40U);
}

INSTANTIATE_TEST_SUITE_P(Cases, Confirm, testing::ValuesIn(cases()), name_of);

TEST(ConfirmCanary, NothingThatALogNamesIsRun) {
  const SimulatedMachine machine(kSoundGpu);
  const std::string program =
      machine.folder().write("python", "#!/bin/sh\ntouch " + machine.folder().path("was-run") + "\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string log =
      machine.log("+ " + program + " train.py\nTraceback (most recent call last):\n  File \"" + program +
                  "\", line 1, in <module>\nAssertionError: Torch not compiled with CUDA enabled\n");
  const Outcome outcome = machine.run("--confirm --this-machine --with python=" + program + " " + log);
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("On this machine"));
  EXPECT_FALSE(std::filesystem::exists(machine.folder().path("was-run")));
}

// Two rules for one line: the one that is told first is refuted by the machine, the other confirmed.
constexpr const char* kRivals = R"(
- id: mine/ecc-off
  title: ECC is off
  severity: error
  match: { line: 'solver: results differ between runs' }
  cause: Memory errors pass unseen.
  fix: [ { do: Turn ECC on. } ]
  confirm: [ { check: ecc-mode } ]
- id: mine/memory-errors
  title: The GPU's memory has errors
  severity: error
  match: { line: 'results differ between runs' }
  cause: A cell is bad.
  fix: [ { do: Replace the card. } ]
  confirm: [ { check: ecc-counters } ]
)";

TEST(ConfirmCommand, LetsARefutedHypothesisGiveWayToTheNext) {
  const SimulatedMachine machine("[gpu 0]\necc.volatile.uncorrected = 2\n");
  const std::string options = "--format json --rules " + machine.folder().write("rules.yaml", kRivals) + " ";
  const std::string log = machine.log("solver: results differ between runs\n");
  const auto before = nlohmann::json::parse(machine.run(options + log).out)["incidents"][0];
  const auto after =
      nlohmann::json::parse(machine.run("--confirm --this-machine " + options + log).out)["incidents"][0];
  EXPECT_EQ(before["rule"], "mine/ecc-off");
  EXPECT_EQ(after["rule"], "mine/memory-errors");
  EXPECT_EQ(after["hypothesis"]["verdict"], "confirmed");
  EXPECT_EQ(after["alternatives"][0]["rule"], "mine/ecc-off");
  EXPECT_EQ(after["alternatives"][0]["hypothesis"]["verdict"], "refuted");
  EXPECT_LT(after["alternatives"][0]["confidence"], before["confidence"]);
}

TEST(ConfirmCommand, RefutesNothingOnAMachineThatTheLogDoesNotName) {
  const SimulatedMachine machine("[gpu 0]\n");
  const std::string rules = machine.folder().write("rules.yaml", kRivals);
  const std::string log = machine.log("solver: results differ between runs\n");
  const auto report = nlohmann::json::parse(machine.run("--confirm --format json --rules " + rules + " " + log).out);
  EXPECT_EQ(report["incidents"][0]["rule"], "mine/ecc-off");
  EXPECT_EQ(report["incidents"][0]["hypothesis"]["verdict"], "inconclusive");
}

TEST(ConfirmCommand, LeavesTheReportAsItIsWithoutTheOption) {
  const SimulatedMachine machine(kSoundGpu);
  const std::string log = machine.log("AssertionError: Torch not compiled with CUDA enabled\n");
  EXPECT_THAT(machine.run(log).out, Not(HasSubstr("On this machine")));
  const auto report = nlohmann::json::parse(machine.run("--format json " + log).out);
  EXPECT_EQ(report["incidents"][0]["hypothesis"]["verdict"], "not-run");
}

TEST(ConfirmCommand, ComesAfterACrashOfARunProgram) {
  const SimulatedMachine machine("[gpu 0]\necc.volatile.uncorrected = 1\n");
  const Outcome outcome = machine.run(
      "run --confirm -- sh -c 'echo \"RuntimeError: CUDA error: uncorrectable ECC error encountered\"; exit 1'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("confirmed: ecc-counters"));
}

}  // namespace
}  // namespace cutopsy
