#include "parsers/gpu_oom.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

Event read_one(std::string_view text) {
  return only_event(kGpuOomParser, text);
}

bool reads_none(std::string_view text) {
  return parse_line(kGpuOomParser, text).events.empty();
}

// ---- PyTorch

TEST(GpuOom, ReadsPyTorch10To14) {
  const Event event = read_one(
      "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.92 GiB total capacity; 9.50 GiB "
      "already "
      "allocated; 11.44 MiB free; 9.90 GiB cached)");
  EXPECT_EQ(event.kind, "gpu.oom");
  EXPECT_EQ(event.emitter, "torch");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "20.00 MiB");
  EXPECT_EQ(event.fields.get("gpu"), "0");
  EXPECT_EQ(event.fields.get("capacity"), "10.92 GiB");
  EXPECT_EQ(event.fields.get("allocated"), "9.50 GiB");
  EXPECT_EQ(event.fields.get("free"), "11.44 MiB");
  EXPECT_EQ(event.fields.get("reserved"), "9.90 GiB");
}

TEST(GpuOom, TakesTheCacheOfPyTorch10To13AsUnused) {
  const Event event = read_one(
      "RuntimeError: CUDA out of memory. Tried to allocate 32.75 MiB (GPU 0; 10.92 GiB total capacity; 10.12 GiB "
      "already allocated; 21.44 MiB free; 8.47 MiB cached)");
  EXPECT_EQ(event.fields.get("reserved_unused"), "8.47 MiB");
  EXPECT_EQ(event.fields.get("fits_reserved"), "false");
  EXPECT_EQ(event.fields.get("foreign_share"), "0.071");
}

TEST(GpuOom, ReadsTheLimitThatTheProgramSet) {
  EXPECT_EQ(read_one("cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 2,048 bytes (allocated so far: 4,096 "
                     "bytes, limit set to: 4,608 bytes).")
                .fields.get("limit"),
            "4,608 bytes");
  EXPECT_EQ(
      read_one("CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of 79.25 GiB of which "
               "2.00 GiB is free. 78.00 GiB allowed; Of the allocated memory 75.10 GiB is allocated by PyTorch, and "
               "1.00 GiB is reserved by PyTorch but unallocated.")
          .fields.get("limit"),
      "78.00 GiB");
}

TEST(GpuOom, LeavesOutWhatTheSameLineSurvives) {
  EXPECT_TRUE(reads_none("OOM on batch 812: CUDA out of memory. Tried to allocate 1.00 GiB, skipping batch"));
  EXPECT_TRUE(reads_none("CUDA out of memory with batch=64. Reducing batch size to 32 and retrying (1/3)."));
  EXPECT_FALSE(reads_none("CUDA out of memory. Stop skipping your homework."));
}

TEST(GpuOom, ReadsPinnedMemoryOffTheSourceFile) {
  EXPECT_EQ(read_one("cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/THCCachingHostAllocator.cpp:278")
                .fields.get("host"),
            "true");
}

TEST(GpuOom, ReadsPyTorch15To20) {
  const Event event = read_one(
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 3; 23.70 GiB total capacity; "
      "20.50 "
      "GiB already allocated; 1.20 GiB free; 22.50 GiB allowed; 21.00 GiB reserved in total by PyTorch) If reserved "
      "memory is "
      ">> allocated memory try setting max_split_size_mb to avoid fragmentation.");
  EXPECT_EQ(event.fields.get("gpu"), "3");
  EXPECT_EQ(event.fields.get("reserved"), "21.00 GiB");
  EXPECT_EQ(event.fields.get("tried_bytes"), "2147483648");
  EXPECT_EQ(event.fields.get("reserved_unused_bytes"), "536870912");
  EXPECT_EQ(event.fields.get("fits_reserved"), "false");
  EXPECT_EQ(event.fields.get("fits_free"), "false");
  EXPECT_TRUE(event.fields.get("message").starts_with("CUDA out of memory. Tried"));
}

TEST(GpuOom, ReadsTheMisspeltPyTorch21) {
  const Event event = read_one(
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacty of 16.00 "
      "GiB of "
      "which 1.08 GiB is free. Including non-PyTorch memory, this process has 14.00 GiB memory in use. Of the "
      "allocated memory "
      "9.00 GiB is allocated by PyTorch, and 4.00 GiB is reserved by PyTorch but unallocated.");
  EXPECT_EQ(event.fields.get("capacity"), "16.00 GiB");
  EXPECT_EQ(event.fields.get("in_use"), "14.00 GiB");
  EXPECT_EQ(event.fields.get("reserved_unused"), "4.00 GiB");
  EXPECT_EQ(event.fields.get("reserved_unused_share"), "0.25");
  EXPECT_EQ(event.fields.get("fits_reserved"), "true");
  EXPECT_EQ(event.fields.get("fits_free"), "false");
}

TEST(GpuOom, ReadsPyTorch22AndLaterWithOtherProcesses) {
  const Event event = read_one(
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB. GPU 5 has a total capacity of 24.00 GiB "
      "of which "
      "6.00 GiB is free. Process 5151 has 448.00 MiB memory in use. Process 5152 has 64.00 MiB memory in use. "
      "Including "
      "non-PyTorch memory, this process has 17.00 GiB memory in use. 20.00 GiB allowed; Of the allocated memory 15.80 "
      "GiB is "
      "allocated by PyTorch, with 128.00 MiB allocated in private pools (e.g., CUDA Graphs), and 150.21 MiB is "
      "reserved by "
      "PyTorch but unallocated.");
  EXPECT_EQ(event.fields.get("foreign"), "448.00 MiB");
  EXPECT_EQ(event.fields.get("foreign_count"), "2");
  EXPECT_EQ(event.fields.get("foreign_bytes"), "1073741824");
  EXPECT_EQ(event.fields.get("foreign_share"), "0.042");
  EXPECT_EQ(event.fields.get("free_share"), "0.25");
  EXPECT_EQ(event.fields.get("allocated"), "15.80 GiB");
}

// From the corpus: 522 MiB of 11.17 GiB is this process's own.
TEST(GpuOom, TellsThatOthersHoldTheMemory) {
  const Event event = read_one(
      "RuntimeError: CUDA out of memory. Tried to allocate 62.00 MiB (GPU 0; 11.17 GiB total capacity; 498.31 MiB "
      "already "
      "allocated; 14.50 MiB free; 522.00 MiB reserved in total by PyTorch)");
  EXPECT_EQ(event.fields.get("free"), "14.50 MiB");
  EXPECT_EQ(event.fields.get("foreign_share"), "0.953");
  EXPECT_FALSE(event.fields.has("foreign_count"));
}

TEST(GpuOom, ReadsMessagesWithoutNumbers) {
  const Event bare = read_one("RuntimeError: CUDA out of memory");
  EXPECT_EQ(bare.fields.get("message"), "CUDA out of memory");
  EXPECT_EQ(bare.fields.size(), 1u);
  EXPECT_EQ(read_one("!!! Exception during processing !!! Allocation on device ").emitter, "torch");
}

TEST(GpuOom, FindsTheOomThatAnAssertionHides) {
  EXPECT_EQ(
      read_one(
          "RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"../c10/cuda/CUDACachingAllocator.cpp\":1131, "
          "please report a bug to PyTorch. ")
          .emitter,
      "torch");
}

TEST(GpuOom, ReadsAbsurdSizes) {
  EXPECT_EQ(read_one("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate more than 1EB memory.")
                .fields.get("tried_to_allocate"),
            "1EB");
}

// ---- TensorFlow, XLA, JAX

TEST(GpuOom, ReadsTheBfcAllocator) {
  const Event event = read_one(
      "tsl/framework/bfc_allocator.cc:479] Allocator (GPU_0_bfc) ran out of memory trying to allocate 4.44GiB (rounded "
      "to "
      "4770354432)requested by op ");
  EXPECT_EQ(event.emitter, "tensorflow");
  EXPECT_EQ(event.fields.get("allocator"), "GPU_0_bfc");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "4.44GiB");
  EXPECT_EQ(event.fields.get("gpu"), "0");
  EXPECT_FALSE(event.fields.has("harmless"));
}

TEST(GpuOom, MarksWhatTheMessageItselfCallsNoFailure) {
  EXPECT_EQ(
      read_one(
          "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB with freed_by_count=0. The caller "
          "indicates that this is not a failure, but may mean that there could be performance gains if more memory "
          "were available.")
          .fields.get("harmless"),
      "true");
}

TEST(GpuOom, ReadsTensorsThatDoNotFit) {
  const Event event = read_one(
      "OP_REQUIRES failed at conv_ops.cc:1068 : RESOURCE_EXHAUSTED: OOM when allocating tensor with "
      "shape[32,64,512,512] and "
      "type float on /job:localhost/replica:0/task:0/device:GPU:1 by allocator GPU_1_bfc");
  EXPECT_EQ(event.fields.get("gpu"), "1");
  EXPECT_EQ(event.fields.get("allocator"), "GPU_1_bfc");
  EXPECT_TRUE(reads_none("OOM when allocating tensor with shape[9] and type float on /device:CPU:0 by allocator cpu"));
}

TEST(GpuOom, ReadsPinnedHostMemory) {
  const Event event = read_one("failed to alloc 34359738368 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory");
  EXPECT_EQ(event.fields.get("host"), "true");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "34359738368 bytes");
  EXPECT_EQ(read_one("could not allocate pinned host memory of size: 34359738368").fields.get("host"), "true");
  EXPECT_EQ(read_one("Allocator (gpu_host_bfc) ran out of memory trying to allocate 1.00GiB").fields.get("host"),
            "true");
  EXPECT_EQ(
      read_one("CUDA failure 2: out of memory ; GPU=0 ; hostname=n ; expr=cudaHostAlloc((void**)&p, size, flags);")
          .fields.get("host"),
      "true");
}

TEST(GpuOom, LeavesOutPinnedMemoryThatIsDoneWithout) {
  EXPECT_TRUE(reads_none("ggml_cuda_host_malloc: failed to allocate 1900.00 MiB of pinned memory: out of memory"));
}

TEST(GpuOom, ReadsTheano) {
  const Event event = read_one(
      "Error allocating 71323200 bytes of device memory (out of memory). Driver report 10526720 bytes free and "
      "4294770688 bytes total");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "71323200 bytes");
  EXPECT_EQ(event.fields.get("free"), "10526720 bytes");
  EXPECT_EQ(event.fields.get("capacity"), "4294770688 bytes");
}

TEST(GpuOom, ReadsNd4j) {
  const Event event =
      read_one("Caused by: java.lang.RuntimeException: Failed to allocate 140713104 bytes from DEVICE [0] memory");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "140713104 bytes");
  EXPECT_EQ(event.fields.get("gpu"), "0");
}

TEST(GpuOom, ReadsTheDeviceAllocatorOfTensorFlow) {
  const Event event =
      read_one("failed to allocate 187.62M (196739072 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "187.62M");
  EXPECT_FALSE(event.fields.has("host"));
  EXPECT_EQ(read_one("gpu_async_1 cuMemAllocAsync failed to allocate 1225195446464 bytes: RESOURCE_EXHAUSTED: : "
                     "CUDA_ERROR_OUT_OF_MEMORY: out of memory")
                .fields.get("tried_to_allocate"),
            "1225195446464 bytes");
}

TEST(GpuOom, ReadsJax) {
  const Event event = read_one(
      "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 "
      "bytes.");
  EXPECT_EQ(event.emitter, "jax");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "4770354232 bytes");
  EXPECT_EQ(read_one("RESOURCE_EXHAUSTED: Failed to allocate request for 176.00MiB (184549376B) on device ordinal 2")
                .fields.get("gpu"),
            "2");
}

// ---- Others

TEST(GpuOom, ReadsCupy) {
  const Event event = read_one(
      "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,000,000,000 bytes (allocated so far: 0 bytes).");
  EXPECT_EQ(event.emitter, "cupy");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "8,000,000,000 bytes");
  EXPECT_EQ(event.fields.get("tried_bytes"), "8000000000");
  EXPECT_EQ(event.fields.get("allocated"), "0 bytes");
}

TEST(GpuOom, ReadsLlamaCpp) {
  const Event event = read_one(
      "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1024.00 MiB on device 1: cudaMalloc failed: out of "
      "memory");
  EXPECT_EQ(event.emitter, "llama.cpp");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "1024.00 MiB");
  EXPECT_EQ(event.fields.get("gpu"), "1");
  EXPECT_EQ(
      read_one("ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 150995968").fields.get("tried_bytes"),
      "150995968");
}

TEST(GpuOom, ReadsOnnxRuntimePaddleRmmNcclAndBlender) {
  EXPECT_EQ(
      read_one(
          "bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool) Failed to allocate memory "
          "for requested buffer of size 8388608000")
          .fields.get("tried_to_allocate"),
      "8388608000");
  const Event paddle = read_one(
      "Out of memory error on GPU 0. Cannot allocate 56.000000MB memory on GPU 0, 7.782776GB memory has been allocated "
      "and "
      "available memory is only 12.750000MB.");
  EXPECT_EQ(paddle.fields.get("tried_to_allocate"), "56.000000MB");
  EXPECT_EQ(paddle.fields.get("allocated"), "7.782776GB");
  EXPECT_EQ(paddle.fields.get("free"), "12.750000MB");
  EXPECT_EQ(paddle.fields.get("fits_free"), "false");
  EXPECT_EQ(read_one("RMM failure at:/w/pool.hpp:196: Maximum pool size exceeded (failed to allocate 1.5 GiB)").emitter,
            "rmm");
  EXPECT_TRUE(reads_none("[A][Stream 0x1][Upstream 67108864B][FAILURE maximum pool size exceeded]"));
  EXPECT_EQ(read_one("NCCL WARN Failed to CUDA calloc async 608 bytes").emitter, "nccl");
  EXPECT_EQ(read_one("Out of memory in cuMemAlloc_v2(&device_pointer, size) (device_impl.cpp:566)").emitter, "blender");
  EXPECT_EQ(read_one("System is out of GPU memory").emitter, "blender");
}

TEST(GpuOom, AStatusThatSaysOutOfMemoryIsOneToo) {
  EXPECT_EQ(read_one("CUDA error: out of memory").fields.get("message"), "CUDA error: out of memory");
  EXPECT_EQ(read_one("std::bad_alloc: cudaErrorMemoryAllocation: out of memory").kind, "gpu.oom");
  EXPECT_EQ(read_one("Check failed: error == cudaSuccess (2 vs. 0)  out of memory").kind, "gpu.oom");
  EXPECT_TRUE(reads_none("RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"));
}

TEST(GpuOom, MemoryOfTheHostIsAnotherMatter) {
  EXPECT_TRUE(reads_none("Memory cgroup out of memory: Killed process 77120 (python3) total-vm:918273640kB"));
  EXPECT_TRUE(reads_none("Out of memory: Killed process 77120 (python3)"));
  EXPECT_TRUE(reads_none("Allocator (mklcpu) ran out of memory trying to allocate 1.00GiB"));
}

// https://github.com/OpenNMT/CTranslate2/blob/master/src/cuda/utils.h
TEST(GpuOom, ReadsCTranslate2) {
  EXPECT_EQ(only_event(kGpuOomParser, "RuntimeError: CUDA failed with error out of memory").fields.get("message"),
            "CUDA failed with error out of memory");
}

// https://github.com/huggingface/text-generation-inference quotes PyTorch's message of several lines in one.
TEST(GpuOom, ReadsAMessageOfSeveralLinesInOne) {
  const Event event = only_event(
      kGpuOomParser,
      R"(Generation("Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : )"
      R"(16.08 GiB\nRequested               : 4.83 GiB\nDevice limit            : 22.20 GiB\nFree (according to )"
      R"(CUDA): 11.12 MiB"))");
  EXPECT_EQ(event.fields.get("tried_to_allocate"), "4.83 GiB");
  EXPECT_EQ(event.fields.get("capacity"), "22.20 GiB");
}

TEST(GpuOom, AdviceAndSourceCodeAreNoReport) {
  EXPECT_TRUE(reads_none("If you are running out of memory, consider decreasing `gpu_memory_utilization`."));
  EXPECT_TRUE(reads_none("This can help to avoid CUDA out of memory errors."));
  EXPECT_TRUE(reads_none("Tip: use gradient checkpointing if CUDA out of memory."));
  EXPECT_TRUE(reads_none("    if \"CUDA out of memory\" in str(e):"));
  EXPECT_TRUE(reads_none("    raise RuntimeError(\"CUDA out of memory. Tried to allocate\")"));
}

}  // namespace
}  // namespace cutopsy
