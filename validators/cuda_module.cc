#include "validators/cuda_module.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace cutopsy {

namespace {

constexpr std::size_t kLogBytes = 2048;

}  // namespace

CudaStatus CudaModule::load(const void* image) {
  unload();
  std::array<char, kLogBytes> log{};
  // Values of pointer size are passed in place of pointers, as the driver wants it.
  std::array<cuda::JitOption, 2> options = {cuda::JitOption::error_log_buffer, cuda::JitOption::error_log_buffer_bytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(std::uintptr_t{log.size() - 1})};
  CudaStatus status = cuda_.cuModuleLoadDataEx(&module_, image, options.size(), options.data(), values.data());
  if (!status.ok()) {
    module_ = nullptr;
    log_.assign(log.data(), strnlen(log.data(), log.size()));
  }
  return status;
}

void CudaModule::unload() {
  if (module_) cuda_.cuModuleUnload(module_);
  module_ = nullptr;
  log_.clear();
}

CudaStatus CudaModule::find(const char* kernel, cuda::Function* function) const {
  return cuda_.cuModuleGetFunction(function, module_, kernel);
}

CudaStatus CudaModule::attribute(cuda::Function function, cuda::FunctionAttribute attribute, int* value) const {
  return cuda_.cuFuncGetAttribute(value, attribute, function);
}

}  // namespace cutopsy
