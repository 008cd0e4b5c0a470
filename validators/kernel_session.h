// What a check with kernels begins with: a context on a device and this program's kernels loaded into it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "validators/answer.h"
#include "validators/cuda_context.h"
#include "validators/cuda_module.h"

namespace cutopsy {

class KernelSession {
 public:
  explicit KernelSession(const CudaDriver& cuda, int ordinal = 0) : context_(cuda, ordinal), module_(cuda) {}
  /// Modules are unloaded where they were loaded.
  ~KernelSession() { context_.make_current(); }

  /// Opens the context and loads the kernels. No value when all is ready, else the answer of a check that can go no
  /// further: could_not_run.
  std::optional<Answer> open();
  /// The second half of it, for who opened context() before.
  std::optional<Answer> load();

  CudaContext& context() { return context_; }
  CudaModule& module() { return module_; }
  const CudaDriver& cuda() const { return context_.cuda(); }
  /// Which form of the kernels the driver took: "fatbin" or "lowered PTX".
  std::string_view form() const { return form_; }

  /// Finds the kernel, launches it and waits for its end.
  template <typename... Arguments>
  CudaStatus run(const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    cuda::Function function = nullptr;
    if (CudaStatus status = module_.find(kernel, &function); !status.ok()) return status;
    if (CudaStatus status = module_.launch(function, shape, arguments...); !status.ok()) return status;
    return context_.synchronise();
  }

 private:
  CudaContext context_;
  CudaModule module_;
  std::string_view form_;
};

}  // namespace cutopsy
