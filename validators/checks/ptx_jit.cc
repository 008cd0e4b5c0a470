#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/cuda_context.h"
#include "validators/cuda_module.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {
    Parameter{"version", "PTX version that the library holds, e.g. 8.4; without it any PTX that compiles is enough"},
    Parameter{"cuda", "the CUDA version that made the library, e.g. 12.4: stands for the PTX of that version"}};

struct PtxVersion {
  int major = 0;
  int minor = 0;

  friend bool operator==(const PtxVersion&, const PtxVersion&) = default;
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
};

// Each PTX version with the first CUDA that has it, oldest first:
// https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes
struct Release {
  PtxVersion ptx;
  std::string_view cuda;
};
constexpr std::array kReleases = {
    Release{{6, 0}, "9.0"},  Release{{6, 1}, "9.1"},  Release{{6, 2}, "9.2"},  Release{{6, 3}, "10.0"},
    Release{{6, 4}, "10.1"}, Release{{6, 5}, "10.2"}, Release{{7, 0}, "11.0"}, Release{{7, 1}, "11.1"},
    Release{{7, 2}, "11.2"}, Release{{7, 3}, "11.3"}, Release{{7, 4}, "11.4"}, Release{{7, 5}, "11.5"},
    Release{{7, 6}, "11.6"}, Release{{7, 7}, "11.7"}, Release{{7, 8}, "11.8"}, Release{{8, 0}, "12.0"},
    Release{{8, 1}, "12.1"}, Release{{8, 2}, "12.2"}, Release{{8, 3}, "12.3"}, Release{{8, 4}, "12.4"},
    Release{{8, 5}, "12.5"}, Release{{8, 6}, "12.7"}, Release{{8, 7}, "12.8"}, Release{{8, 8}, "12.9"},
    Release{{9, 0}, "13.0"},
};

std::optional<PtxVersion> version_of(std::string_view text) {
  PtxVersion version;
  const char* const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, version.major);
  if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, error_after] = std::from_chars(dot + 1, end, version.minor);
  const bool plausible = version.major >= 1 && version.major < 100 && version.minor >= 0 && version.minor < 100;
  if (error_after != std::errc() || rest != end || !plausible) return std::nullopt;
  return version;
}

// The PTX that a CUDA toolkit writes: that of the newest release that is not above it.
std::optional<PtxVersion> version_of_cuda(std::string_view text) {
  const auto cuda = version_of(text.substr(0, text.find('.', text.find('.') + 1)));
  if (!cuda) return std::nullopt;
  std::optional<PtxVersion> newest;
  for (const Release& release : kReleases) {
    const PtxVersion known = *version_of(release.cuda);
    if (std::pair(known.major, known.minor) <= std::pair(cuda->major, cuda->minor)) newest = release.ptx;
  }
  return newest;
}

// The version to ask for; no value when what was given is none.
std::optional<PtxVersion> wanted_version(const Parameters& parameters) {
  if (const auto version = parameters.text("version")) return version_of(*version);
  if (const auto cuda = parameters.text("cuda")) return version_of_cuda(*cuda);
  return kReleases.front().ptx;
}

// A kernel that does nothing, for the oldest target that drivers of today still compile.
std::string program(PtxVersion version) {
  return ".version " + version.text() +
         "\n.target sm_50\n.address_size 64\n.visible .entry cutopsy_nothing()\n{\n  ret;\n}\n";
}

// What a driver means that does not compile a valid program.
struct Refusal {
  cuda::Result code;
  std::string_view meaning;
  std::string_view advice;
};
constexpr std::array kRefusals = {
    Refusal{cuda::kInvalidPtx, "the driver's compiler refuses a valid program",
            "Reinstall the driver: its compiler library does not fit it."},
    Refusal{cuda::kJitCompilerNotFound, "the driver's PTX compiler, libnvidia-ptxjitcompiler.so.1, is not found",
            "Install the package that holds it (it is part of the driver), or mount it into the container."},
    Refusal{cuda::kUnsupportedPtxVersion, "the PTX is newer than the driver",
            "Update the driver, or use a build of the library for an older CUDA."},
    Refusal{cuda::kJitCompilationDisabled, "compiling PTX is switched off",
            "Unset CUDA_DISABLE_PTX_JIT, or use a library with machine code for this GPU."},
};

Answer refusal(const CudaStatus& status, PtxVersion version, const std::string& log) {
  for (const Refusal& refusal : kRefusals) {
    if (refusal.code != status.code) continue;
    std::string detail = "PTX " + version.text() + " does not load: " + std::string(refusal.meaning) + " (" +
                         status.text() + (log.empty() ? ")" : "; " + log + ")");
    return Answer::yes(std::move(detail), std::string(refusal.advice)).with("error", std::to_string(status.code));
  }
  return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
}

// The newest PTX that loads; no value when none does.
std::optional<Release> newest(CudaModule& module) {
  for (auto release = kReleases.rbegin(); release != kReleases.rend(); ++release) {
    if (module.load(program(release->ptx).c_str()).ok()) return *release;
  }
  return std::nullopt;
}

Answer ask(const Inquiry& inquiry) {
  const auto version = wanted_version(inquiry.parameters);
  if (!version) return Answer::could_not_run("the version given is none of PTX or CUDA", "Write it like 8.4.");
  CudaContext context(*inquiry.cuda);
  if (CudaStatus status = context.open(); !status.ok()) {
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }
  CudaModule module(*inquiry.cuda);
  const CudaStatus status = module.load(program(*version).c_str());
  const std::string log = module.log();
  const auto best = newest(module);
  Answer answer =
      status.ok() ? Answer::no("the driver compiles PTX " + version->text()) : refusal(status, *version, log);
  if (!best) return answer;
  return std::move(answer).with("newest_ptx", best->ptx.text()).with("newest_ptx_cuda", std::string(best->cuda));
}

}  // namespace

extern const Check kPtxJit = {
    .name = "ptx-jit",
    .question = "Does the driver fail to compile PTX, or PTX of the version that the library holds?",
    .decision =
        "yes when a small program of that PTX version does not load with error 218, 221, 222 or 223; unknown when it "
        "does "
        "not load for another reason",
    .check_class = CheckClass::state,
    .need = Need::context,
    .per_gpu = true,
    .deadline = std::chrono::seconds(20),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
