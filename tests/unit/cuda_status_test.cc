#include "parsers/cuda_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/status_anchor.h"
#include "parsers/status_table.h"
#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Event read_one(std::string_view text) {
  return only_event(kCudaStatusParser, text);
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (const Event& event : parse_line(kCudaStatusParser, text).events) names.emplace_back(event.fields.get("name"));
  return names;
}

// ---- The whole table, each status in the words of those who print it.

// What the table lists as failures, and is one.
std::vector<Status> failures() {
  std::vector<Status> failures;
  for (const Status& status : status_table()) {
    if (status.code != 0 && status.name != "ncclNumResults") failures.push_back(status);
  }
  return failures;
}

TEST(CudaStatus, ReadsEveryStatusFromItsNameBehindAnError) {
  ASSERT_GT(failures().size(), 350u);
  for (const Status& status : failures()) {
    const Event event = read_one("RuntimeError: operation failed with status " + std::string(status.name));
    EXPECT_EQ(event.fields.get("name"), status.name);
    EXPECT_EQ(event.fields.get("family"), status.family);
  }
}

// A line in which the library of `status` describes it.
std::string described(const Status& status) {
  const std::string printed(status.printed);
  if (status.family == "nccl") return "NCCL error in: ProcessGroupNCCL.cpp:784, " + printed + ", NCCL version 2.7.8";
  if (status.family == "cusparse") return "RuntimeError: CUDA error: " + printed + " when calling `cusparseSpMM(h)`";
  return "RuntimeError: CUDA error: " + printed;
}

TEST(CudaStatus, ReadsEveryDescription) {
  for (const Status& status : failures()) {
    if (status.printed.empty()) continue;  // these libraries print the name
    const Event event = read_one(described(status));
    // 200 and 300 print the same words.
    EXPECT_EQ(event.fields.get("name"), status.code == 300 ? "cudaErrorInvalidKernelImage" : status.name);
    EXPECT_EQ(event.fields.get("text"), status.printed);
  }
}

TEST(CudaStatus, ReadsEveryNumberOfTheRuntime) {
  for (const Status& status : failures()) {
    if (status.family != "runtime") continue;
    const std::string code = std::to_string(status.code);
    const Event event = read_one("CUDA error " + code + " at /src/solver.cu:42");
    EXPECT_EQ(event.fields.get("name"), status.name);
    EXPECT_EQ(event.fields.get("code"), code);
  }
}

// ---- PyTorch

TEST(CudaStatus, ReadsPyTorchsForms) {
  const Event assert = read_one("RuntimeError: CUDA error: device-side assert triggered");
  EXPECT_EQ(assert.kind, "cuda.status");
  EXPECT_EQ(assert.emitter, "torch");
  EXPECT_EQ(assert.fields.get("family"), "runtime");
  EXPECT_EQ(assert.fields.get("name"), "cudaErrorAssert");
  EXPECT_EQ(assert.fields.get("text"), "device-side assert triggered");
  EXPECT_FALSE(assert.fields.has("code"));
  EXPECT_EQ(read_one("torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device")
                .fields.get("name"),
            "cudaErrorNoKernelImageForDevice");
  EXPECT_EQ(read_one("RuntimeError: CUDA driver error: invalid argument").fields.get("name"),
            "CUDA_ERROR_INVALID_VALUE");
}

TEST(CudaStatus, ReadsLibrariesThatPyTorchCalls) {
  const Event cublas =
      read_one("RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`");
  EXPECT_EQ(cublas.fields.get("family"), "cublas");
  EXPECT_EQ(cublas.fields.get("name"), "CUBLAS_STATUS_NOT_INITIALIZED");
  EXPECT_EQ(cublas.fields.get("api"), "cublasCreate(handle)");
  const Event solver =
      read_one("RuntimeError: cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR, when calling `cusolverDnCreate(handle)`");
  EXPECT_EQ(solver.fields.get("name"), "CUSOLVER_STATUS_INTERNAL_ERROR");
  EXPECT_EQ(solver.fields.get("api"), "cusolverDnCreate(handle)");
  EXPECT_EQ(read_one("RuntimeError: cuDNN error: CUDNN_STATUS_NOT_SUPPORTED. This error may appear if you passed in a "
                     "non-contiguous input.")
                .fields.get("name"),
            "CUDNN_STATUS_NOT_SUPPORTED");
  EXPECT_EQ(read_one("RuntimeError: cuFFT error: CUFFT_INTERNAL_ERROR").fields.get("family"), "cufft");
  EXPECT_EQ(read_one("RuntimeError: CUDA NVRTC error: NVRTC_ERROR_INVALID_OPTION (5)").fields.get("code"), "5");
}

TEST(CudaStatus, KeepsNamesThatTheTableDoesNotList) {
  const Event event = read_one("RuntimeError: cuDNN error: CUDNN_STATUS_OF_A_LATER_RELEASE");
  EXPECT_EQ(event.fields.get("name"), "CUDNN_STATUS_OF_A_LATER_RELEASE");
  EXPECT_EQ(event.fields.get("family"), "cudnn");
}

TEST(CudaStatus, ReadsEveryNumberOfCudnn8) {
  const char* const names[] = {"NOT_INITIALIZED",
                               "ALLOC_FAILED",
                               "BAD_PARAM",
                               "INTERNAL_ERROR",
                               "INVALID_VALUE",
                               "ARCH_MISMATCH",
                               "MAPPING_ERROR",
                               "EXECUTION_FAILED",
                               "NOT_SUPPORTED",
                               "LICENSE_ERROR",
                               "RUNTIME_PREREQUISITE_MISSING",
                               "RUNTIME_IN_PROGRESS",
                               "RUNTIME_FP_OVERFLOW",
                               "VERSION_MISMATCH"};
  for (int code = 1; code <= 14; ++code) {
    const Event event = read_one("CUDNN failure " + std::to_string(code) + " at /src/conv.cu:88");
    EXPECT_EQ(event.fields.get("name"), std::string("CUDNN_STATUS_") + names[code - 1]);
  }
}

TEST(CudaStatus, OfTwoNamesOfOneNumberTheCurrentIsChosen) {
  EXPECT_EQ(read_one("CUDNN failure 4003 at /src/conv.cu:88").fields.get("name"),
            "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED");
}

TEST(CudaStatus, ReadsTheLibrariesWordsAndNumbersBehindTheirLeads) {
  EXPECT_EQ(
      read_one("RuntimeError: /te/gemm.cu:382 in function cublas_gemm: cuBLAS Error: an internal operation failed")
          .fields.get("name"),
      "CUBLAS_STATUS_INTERNAL_ERROR");
  EXPECT_EQ(
      read_one("E cuda_blas.cc:190] failed to create cublas handle: the resource allocation failed").fields.get("name"),
      "CUBLAS_STATUS_ALLOC_FAILED");
  EXPECT_EQ(read_one("cuBLAS API failed with status 15").fields.get("name"), "CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_EQ(
      read_one("InternalError: cuda_solvers.cc:625: cuSolverDN call failed with status =7 [Op:Qr]").fields.get("name"),
      "CUSOLVER_STATUS_INTERNAL_ERROR");
  EXPECT_EQ(read_one("CUSPARSE API failed at line 120 with error: insufficient resources (11)").fields.get("name"),
            "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES");
  EXPECT_EQ(read_one("cufftPlanMany R2C plan failed: cufft error 5").fields.get("name"), "CUFFT_INTERNAL_ERROR");
  EXPECT_EQ(read_one("cublasSgemm failed with error code 13").fields.get("name"), "CUBLAS_STATUS_EXECUTION_FAILED");
  EXPECT_EQ(read_one("operation gpuGetLastError() failed: invalid argument").fields.get("name"),
            "cudaErrorInvalidValue");
}

TEST(CudaStatus, WordsInParenthesesAreAStatusOnlyIfTheyAreOne) {
  EXPECT_EQ(read_one("Failed to launch vectorAdd kernel (error code invalid device function)!").fields.get("name"),
            "cudaErrorInvalidDeviceFunction");
  EXPECT_TRUE(names_in("Failed to fetch the index (error code 3)!").empty());
  EXPECT_TRUE(names_in("Failed to fetch the index (error code gone)!").empty());
}

TEST(CudaStatus, TheTimeThatACallTookIsNoStatus) {
  EXPECT_TRUE(names_in("cudaMemcpy: 12 ms").empty());
  EXPECT_TRUE(names_in("cudaMalloc: 12 calls").empty());
  EXPECT_TRUE(names_in("cublasSgemm: 12 ms").empty());
  EXPECT_EQ(names_in("cudaMemcpy failed with error code 12"), std::vector<std::string>{"cudaErrorInvalidPitchValue"});
}

TEST(CudaStatus, ReadsTheReturnValuesThatOpenMpiPrints) {
  EXPECT_EQ(read_one("  cuIpcOpenMemHandle return value:  217").fields.get("name"),
            "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED");
  EXPECT_EQ(read_one("  cuMemHostRegister return value:  1").fields.get("name"), "CUDA_ERROR_INVALID_VALUE");
}

TEST(CudaStatus, ANumberThatOnlyTheDriverKnowsIsTheDrivers) {
  EXPECT_EQ(read_one("CUDA error: key rotation failed (code 916, ERROR_KEY_ROTATION)").fields.get("name"),
            "CUDA_ERROR_KEY_ROTATION");
}

TEST(CudaStatus, TheDescriptionDecidesOverAnOldNumber) {
  const Event check = read_one(
      "THCudaCheck FAIL file=/opt/conda/conda-bld/pytorch/work/aten/src/THCUNN/generic/Threshold.cu line=34 error=48 : "
      "no "
      "kernel image is available for execution on the device");
  EXPECT_EQ(check.emitter, "torch");
  EXPECT_EQ(check.fields.get("name"), "cudaErrorNoKernelImageForDevice");
  EXPECT_EQ(check.fields.get("code"), "48");
  EXPECT_EQ(check.fields.get("file"), "/opt/conda/conda-bld/pytorch/work/aten/src/THCUNN/generic/Threshold.cu");
  EXPECT_EQ(check.fields.get("line"), "34");
  const Event error = read_one(
      "RuntimeError: cuda runtime error (4) : driver shutting down at "
      "/pytorch/aten/src/THC/generic/THCTensorMath.cu:26");
  EXPECT_EQ(error.fields.get("name"), "cudaErrorCudartUnloading");
  EXPECT_EQ(error.fields.get("code"), "4");
  EXPECT_EQ(error.fields.get("line"), "26");
}

TEST(CudaStatus, OldNumbersWithoutADescriptionAreMapped) {
  EXPECT_EQ(read_one("RuntimeError: cuda runtime error (59) at THCTensorMath.cu:26").fields.get("name"),
            "cudaErrorAssert");
  EXPECT_EQ(read_one("cuda runtime error (4) at x.cu:26").fields.get("name"), "cudaErrorLaunchFailure");
  EXPECT_EQ(read_one("CUDA error 77 at solver.cu:9").fields.get("name"), "cudaErrorIllegalAddress");
  EXPECT_EQ(read_one("CUDA error 4 at solver.cu:9").fields.get("name"), "cudaErrorCudartUnloading");
  EXPECT_EQ(read_one("CUDNN error 8 at conv.cu:9").fields.get("name"), "CUDNN_STATUS_EXECUTION_FAILED");
}

TEST(CudaStatus, ReadsErrorsOfDeviceEnumeration) {
  const Event event = read_one(
      "Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() "
      "that "
      "might have already set an error? Error 805: MPS client failed to connect to the MPS control daemon or the MPS "
      "server");
  EXPECT_EQ(event.fields.get("code"), "805");
  EXPECT_EQ(event.fields.get("name"), "cudaErrorMpsConnectionFailed");
  EXPECT_EQ(event.fields.get("api"), "cudaGetDeviceCount");
  EXPECT_EQ(read_one("UserWarning: CUDA initialization: CUDA unknown error - this may be due to an incorrectly set up "
                     "environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start.")
                .fields.get("name"),
            "cudaErrorUnknown");
}

// ---- Other frameworks

TEST(CudaStatus, ReadsNccl) {
  const Event warn = read_one("Cuda failure 802 'system not yet initialized'");
  EXPECT_EQ(warn.emitter, "nccl");
  EXPECT_EQ(warn.fields.get("code"), "802");
  EXPECT_EQ(warn.fields.get("name"), "cudaErrorSystemNotReady");
  EXPECT_EQ(read_one("NCCL WARN Cuda failure 'out of memory'").fields.get("name"), "cudaErrorMemoryAllocation");
  const Event name =
      read_one("ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.");
  EXPECT_EQ(name.fields.get("family"), "nccl");
  EXPECT_EQ(name.fields.get("text"),
            "System call (e.g. socket, malloc) or external library call failed or device error.");
  const Event torch = read_one(
      "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:77, "
      "unhandled "
      "cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.26.2");
  EXPECT_EQ(torch.fields.get("name"), "ncclUnhandledCudaError");
  EXPECT_EQ(torch.fields.get("line"), "77");
  EXPECT_EQ(read_one("RuntimeError: NCCL Error 2: unhandled system error").fields.get("code"), "2");
  EXPECT_EQ(
      read_one("node1: Test NCCL failure common.cu:958 'unhandled cuda error (run with NCCL_DEBUG=INFO for details)'")
          .fields.get("name"),
      "ncclUnhandledCudaError");
}

TEST(CudaStatus, ReadsOnnxRuntime) {
  const Event event = read_one(
      "onnxruntime::CudaCall(ERRTYPE, const char*) [with ERRTYPE = cublasStatus_t] CUBLAS failure 3: "
      "CUBLAS_STATUS_ALLOC_FAILED ; GPU=0 ; hostname=ws-31 ; "
      "file=/onnxruntime_src/onnxruntime/core/providers/cuda/cuda_execution_provider.cc ; line=164 ; "
      "expr=cublasCreate(&cublas_handle_); ");
  EXPECT_EQ(event.emitter, "onnxruntime");
  EXPECT_EQ(event.fields.get("library"), "onnxruntime");
  EXPECT_EQ(event.fields.get("code"), "3");
  EXPECT_EQ(event.fields.get("name"), "CUBLAS_STATUS_ALLOC_FAILED");
  EXPECT_EQ(event.fields.get("api"), "cublasCreate(&cublas_handle_)");
  EXPECT_EQ(event.fields.get("line"), "164");
  EXPECT_EQ(event.fields.get("gpu"), "0");
  EXPECT_EQ(
      read_one("CUDA failure 35: CUDA driver version is insufficient for CUDA runtime version ; GPU=0 ; hostname=n ; "
               "expr=cudaSetDevice(info_.device_id);")
          .fields.get("name"),
      "cudaErrorInsufficientDriver");
}

TEST(CudaStatus, ReadsOpenCv) {
  const Event event = read_one(
      "OpenCV(4.5.2) /opencv_contrib/modules/cudev/include/opencv2/cudev/grid/detail/transform.hpp:312: error: "
      "(-217:Gpu API "
      "call) no kernel image is available for execution on the device in function 'call'");
  EXPECT_EQ(event.emitter, "opencv");
  EXPECT_EQ(event.fields.get("library"), "OpenCV(4.5.2)");
  EXPECT_EQ(event.fields.get("code"), "-217");
  EXPECT_EQ(event.fields.get("name"), "cudaErrorNoKernelImageForDevice");
  EXPECT_EQ(event.fields.get("line"), "312");
}

TEST(CudaStatus, ReadsTensorFlowAndJax) {
  const Event tensorflow = read_one("failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected");
  EXPECT_EQ(tensorflow.emitter, "tensorflow");
  EXPECT_EQ(tensorflow.fields.get("family"), "driver");
  EXPECT_EQ(tensorflow.fields.get("name"), "CUDA_ERROR_NO_DEVICE");
  EXPECT_EQ(tensorflow.fields.get("text"), "no CUDA-capable device is detected");
  EXPECT_EQ(tensorflow.fields.get("api"), "cuInit");
  EXPECT_EQ(read_one("failed call to cuInit: UNKNOWN ERROR (303)").fields.get("name"),
            "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED");
  EXPECT_EQ(read_one("tensorflow/stream_executor/cuda/cuda_blas.cc:366] failed to create cublas handle: "
                     "CUBLAS_STATUS_NOT_INITIALIZED")
                .fields.get("name"),
            "CUBLAS_STATUS_NOT_INITIALIZED");
  const Event jax = read_one(
      "pjrt_stream_executor_client.cc:3045] Execution of replica 0 failed: INTERNAL: CUDA error: Failed to "
      "synchronize: "
      "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered");
  EXPECT_EQ(jax.emitter, "jax");
  EXPECT_EQ(jax.fields.get("name"), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST(CudaStatus, ReadsNumbaCupyAndPycuda) {
  const Event numba =
      read_one("numba.cuda.cudadrv.driver.CudaAPIError: [700] Call to cuMemcpyDtoH results in UNKNOWN_CUDA_ERROR");
  EXPECT_EQ(numba.emitter, "numba");
  EXPECT_EQ(numba.fields.get("code"), "700");
  EXPECT_EQ(numba.fields.get("name"), "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(numba.fields.get("api"), "cuMemcpyDtoH");
  EXPECT_EQ(
      read_one("cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorInsufficientDriver: CUDA driver version is "
               "insufficient for CUDA runtime version")
          .fields.get("name"),
      "cudaErrorInsufficientDriver");
  EXPECT_EQ(
      read_one("cupy_backends.cuda.libs.cusparse.CuSparseError: CUSPARSE_STATUS_INSUFFICIENT_RESOURCES: insufficient "
               "resources")
          .fields.get("text"),
      "insufficient resources");
  EXPECT_EQ(read_one("pycuda._driver.LogicError: cuStreamSynchronize failed: an illegal memory access was encountered")
                .fields.get("name"),
            "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST(CudaStatus, ReadsTheRunTimeCompiler) {
  const Event event =
      read_one("cupy.cuda.compiler.CompileException: nvrtc: error: failed to open libnvrtc-builtins.so.");
  EXPECT_EQ(event.fields.get("family"), "nvrtc");
  EXPECT_EQ(event.fields.get("library"), "libnvrtc-builtins.so");
  EXPECT_EQ(read_one("nvrtc: error: invalid value for --gpu-architecture (-arch)").fields.get("text"),
            "invalid value for --gpu-architecture (-arch)");
}

TEST(CudaStatus, ReadsLlamaCppTritonAndTensorRt) {
  EXPECT_EQ(read_one("ggml_cuda_init: failed to initialize CUDA: system not yet initialized").emitter, "llama.cpp");
  EXPECT_EQ(read_one("CUDA error 2 at /tmp/llama.cpp/ggml-cuda.cu:7864: out of memory").fields.get("code"), "2");
  EXPECT_EQ(read_one("RuntimeError: Triton Error [CUDA]: device kernel image is invalid").fields.get("name"),
            "CUDA_ERROR_INVALID_IMAGE");
  EXPECT_EQ(read_one("[TensorRT-LLM][ERROR] CUDA runtime error in cudaMalloc: out of memory (/src/x.cpp:100)")
                .fields.get("api"),
            "cudaMalloc");
  EXPECT_EQ(read_one("[TRT] CUDA initialization failure with error: 35. Please check your CUDA installation")
                .fields.get("name"),
            "cudaErrorInsufficientDriver");
  EXPECT_EQ(read_one("[TRT] [E] 1: [resources.cpp::ScopedStream::47] Error Code 1: Cuda Runtime (out of memory)")
                .fields.get("name"),
            "cudaErrorMemoryAllocation");
}

TEST(CudaStatus, ReadsCheckMacros) {
  EXPECT_EQ(read_one("Check failed: error == cudaSuccess (77 vs. 0)  an illegal memory access was encountered")
                .fields.get("code"),
            "77");
  EXPECT_EQ(read_one("Check failed: status == CUDNN_STATUS_SUCCESS (4 vs. 0)  CUDNN_STATUS_INTERNAL_ERROR")
                .fields.get("name"),
            "CUDNN_STATUS_INTERNAL_ERROR");
  EXPECT_EQ(read_one("Check failed: e == cudaSuccess || e == cudaErrorCudartUnloading: CUDA: misaligned address")
                .fields.get("name"),
            "cudaErrorMisalignedAddress");
}

// ---- Bare programs

TEST(CudaStatus, ReadsSamplesCubAndThrust) {
  const Event sample =
      read_one("CUDA error at /home/u/main.cu:42 code=700(cudaErrorIllegalAddress) \"cudaDeviceSynchronize()\" ");
  EXPECT_EQ(sample.fields.get("code"), "700");
  EXPECT_EQ(sample.fields.get("name"), "cudaErrorIllegalAddress");
  EXPECT_EQ(sample.fields.get("api"), "cudaDeviceSynchronize()");
  EXPECT_EQ(sample.fields.get("file"), "/home/u/main.cu");
  EXPECT_EQ(sample.fields.get("line"), "42");
  const Event cub = read_one("CUDA error 716 [/usr/local/cuda/include/cub/util_device.cuh, 351]: misaligned address");
  EXPECT_EQ(cub.emitter, "thrust");
  EXPECT_EQ(cub.fields.get("code"), "716");
  EXPECT_EQ(cub.fields.get("file"), "/usr/local/cuda/include/cub/util_device.cuh");
  EXPECT_EQ(cub.fields.get("line"), "351");
  const Event thrust =
      read_one("  what():  after reduction step 1: cudaErrorIllegalAddress: an illegal memory access was encountered");
  EXPECT_EQ(thrust.emitter, "thrust");
  EXPECT_EQ(thrust.fields.get("text"), "an illegal memory access was encountered");
  EXPECT_EQ(read_one("  what():  parallel_for failed: invalid device function").fields.get("name"),
            "cudaErrorInvalidDeviceFunction");
}

TEST(CudaStatus, ReadsMacrosOfTutorials) {
  const Event gpu_assert = read_one("GPUassert: an illegal memory access was encountered /home/u/main.cu 42");
  EXPECT_EQ(gpu_assert.fields.get("file"), "/home/u/main.cu");
  EXPECT_EQ(gpu_assert.fields.get("line"), "42");
  EXPECT_EQ(read_one("CUDA Error: invalid device ordinal (err_num=101)").fields.get("code"), "101");
  EXPECT_EQ(read_one("CUDA error (700): an illegal memory access was encountered").fields.get("code"), "700");
  EXPECT_EQ(read_one("CUDA error 217 at p2p.cu:42").fields.get("name"), "cudaErrorPeerAccessUnsupported");
  EXPECT_EQ(read_one("Cuda error in file 'x.cu' in line 3 : unspecified launch failure.").fields.get("line"), "3");
  EXPECT_EQ(read_one("CUDA failure src/solver.cu:187: unspecified launch failure").fields.get("file"), "src/solver.cu");
  EXPECT_EQ(read_one("details: CUDA error 3").fields.get("name"), "cudaErrorInitializationError");
  EXPECT_EQ(read_one("cudaGetDeviceCount returned 35").fields.get("name"), "cudaErrorInsufficientDriver");
  EXPECT_EQ(read_one("cudaDeviceSynchronize returned error code 77 after launching addKernel!").fields.get("name"),
            "cudaErrorIllegalAddress");
  EXPECT_EQ(read_one("cudaMalloc failed: unknown error").fields.get("name"), "cudaErrorUnknown");
}

TEST(CudaStatus, ReadsOpenAccCyclesAndCudaMemcheck) {
  EXPECT_EQ(read_one("call to cuStreamSynchronize returned error 700: Illegal address during kernel execution")
                .fields.get("name"),
            "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(read_one("CUDA error: Illegal address in cuMemcpyDtoH((char *)mem.host_pointer, size), line 970")
                .fields.get("api"),
            "cuMemcpyDtoH");
  const Event memcheck = read_one(
      "========= Program hit CUDA_ERROR_INVALID_VALUE (error 1) due to \"invalid argument\" on CUDA API call to "
      "cuPointerGetAttribute. ");
  EXPECT_EQ(memcheck.emitter, "compute-sanitizer");
  EXPECT_EQ(memcheck.fields.get("code"), "1");
  EXPECT_EQ(memcheck.fields.get("text"), "invalid argument");
  EXPECT_EQ(memcheck.fields.get("api"), "cuPointerGetAttribute");
}

// https://github.com/JuliaGPU/CUDA.jl
TEST(CudaStatus, ReadsJulia) {
  Event event = read_one(
      "ERROR: LoadError: CUDA error: too many resources requested for launch (code #701, "
      "ERROR_LAUNCH_OUT_OF_RESOURCES)");
  EXPECT_EQ(event.fields.get("name"), "cudaErrorLaunchOutOfResources");
  EXPECT_EQ(event.fields.get("code"), "701");
  event = read_one("ERROR: CURANDError: initialization of CUDA failed (code 203, CURAND_STATUS_INITIALIZATION_FAILED)");
  EXPECT_EQ(event.fields.get("name"), "CURAND_STATUS_INITIALIZATION_FAILED");
  EXPECT_EQ(event.fields.get("code"), "203");
}

// https://github.com/ollama/ollama/blob/v0.5.7/discover/gpu_info_nvcuda.c
TEST(CudaStatus, ReadsOllamasProbing) {
  EXPECT_EQ(read_one("error=\"cuda driver library failed to get device context 801\"").fields.get("name"),
            "CUDA_ERROR_NOT_SUPPORTED");
  EXPECT_EQ(read_one("cuda driver library init failure: 999").fields.get("name"), "CUDA_ERROR_UNKNOWN");
  EXPECT_EQ(read_one("cudart init failure: 35").fields.get("name"), "cudaErrorInsufficientDriver");
}

TEST(CudaStatus, ReadsHexadecimalNumbers) {
  EXPECT_EQ(read_one("warning: Cuda API error detected: cudaLaunchKernel returned (0x2bc)").fields.get("name"),
            "cudaErrorIllegalAddress");
}

TEST(CudaStatus, KeepsWordsThatNoTableKnows) {
  const Event event = read_one("RuntimeError: CUDA error: unrecognized error code");
  EXPECT_EQ(event.fields.get("text"), "unrecognized error code");
  EXPECT_FALSE(event.fields.has("name"));
}

// ---- Several, and none

TEST(CudaStatus, OneEventForEachDistinctFault) {
  EXPECT_THAT(
      names_in(
          "failed: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered (cudaErrorIllegalAddress)"),
      ElementsAre("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(
      names_in("ncclUnhandledCudaError: Call to CUDA function failed. Last error: Cuda failure 'out of memory'"),
      ElementsAre("ncclUnhandledCudaError", "cudaErrorMemoryAllocation"));
}

TEST(CudaStatus, SuccessIsNoFault) {
  EXPECT_THAT(names_in("RuntimeError: CUDA error: no error"), IsEmpty());
  EXPECT_THAT(names_in("CUDA error 0 at x.cu:3"), IsEmpty());
  EXPECT_THAT(names_in("cudaMalloc returned cudaSuccess"), IsEmpty());
  EXPECT_THAT(names_in("error check: CUBLAS_STATUS_SUCCESS"), IsEmpty());
  EXPECT_THAT(names_in("CUDA errors: 0"), IsEmpty());
}

TEST(CudaStatus, SourceCodeIsNoReport) {
  EXPECT_THAT(names_in("    if err == cudaErrorMemoryAllocation:"), IsEmpty());
  EXPECT_THAT(names_in("  return cudaErrorInvalidValue;"), IsEmpty());
  EXPECT_THAT(names_in("      case CUDA_ERROR_OUT_OF_MEMORY: return \"out of memory\";"), IsEmpty());
  EXPECT_THAT(names_in("    raise RuntimeError(\"CUDA error: out of memory\")"), IsEmpty());
  EXPECT_THAT(names_in("  printf(\"CUDA error: %s\\n\", cudaGetErrorString(err));"), IsEmpty());
  EXPECT_THAT(names_in("-- Build options: -DCUDA_ERROR_CHECK=ON"), IsEmpty());
  EXPECT_THAT(names_in("CUDNN_STATUS_NOT_INITIALIZED = 1"), IsEmpty());
}

TEST(CudaStatus, NamesOfFilesAreNoReport) {
  EXPECT_TRUE(parse_line(kCudaStatusParser,
                         "c++ -MT a.dir/cudaErrorUtils.cpp.o -o a.dir/cudaErrorUtils.cpp.o -c src/cudaErrorUtils.cpp")
                  .events.empty());
}

TEST(CudaStatus, AdviceIsNoReport) {
  EXPECT_THAT(
      names_in("Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/ for more information."),
      IsEmpty());
  EXPECT_THAT(names_in("Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions."), IsEmpty());
  EXPECT_THAT(names_in("If you get CUDA error: out of memory, reduce the batch size."), IsEmpty());
  EXPECT_THAT(names_in("To avoid CUDA_ERROR_OUT_OF_MEMORY, set allow_growth."), IsEmpty());
  EXPECT_THAT(names_in("CUDA error checking is enabled; file not found is not checked"), IsEmpty());
  EXPECT_THAT(names_in("NCCL error handling: enabled"), IsEmpty());
}

TEST(CudaStatus, AnErrorLevelIsEnoughForAName) {
  Line line = line_of("cuCtxCreate -> CUDA_ERROR_NO_DEVICE");
  EXPECT_THAT(read_statuses(line), IsEmpty());
  line.envelope.level = "error";
  EXPECT_EQ(read_statuses(line).size(), 1u);
}

TEST(CudaStatus, RepeatedLeadsAreBounded) {
  std::string text;
  while (text.size() < 60000) text += "cudaMalloc failed CUDA error ";
  EXPECT_THAT(names_in(text), IsEmpty());
}

TEST(CudaStatus, TriggersKeepTheContractOfParsers) {
  for (std::string_view trigger : kCudaStatusParser.triggers) {
    EXPECT_GE(trigger.size(), 5u) << trigger;
    EXPECT_LE(trigger.size(), 24u) << trigger;
    EXPECT_EQ(trigger.find_first_of("\"'\\<>&"), std::string_view::npos) << trigger;
  }
}

}  // namespace
}  // namespace cutopsy
