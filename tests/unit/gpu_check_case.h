// A check asked on a simulated machine, as a row of a table: the machine, and how the answer begins.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/image.h"
#include "tests/unit/in_child.h"
#include "tests/unit/temporary_folder.h"
#include "validators/check.h"
#include "validators/cuda_driver.h"

namespace cutopsy {

inline constexpr const char* kLibrary = CUTOPSY_FAKE_GPU_LIBRARIES "/libcuda.so.1";

struct Case {
  const char* name;
  const char* check;
  const char* scenario;
  const char* expected;  ///< the answer begins so: "yes: ", "no: ", "undecided: ", "could not run: " and its detail
  std::map<std::string, std::string, std::less<>> parameters = {};
  Level level = Level::quick;
  std::chrono::milliseconds budget{60'000};
  bool wsl = false;
  std::map<std::string, std::string> environment = {};
  std::vector<std::string> measured = {};  ///< "name=value", each of which must be there
};

inline void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

inline std::string text_of(const Answer& answer) {
  std::string text = answer.reply == Reply::yes              ? "yes: "
                     : answer.reply == Reply::no             ? "no: "
                     : answer.doubt == Doubt::undecided      ? "undecided: "
                     : answer.doubt == Doubt::could_not_run  ? "could not run: "
                     : answer.doubt == Doubt::not_applicable ? "not applicable: "
                                                             : "?: ";
  text += answer.detail;
  for (const Measurement& one : answer.measurements) text += "\n" + one.name + "=" + one.value;
  return text;
}

inline std::string answer_of(const Case& one) {
  TemporaryFolder sysroot;
  if (one.wsl) sysroot.write("proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n");
  return test::in_child(
      one.scenario,
      [&]() -> std::string {
        std::string why_not;
        const auto cuda = CudaDriver::open(&why_not, kLibrary);
        if (!cuda) return why_not;
        const Host host(one.wsl ? sysroot.path().string() : "");
        const Parameters parameters(one.parameters);
        Gpu gpu;
        gpu.busy = std::string_view(one.scenario).find("processes") != std::string_view::npos;
        return text_of(find_check(one.check)->ask({.host = host,
                                                   .parameters = parameters,
                                                   .gpu = gpu,
                                                   .level = one.level,
                                                   .budget = one.budget,
                                                   .cuda = cuda.get()}));
      },
      one.environment);
}

inline constexpr const char* kHealthy = "[gpu 0]\n";
// Small, for a busy machine: the simulated device takes a second for each 100 MiB.
inline constexpr const char* kSmall = "[gpu 0]\nmemory.total = 8 MiB\n";

class GpuCheck : public testing::TestWithParam<Case> {};

/// To be stated in each file of cases: TEST_P(GpuCheck, AnswersAsTheMachineIs) { expect_answer_of(GetParam()); }
inline void expect_answer_of(const Case& one) {
  const std::string answer = answer_of(one);
  if (kernels::kernel_image().empty() && answer.starts_with("could not run: ") &&
      answer.find("was built without") != std::string::npos) {
    GTEST_SKIP() << "built without a CUDA compiler: " << answer;
  }
  EXPECT_TRUE(answer.starts_with(one.expected)) << answer;
  for (const std::string& value : one.measured) {
    EXPECT_NE((answer + "\n").find("\n" + value + "\n"), std::string::npos) << value << " in " << answer;
  }
}

}  // namespace cutopsy
