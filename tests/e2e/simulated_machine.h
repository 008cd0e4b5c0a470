// The program on a machine whose driver libraries are simulated (tests/fake_gpu).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {

class SimulatedMachine {
 public:
  /// `scenario` as tests/fake_gpu/scenario.h describes it.
  explicit SimulatedMachine(const std::string& scenario) { folder_.write("scenario", scenario); }

  /// `arguments` as on a shell's command line; `environment` may set more variables: "A=1 B=2".
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    // A crash in a driver must end the process as it would without a sanitizer.
    const std::string variables =
        "ASAN_OPTIONS=handle_segv=0:handle_abort=0 CUTOPSY_FAKE_GPU=" + folder_.path("scenario") +
        " LD_LIBRARY_PATH=" CUTOPSY_FAKE_GPU_LIBRARIES ":" CUTOPSY_FAKE_NCCL " " + environment + " ";
    return run_cutopsy(arguments, "", variables);
  }

  /// The answers of the checks that `arguments` name, as the JSON report has them.
  nlohmann::json check(const std::string& arguments) const {
    const Outcome outcome = run("check --format json " + arguments);
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }

  /// Writes a log beside the scenario; returns its path.
  std::string log(const std::string& text) const { return folder_.write("train.log", text); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

}  // namespace cutopsy
