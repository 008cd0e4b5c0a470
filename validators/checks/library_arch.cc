#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/fatbin.h"
#include "validators/job.h"
#include "validators/python_site.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"library", "the path of a library or program with device code"},
    Parameter{"site", "the folder of the job's Python packages: torch's libraries are read"},
    Parameter{"python", "the path of the job's interpreter; it is not run: torch's libraries are read"},
    Parameter{"pid", "process id of the job: torch's libraries are read"},
    Parameter{"compute_capability", "of the GPU, such as 9.0; without it, that of the GPU asked about"},
};

// cuFFT of CUDA 13 keeps its kernels where they have no headers (.ldata).
constexpr std::string_view kHidesItsCode = "/libcufft";

// How well the containers of one file fit. Code for one kind of GPU alone (sm_90a) comes with a second way for others,
// so that it does not count as missing.
struct Tally {
  std::size_t fitting = 0;
  std::size_t unsure = 0;
  std::size_t missing = 0;
  std::size_t special = 0;  // of no use here, and for one kind of GPU on purpose
};

Fit best_fit(const ContainerGroup& group, ComputeCapability gpu) {
  Fit best = Fit::no;
  for (const DeviceImage& image : group.images) {
    // Machine code before the last link is not loaded; PTX can still be linked.
    if (group.relocatable && image.kind != DeviceImage::Kind::ptx) continue;
    best = std::max(best, group.relocatable ? std::min(fit(image, gpu), Fit::unsure) : fit(image, gpu));
  }
  return best;
}

bool is_special(const ContainerGroup& group) {
  return std::all_of(group.images.begin(), group.images.end(), [](const DeviceImage& image) {
    return image.scope != DeviceImage::Scope::general || image.kind == DeviceImage::Kind::other;
  });
}

Tally count(const DeviceCode& code, ComputeCapability gpu) {
  Tally tally;
  for (const ContainerGroup& group : code.groups) {
    const Fit best = best_fit(group, gpu);
    if (best == Fit::no && group.relocatable) continue;
    (best == Fit::yes      ? tally.fitting
     : best == Fit::unsure ? tally.unsure
     : is_special(group)   ? tally.special
                           : tally.missing) += group.containers;
  }
  return tally;
}

Answer judge(const std::string& path, const DeviceCode& code, ComputeCapability gpu) {
  const std::string held = path + " holds " + list_images(code.images());
  const std::string device = "a GPU of compute capability " + gpu.text();
  if (code.containers() == 0) {
    return code.complete ? Answer::not_applicable(path + " holds no device code")
                         : Answer::undecided("the device code in " + path + " could not be made out");
  }
  const Tally tally = count(code, gpu);
  const std::size_t none = tally.missing + tally.special;
  if (!code.complete) return Answer::undecided(held + " and more that could not be made out");
  if (tally.fitting == 0 && tally.unsure == 0) {
    if (path.find(kHidesItsCode) != std::string::npos) return Answer::undecided(held + " and more without headers");
    return Answer::yes(held + ": none runs on " + device,
                       "Install a build for this GPU, or build with its architecture (TORCH_CUDA_ARCH_LIST=" +
                           gpu.text() + ", -gencode).");
  }
  if (tally.missing == 0 && tally.unsure == 0) return Answer::no(held + ": it runs on " + device);
  return Answer::undecided(held + ": " + std::to_string(none + tally.unsure) + " of its " +
                           std::to_string(code.containers()) + " parts have no image that surely runs on " + device);
}

// The answer that says most: a yes, then what could not be read, then doubts.
int weight(const Answer& answer) {
  if (answer.reply == Reply::yes) return 4;
  if (answer.doubt == Doubt::could_not_run) return 3;
  if (answer.doubt == Doubt::undecided) return 2;
  return answer.reply == Reply::no ? 1 : 0;
}

std::optional<ComputeCapability> gpu_of(const Inquiry& inquiry) {
  if (const auto told = inquiry.parameters.text("compute_capability")) return ComputeCapability::parse(*told);
  return ComputeCapability::parse(inquiry.gpu.compute_capability);
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  std::vector<std::string> paths;
  if (const auto library = inquiry.parameters.path("library")) {
    paths.push_back(job.root() + *library);
  } else if (const auto site = find_torch_site(inquiry.host, inquiry.parameters, job)) {
    paths = site->torch_libraries(inquiry.host);
  }
  if (paths.empty()) {
    return Answer::not_applicable("no library is named and no PyTorch with device code is found (library, site, pid)");
  }
  const auto gpu = gpu_of(inquiry);
  if (!gpu) return Answer::could_not_run("the compute capability of the GPU is not known", "Give compute_capability.");
  Answer answer = Answer::not_applicable("no device code");
  std::string held;
  for (const std::string& path : paths) {
    std::string why_not;
    const auto code = read_device_code(inquiry.host.at(path), &why_not);
    Answer one = code ? judge(path, *code, *gpu) : Answer::could_not_run(why_not);
    if (code) one.measurements.push_back({"images", list_images(code->images())});
    one.measurements.push_back({"library", path});
    if (weight(one) > weight(answer) || answer.measurements.empty()) answer = std::move(one);
  }
  if (answer.reply == Reply::no && !inquiry.parameters.path("library") && !names_site(inquiry.parameters)) {
    answer.reply = Reply::unknown;
    answer.doubt = Doubt::undecided;
    answer.detail += "; but it is this environment's, and the job may have had another";
  }
  return std::move(answer).with("compute_capability", gpu->text());
}

}  // namespace

extern const Check kLibraryArch = {
    .name = "library-arch",
    .question = "Does the job's library hold no code that runs on this GPU?",
    .decision =
        "yes when no container of it has machine code of the same major and no later minor number, nor PTX of no "
        "later number, the suffixes a and f heeded; no when each has; unknown when only some have, as in "
        "libraries with kernels for particular GPUs, and of a PyTorch that merely stands in our own environment: "
        "https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/#gpu-compilation",
    .per_gpu = true,
    .deadline = std::chrono::milliseconds(20'000),
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
