#include "validators/cuda_driver.h"

#include <dlfcn.h>

namespace cutopsy {

std::optional<CudaDriver> find_cuda_driver(std::string* why_not, const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    *why_not = library + " is not installed here";
    return std::nullopt;
  }
  // int cuDriverGetVersion(int*): CUDA driver API, version management; 0 is CUDA_SUCCESS.
  auto get_version = reinterpret_cast<int (*)(int*)>(dlsym(handle, "cuDriverGetVersion"));
  CudaDriver driver;
  int status = get_version ? get_version(&driver.cuda_version) : -1;
  dlclose(handle);
  if (!get_version) {
    *why_not = library + " has no cuDriverGetVersion: it is not a CUDA driver";
    return std::nullopt;
  }
  if (status != 0) {
    *why_not = library + " answers with CUDA error " + std::to_string(status);
    return std::nullopt;
  }
  return driver;
}

}  // namespace cutopsy
