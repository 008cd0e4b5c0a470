#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "validators/checks/checks.h"
#include "validators/cuda_driver.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"runtime",
              "the CUDA version that the job was built with, as \"12.8\" or \"cu128\"; without it only what "
              "the driver's start tells"}};

// From CUDA 11 on a runtime works with every driver of its major version, but for what the newer minor version added.
// https://docs.nvidia.com/deploy/cuda-compatibility/
constexpr int kFirstCompatibleMajor = 11;

// As cuDriverGetVersion counts: 12080 for "12.8", "cu128", "128" and "12.8.1".
std::optional<int> version_of(std::string_view text) {
  if (text.starts_with("cu")) text.remove_prefix(2);
  int major = 0;
  int minor = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, major);
  if (first.ec != std::errc() || major < 1 || major > 999) return std::nullopt;
  if (first.ptr == end) return major >= 100 ? major / 10 * 1000 + major % 10 * 10 : major * 1000;
  const auto second = std::from_chars(first.ptr + 1, end, minor);
  if (*first.ptr != '.' || second.ec != std::errc() || major > 99 || minor < 0 || minor > 99) return std::nullopt;
  return major * 1000 + minor * 10;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Results of cuInit that tell of a driver which does not fit; CUresult in the driver API reference.
struct Misfit {
  cuda::Result code;
  const char* meaning;
  const char* advice;
};
constexpr Misfit kMisfits[] = {
    {35, "the driver is older than the runtime", "Install a newer driver, or use an older CUDA runtime."},
    {36, "the program calls what the driver is too old for", "Install a newer driver, or use an older CUDA runtime."},
    {803, "libcuda and the kernel module are of different drivers",
     "Reboot, or reload the kernel module; in a container remove the image's own libcuda.so."},
    {804, "a compatibility package's libcuda runs on a GPU or driver that it is not made for",
     "Remove the cuda-compat package or its folder from LD_LIBRARY_PATH."},
};
constexpr cuda::Result kStubLibrary = 34;

Answer compared(int driver, int runtime) {
  const std::string both =
      "the driver runs CUDA up to " + version_text(driver) + ", the job was built with " + version_text(runtime);
  if (runtime <= driver) return Answer::no(both);
  if (runtime / 1000 > driver / 1000 || runtime / 1000 < kFirstCompatibleMajor) {
    return Answer::yes(both,
                       "Install a newer driver, or a build of the job for CUDA " + version_text(driver) + " or older.");
  }
  return Answer::undecided(
      both + ": most of it works within one major version, PTX and what the newer one added do not",
      "If an error names PTX or a newer driver, install a newer driver.");
}

Answer decide(const Inquiry& inquiry, int driver) {
  const CudaStatus start = inquiry.cuda->cuInit(0);
  const auto misfit =
      std::find_if(std::begin(kMisfits), std::end(kMisfits), [&](const Misfit& one) { return one.code == start.code; });
  if (misfit != std::end(kMisfits)) {
    return Answer::yes(start.text() + ": " + misfit->meaning, misfit->advice).with("error", std::to_string(start.code));
  }
  if (start.code == kStubLibrary) {
    return Answer::could_not_run("the libcuda that is found first is the toolkit's stub, not a driver",
                                 "Remove the toolkit's lib64/stubs from LD_LIBRARY_PATH.");
  }
  const auto given = inquiry.parameters.text("runtime");
  if (!given) {
    return Answer::undecided("the driver runs CUDA up to " + version_text(driver) + "; the job's version is not known");
  }
  const auto runtime = version_of(*given);
  if (!runtime) return Answer::could_not_run("\"" + *given + "\" is no CUDA version");
  return compared(driver, *runtime);
}

Answer ask(const Inquiry& inquiry) {
  int driver = 0;
  if (CudaStatus status = inquiry.cuda->cuDriverGetVersion(&driver); !status.ok()) {
    return Answer::could_not_run("the driver does not tell its version: " + status.text());
  }
  return decide(inquiry, driver).with("driver_cuda_version", version_text(driver));
}

}  // namespace

extern const Check kDriverRuntime = {
    .name = "driver-runtime",
    .question = "Is the NVIDIA driver too old for the job's CUDA, or do its parts not fit together?",
    .decision =
        "yes when the job's CUDA has a newer major version than the driver's (before CUDA 11 any newer version), or "
        "cuInit returns 35, 36, 803 or 804; unknown for a newer minor version and when the job's version is not known",
    .check_class = CheckClass::state,
    .need = Need::context,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
