#include "validators/kernel_session.h"

#include "kernels/image.h"

namespace cutopsy {

std::optional<Answer> KernelSession::open() {
  if (CudaStatus status = context_.open(); !status.ok()) {
    return Answer::could_not_run("there is no context: " + status.text(), "Run cutopsy check context-smoke.");
  }
  return load();
}

std::optional<Answer> KernelSession::load() {
  if (kernels::kernel_image().empty()) {
    return Answer::could_not_run("this program was built without device kernels",
                                 "Build it where the CUDA Toolkit's nvcc is.");
  }
  const CudaStatus image = module_.load(kernels::kernel_image().data());
  form_ = "fatbin";
  if (image.ok()) return std::nullopt;
  const CudaStatus lowered = module_.load(kernels::lowered_ptx().data());
  form_ = "lowered PTX";
  if (lowered.ok()) return std::nullopt;
  return Answer::could_not_run("no form of the kernels loads: " + image.text() + "; as PTX, " + lowered.text(),
                               "Run cutopsy check arch-support ptx-jit.");
}

}  // namespace cutopsy
