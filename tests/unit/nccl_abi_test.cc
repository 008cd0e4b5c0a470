// What validators/nccl.h declares is NCCL's own nccl.h, where there is one.
#include <gtest/gtest.h>

#include "validators/nccl.h"

#if __has_include(<nccl.h>) && __has_include(<cuda_runtime.h>)

#include <nccl.h>

#include <type_traits>

namespace cutopsy {
namespace {

static_assert(int{kNcclFloat32} == int{ncclFloat32} && int{kNcclSum} == int{ncclSum});
static_assert(int{kNcclUnhandledCudaError} == int{ncclUnhandledCudaError});
static_assert(int{kNcclSystemError} == int{ncclSystemError} && int{kNcclInternalError} == int{ncclInternalError});
static_assert(int{kNcclInvalidArgument} == int{ncclInvalidArgument});
static_assert(int{kNcclInvalidUsage} == int{ncclInvalidUsage} && int{kNcclRemoteError} == int{ncclRemoteError});
static_assert(std::is_same_v<decltype(&ncclGetVersion), ncclResult_t (*)(int*)>);
static_assert(std::is_same_v<decltype(&ncclCommInitAll), ncclResult_t (*)(ncclComm_t*, int, const int*)>);
static_assert(std::is_same_v<decltype(&ncclAllReduce), ncclResult_t (*)(const void*, void*, std::size_t, ncclDataType_t,
                                                                        ncclRedOp_t, ncclComm_t, cudaStream_t)>);

TEST(NcclAbi, IsThatOfNcclsHeader) {
  SUCCEED() << "held against nccl.h by the compiler";
}

}  // namespace
}  // namespace cutopsy

#else

TEST(NcclAbi, IsThatOfNcclsHeader) {
  GTEST_SKIP() << "this machine has no nccl.h";
}

#endif
