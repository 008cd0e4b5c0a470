#include "validators/cuda_driver.h"

#include <dlfcn.h>

namespace cutopsy {

std::string CudaStatus::text() const {
  const std::string what(call);
  if (code == kMissing) return "this driver has no " + what;
  const std::string error = std::to_string(code) + (name.empty() ? "" : " (" + std::string(name) + ")");
  return what + " failed with error " + error;
}

std::unique_ptr<CudaDriver> CudaDriver::open(std::string* why_not, const std::string& library) {
  // Symbols stay local: the process may hold other copies of the driver's interface.
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* const reason = dlerror();
    *why_not = reason ? reason : library + " cannot be opened";
    return nullptr;
  }
  std::unique_ptr<CudaDriver> driver(new CudaDriver);
  std::string missing;
  const auto resolve = [&](auto& call, const char* symbol, bool required) {
    call.symbol_ = symbol;
    call.function_ = reinterpret_cast<decltype(call.function_)>(dlsym(handle, symbol));
    if (!call.function_ && required && missing.empty()) missing = symbol;
  };
#define CUTOPSY_RESOLVE(symbol, required, ...) resolve(driver->symbol, #symbol, required);
  CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_RESOLVE)
#undef CUTOPSY_RESOLVE
  if (!missing.empty()) {
    *why_not = library + " has no " + missing + ": it is not a usable CUDA driver";
    dlclose(handle);
    return nullptr;
  }
#define CUTOPSY_NAME_ERRORS(symbol, required, ...) driver->symbol.name_of_ = driver->cuGetErrorName.function_;
  CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_NAME_ERRORS)
#undef CUTOPSY_NAME_ERRORS
  return driver;
}

std::optional<int> cuda_driver_version(std::string* why_not, const std::string& library) {
  const auto driver = CudaDriver::open(why_not, library);
  if (!driver) return std::nullopt;
  int version = 0;
  if (const CudaStatus status = driver->cuDriverGetVersion(&version); !status.ok()) {
    *why_not = status.text();
    return std::nullopt;
  }
  return version;
}

}  // namespace cutopsy
