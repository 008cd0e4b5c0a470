// NCCL, NVIDIA's library of collectives, opened at run time: libnccl.so.2.
//
// Own declarations of the part of nccl.h that the checks use (https://github.com/NVIDIA/nccl, src/nccl.h.in): functions
// keep their names and layouts throughout version 2. A call may block for long or crash: use it in a child process.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "validators/cuda_abi.h"

namespace cutopsy {

using NcclComm = struct NcclCommHandle*;

/// ncclResult_t
enum NcclCode : int {
  kNcclSymbolMissing = -1,  ///< ours: the library has no such function
  kNcclSuccess = 0,
  kNcclUnhandledCudaError = 1,
  kNcclSystemError = 2,
  kNcclInternalError = 3,
  kNcclInvalidArgument = 4,
  kNcclInvalidUsage = 5,
  kNcclRemoteError = 6,
};

enum NcclType : int { kNcclFloat32 = 7 };   ///< ncclDataType_t
enum NcclOperation : int { kNcclSum = 0 };  ///< ncclRedOp_t

/// What a call returned.
struct NcclStatus {
  const char* call = "";
  int code = kNcclSuccess;

  bool ok() const { return code == kNcclSuccess; }
  /// "ncclCommInitAll says: a system call failed (NCCL 2)"
  std::string text() const;
};

/// One entry point. Calling one that the library lacks gives kNcclSymbolMissing.
template <class... Arguments>
struct NcclFunction {
  const char* name;
  int (*function)(Arguments...) = nullptr;

  NcclStatus operator()(Arguments... arguments) const {
    return {name, function ? function(arguments...) : kNcclSymbolMissing};
  }
};

// X(name without "nccl", argument types...)
#define CUTOPSY_NCCL_FUNCTIONS(X)            \
  X(GetVersion, int*)                        \
  X(CommInitAll, NcclComm*, int, const int*) \
  X(CommDestroy, NcclComm)                   \
  X(GroupStart)                              \
  X(GroupEnd)                                \
  X(AllReduce, const void*, void*, std::size_t, NcclType, NcclOperation, NcclComm, cuda::Stream)

class Nccl {
 public:
  /// Opens the library, which stays loaded until the process ends. nullptr when it cannot be; `*why_not` then says so.
  static std::unique_ptr<Nccl> open(const std::string& library, std::string* why_not);

#define CUTOPSY_NCCL_MEMBER(name, ...) NcclFunction<__VA_ARGS__> name{"nccl" #name};
  CUTOPSY_NCCL_FUNCTIONS(CUTOPSY_NCCL_MEMBER)
#undef CUTOPSY_NCCL_MEMBER

 private:
  Nccl() = default;
};

}  // namespace cutopsy
