#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernels/image.h"
#include "validators/checks/checks.h"
#include "validators/fatbin.h"
#include "validators/kernel_session.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {
    Parameter{"architectures",
              "what the library was built for, e.g. \"sm_80 sm_90a compute_90\" or \"8.0;9.0+PTX\"; without it only "
              "this program's own image is loaded"}};

constexpr std::size_t kMostImages = 100;

void add_images(std::string_view word, std::vector<DeviceImage>& images) {
  static constexpr std::string_view kPlusPtx = "+PTX";
  const bool with_ptx = word.ends_with(kPlusPtx);
  if (with_ptx) word.remove_suffix(kPlusPtx.size());
  const auto capability = ComputeCapability::parse(word);
  if (!capability) return;
  DeviceImage image{.kind = word.starts_with("compute_") ? DeviceImage::Kind::ptx : DeviceImage::Kind::cubin,
                    .architecture = capability->major * 10 + capability->minor};
  if (word.ends_with('a')) image.scope = DeviceImage::Scope::specific;
  if (word.ends_with('f')) image.scope = DeviceImage::Scope::family;
  images.push_back(image);
  if (!with_ptx) return;
  image.kind = DeviceImage::Kind::ptx;
  images.push_back(image);
}

// The images that a log or a build setting names; words that name none are passed over.
std::vector<DeviceImage> images_of(std::string_view text) {
  static constexpr std::string_view kBetween = " ,;[]()'\"";
  std::vector<DeviceImage> images;
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos && images.size() < kMostImages;
       at = text.find_first_not_of(kBetween, at)) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    add_images(text.substr(at, end - at), images);
    at = end;
  }
  return images;
}

// The best fit of any image of one kind.
Fit best_fit(const std::vector<DeviceImage>& images, DeviceImage::Kind kind, ComputeCapability gpu) {
  Fit best = Fit::no;
  for (const DeviceImage& image : images) {
    if (image.kind == kind) best = std::max(best, fit(image, gpu));
  }
  return best;
}

// Whether the device takes what it should: this program's machine code, or PTX when the library has nothing else.
Answer loaded(CudaModule& module, bool by_ptx, const std::string& seen) {
  const void* const image = by_ptx ? static_cast<const void*>(kernels::lowered_ptx().data())
                                   : static_cast<const void*>(kernels::kernel_image().data());
  if (kernels::kernel_image().empty()) {
    return Answer::could_not_run(seen + ", but this program was built without an image to load",
                                 "Build it where the CUDA Toolkit's nvcc is.");
  }
  const CudaStatus status = module.load(image);
  const std::string what = by_ptx ? "PTX" : "an image with its machine code";
  if (status.ok()) return Answer::no(seen + ", and " + what + " loads");
  return Answer::yes(seen + ", but " + what + " does not load: " + status.text(),
                     "Run cutopsy check ptx-jit; update the driver if it is older than the GPU.");
}

// What is loaded is this program's own machine code: a GPU or driver that is older than that is no fault.
Answer loaded_ours(CudaModule& module, const std::string& seen) {
  Answer answer = loaded(module, false, seen);
  if (answer.reply != Reply::yes || !module.load(kernels::lowered_ptx().data()).ok()) return answer;
  return Answer::undecided(answer.detail + "; PTX does, so this program's image may be too new, not the GPU at fault");
}

Answer judge(const std::vector<DeviceImage>& images, ComputeCapability gpu, CudaModule& module) {
  const std::string device = "this GPU, of compute capability " + gpu.text();
  const std::string held = "the library holds " + list_images(images);
  const Fit code = best_fit(images, DeviceImage::Kind::cubin, gpu);
  const Fit ptx = best_fit(images, DeviceImage::Kind::ptx, gpu);
  if (code == Fit::yes) return loaded_ours(module, held + ", which runs on " + device);
  if (ptx == Fit::yes) return loaded(module, true, held + ", whose PTX can be compiled for " + device);
  if (code == Fit::unsure) return Answer::undecided(held + ", which may or may not run on " + device);
  return Answer::yes(held + ": none runs on " + device,
                     "Install a build for this GPU, or build with its architecture (TORCH_CUDA_ARCH_LIST=" +
                         gpu.text() + ", -gencode).");
}

Answer ask(const Inquiry& inquiry) {
  CudaContext context(*inquiry.cuda);
  int major = 0;
  int minor = 0;
  CudaStatus status = context.open();
  if (status.ok()) status = context.attribute(cuda::DeviceAttribute::compute_capability_major, &major);
  if (status.ok()) status = context.attribute(cuda::DeviceAttribute::compute_capability_minor, &minor);
  if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  const ComputeCapability gpu{static_cast<unsigned>(major), static_cast<unsigned>(minor)};
  CudaModule module(*inquiry.cuda);
  const auto named = inquiry.parameters.text("architectures");
  const auto images = images_of(named.value_or(""));
  if (named && images.empty()) {
    return Answer::could_not_run("\"" + *named + "\" names no architecture", "Write them like \"sm_80 compute_90\".");
  }
  Answer answer =
      named ? judge(images, gpu, module) : loaded_ours(module, "this GPU is of compute capability " + gpu.text());
  return std::move(answer).with("compute_capability", gpu.text());
}

}  // namespace

extern const Check kArchSupport = {
    .name = "arch-support",
    .question = "Can the GPU run none of the library's code for lack of its architecture?",
    .decision =
        "yes when no image that the library holds fits the GPU's compute capability, or when an image that fits does "
        "not load; unknown between Tegra and other chips, and when of this program's own only PTX loads",
    .check_class = CheckClass::state,
    .need = Need::context,
    .per_gpu = true,
    .deadline = std::chrono::seconds(20),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
