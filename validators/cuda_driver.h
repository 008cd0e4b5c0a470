// The CUDA driver of this machine, opened at run time: one binary runs with and without a GPU.
//
// Each entry point of cuda_abi.h is a member that is called like the function and answers with a CudaStatus:
//
//   if (CudaStatus status = cuda.cuMemAlloc_v2(&address, bytes); !status.ok()) return status.text();
//
// A call makes nothing but that call; cuInit too is the caller's. Not for a process that forks without exec: the
// driver does not survive that.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "validators/cuda_abi.h"

namespace cutopsy {

/// How a driver call ended.
struct CudaStatus {
  /// `code` of a call that this driver does not have.
  static constexpr cuda::Result kMissing = -1;

  cuda::Result code = cuda::kSuccess;
  std::string_view call;  ///< "cuMemAlloc_v2"
  std::string_view name;  ///< as the driver names the code, "CUDA_ERROR_OUT_OF_MEMORY"; "" when it does not

  bool ok() const { return code == cuda::kSuccess; }
  /// "cuMemAlloc_v2 failed with error 2 (CUDA_ERROR_OUT_OF_MEMORY)"
  std::string text() const;
};

template <typename Signature>
class CudaCall;

/// One entry point; false when the driver does not have it.
template <typename... Arguments>
class CudaCall<cuda::Result(Arguments...)> {
 public:
  explicit operator bool() const { return function_ != nullptr; }

  CudaStatus operator()(Arguments... arguments) const {
    if (!function_) return {CudaStatus::kMissing, symbol_, ""};
    const cuda::Result code = function_(arguments...);
    const char* name = nullptr;
    if (code != cuda::kSuccess && name_of_) name_of_(code, &name);
    return {code, symbol_, name ? name : ""};
  }

 private:
  friend class CudaDriver;

  cuda::Result (*function_)(Arguments...) = nullptr;
  cuda::Result (*name_of_)(cuda::Result, const char**) = nullptr;
  std::string_view symbol_;
};

class CudaDriver {
 public:
  /// Opens the library, which stays loaded until the process ends. nullptr when it cannot be opened or lacks a
  /// required entry point; `*why_not` then says so.
  static std::unique_ptr<CudaDriver> open(std::string* why_not, const std::string& library = "libcuda.so.1");

  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

#define CUTOPSY_MEMBER(symbol, required, ...) CudaCall<cuda::entry::symbol> symbol;
  CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_MEMBER)
#undef CUTOPSY_MEMBER

 private:
  CudaDriver() = default;
};

/// The newest CUDA that the driver runs, 1000 * major + 10 * minor, without creating a context or touching a device.
/// No value when there is no driver; `*why_not` then says what was missing.
std::optional<int> cuda_driver_version(std::string* why_not, const std::string& library = "libcuda.so.1");

}  // namespace cutopsy
