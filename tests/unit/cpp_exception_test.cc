// Dying C++ programs as they print themselves. The samples follow libstdc++, libc++, c10, glog, dmlc, Visual C++ and
// .NET, and reported logs.
#include "parsers/cpp_exception.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::vector<Event> read(std::string_view log, std::string_view lane = "") {
  RecordDriver driver(kCppExceptionParser, lane);
  return driver.read_all(log);
}

std::string field(const Event& event, std::string_view name) {
  return std::string(event.fields.get(name));
}

TEST(CppException, ReadsC10ErrorsWithMessageAndFrames) {
  RecordDriver driver(kCppExceptionParser);
  const auto events = driver.read_all(R"(terminate called after throwing an instance of 'c10::AcceleratorError'
  what():  CUDA error: device-side assert triggered
Search for `cudaErrorAssert' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.

Exception raised from c10_cuda_check_implementation at /pytorch/c10/cuda/CUDAException.cpp:43 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >) + 0x98 (0x7f1c2d3e4f50 in /opt/venv/lib/python3.11/site-packages/torch/lib/libc10.so)
frame #1: <unknown function> + 0xdbbf4 (0x7f1c2d3e4bf4 in /lib/x86_64-linux-gnu/libstdc++.so.6)
<omitting python frames>
frame #19: __libc_start_main + 0x80 (0x7f1c2d229e40 in /lib/x86_64-linux-gnu/libc.so.6)

Aborted (core dumped)
step 10
)");
  ASSERT_EQ(events.size(), 1u);
  const Event& event = events[0];
  EXPECT_EQ(event.kind, "cpp.exception");
  EXPECT_EQ(event.emitter, "torch");
  EXPECT_EQ(field(event, "type"), "c10::AcceleratorError");
  EXPECT_TRUE(
      field(event, "what").starts_with("CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert'"));
  EXPECT_TRUE(field(event, "what").ends_with("to enable device-side assertions."));
  EXPECT_EQ(field(event, "raised_from"), "c10_cuda_check_implementation");
  EXPECT_EQ(field(event, "file"), "/pytorch/c10/cuda/CUDAException.cpp");
  EXPECT_EQ(field(event, "line"), "43");
  EXPECT_TRUE(field(event, "frames").starts_with("c10::Error::Error(c10::SourceLocation"));
  EXPECT_TRUE(field(event, "frames").ends_with(" > __libc_start_main"));
  EXPECT_EQ(field(event, "frames").find("unknown"), std::string::npos);
  EXPECT_EQ(event.begin.line, 1u);
  EXPECT_EQ(event.where.line, 2u);
  EXPECT_EQ(event.text, "  what():  CUDA error: device-side assert triggered");
  EXPECT_EQ(driver.lines_outside(), 1u);
}

TEST(CppException, JoinsTheLinesThatNcclAppends) {
  const auto events = read(R"(terminate called after throwing an instance of 'c10::DistBackendError'
  what():  [PG 0 Rank 0] NCCL watchdog thread terminated with exception: NCCL error: internal error
ncclInternalError: Internal check failed.
Last error:
    @     0x7f1c2d3e478c  ncclNetPluginShim_test()
Exception raised from checkForNCCLErrorsInternal at /opt/pytorch/pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1695 (most recent call first):
C++ CapturedTraceback:
#4 c10d::ProcessGroupNCCL::checkForNCCLErrors() from ProcessGroupNCCL.cpp:0
#5 c10::Error::Error(c10::SourceLocation, std::string) from ??:0

Exception raised from ncclCommWatchdog at /opt/pytorch/pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1898 (most recent call first):
frame #0: c10::Error::Error() + 0x98 (0x7f1c in /opt/libc10.so)
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(field(events[0], "what").find("ncclInternalError: Internal check failed.\nLast error:"), std::string::npos);
  EXPECT_EQ(field(events[0], "raised_from"), "checkForNCCLErrorsInternal");
  EXPECT_EQ(field(events[0], "line"), "1695");
  EXPECT_NE(field(events[0], "frames").find("c10d::ProcessGroupNCCL::checkForNCCLErrors()"), std::string::npos);
}

TEST(CppException, ReadsOtherLibrariesExceptions) {
  const auto thrust = read(R"(terminate called after throwing an instance of 'thrust::system::system_error'
  what():  after reduction step 1: cudaErrorMisalignedAddress: misaligned address
Aborted (core dumped)
)");
  ASSERT_EQ(thrust.size(), 1u);
  EXPECT_EQ(field(thrust[0], "type"), "thrust::system::system_error");
  EXPECT_EQ(field(thrust[0], "what"), "after reduction step 1: cudaErrorMisalignedAddress: misaligned address");
  EXPECT_EQ(thrust[0].emitter, "thrust");

  const auto trt = read(R"(terminate called after throwing an instance of 'tensorrt_llm::common::TllmException'
  what():  [TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, mMemPool->getPool(), stream): out of memory (/src/tensorrt_llm/runtime/tllmBuffers.h:125)
1       0x7f8c12a0b1c2 tensorrt_llm::common::throwRuntimeError(char const*, int, std::string const&) + 100
2       0x7f8c12b0c1d2 /opt/lib/libtensorrt_llm.so(+0x7a2c) [0x7f8c12b0c1d2]
)");
  ASSERT_EQ(trt.size(), 1u);
  EXPECT_TRUE(field(trt[0], "frames").starts_with("tensorrt_llm::common::throwRuntimeError(char const*"));
  EXPECT_EQ(trt[0].emitter, "tensorrt-llm");
}

TEST(CppException, ReadsThePlaceThatOldPyTorchPutsBehindTheMessage) {
  const auto events = read(R"(terminate called after throwing an instance of 'c10::Error'
  what():  CUDA error: device-side assert triggered (insert_events at /pytorch/c10/cuda/CUDACachingAllocator.cpp:764)
frame #0: c10::Error::Error(c10::SourceLocation, std::string const&) + 0x33 (0x7f44 in /opt/libc10.so)
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "raised_from"), "insert_events");
  EXPECT_EQ(field(events[0], "file"), "/pytorch/c10/cuda/CUDACachingAllocator.cpp");
  EXPECT_EQ(field(events[0], "line"), "764");
}

TEST(CppException, OpensAtTheRaisedFromLine) {
  const auto events = read(
      R"(Exception raised from recvBytes at /pytorch/torch/csrc/distributed/c10d/Utils.hpp:678 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x98 (0x7f1c2d3e4f50 in /opt/venv/lib/libc10.so)
frame #4: dorado() [0x8b1a4e]

step 11
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_FALSE(events[0].fields.has("type"));
  EXPECT_EQ(field(events[0], "raised_from"), "recvBytes");
  EXPECT_TRUE(field(events[0], "frames").ends_with(" > dorado()"));
}

TEST(CppException, TellsFramesOfDifferentProcessesApart) {
  const auto events = read(
      R"(Exception raised from recvBytes at /pytorch/torch/csrc/distributed/c10d/Utils.hpp:682 (most recent call first):
frame #0: c10d::TCPStore::check() + 0x98 (0x7f1c2d3e4f50 in /opt/venv/lib/libtorch_cpu.so)

Exception raised from recvBytes at /pytorch/torch/csrc/distributed/c10d/Utils.hpp:682 (most recent call first):
frame #0: c10d::TCPStore::check() + 0x98 (0x7faa2d3e4f50 in /opt/venv/lib/libtorch_cpu.so)
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].where.line, 4u);
}

TEST(CppException, ReadsTerminationsWithoutAnException) {
  const auto active = read("terminate called without an active exception\nAborted (core dumped)\n");
  ASSERT_EQ(active.size(), 1u);
  EXPECT_EQ(field(active[0], "what"), "terminate called without an active exception");
  EXPECT_FALSE(active[0].fields.has("type"));

  const auto recursive = read("x=3 terminate called recursively\n  what():  NCCL error: remote process exited\n");
  ASSERT_EQ(recursive.size(), 1u);
  EXPECT_EQ(field(recursive[0], "what"), "NCCL error: remote process exited");
}

TEST(CppException, TakesThreadsThatDieTogetherForOne) {
  const auto events = read(R"(terminate called after throwing an instance of 'c10::Error'
terminate called recursively
  what():  CUDA error: unspecified launch failure
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "type"), "c10::Error");
  EXPECT_EQ(field(events[0], "what"), "CUDA error: unspecified launch failure");
}

TEST(CppException, TellsTheMessagesOfProcessesThatDieTogetherApart) {
  const auto events = read(R"(terminate called after throwing an instance of 'c10::DistBackendError'
terminate called after throwing an instance of 'c10::Error'
  what():  [PG 0 Rank 1] NCCL watchdog thread terminated with exception: remote process exited
  what():  CUDA error: an illegal memory access was encountered
Exception raised from ncclCommWatchdog at ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1418 (most recent call first):
Exception raised from c10_cuda_check_implementation at ../c10/cuda/CUDAException.cpp:44 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f1 in /opt/libc10.so)
frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f2 in /opt/libc10.so)
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "type"), "c10::DistBackendError");
  EXPECT_EQ(field(events[0], "what"),
            "[PG 0 Rank 1] NCCL watchdog thread terminated with exception: remote process exited");
  EXPECT_EQ(field(events[1], "what"), "CUDA error: an illegal memory access was encountered");
  EXPECT_EQ(events[1].where.line, 4u);
  EXPECT_EQ(events[0].envelope.rank, "1");
  EXPECT_EQ(events[1].envelope.rank, "");
}

TEST(CppException, ReadsLibcxxTerminations) {
  const auto events =
      read("libc++abi: terminating due to uncaught exception of type std::runtime_error: CUDA error: out of memory\n");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "type"), "std::runtime_error");
  EXPECT_EQ(field(events[0], "what"), "CUDA error: out of memory");

  const auto bare = read("libc++abi.dylib: terminating with uncaught exception of type c10::Error\n");
  ASSERT_EQ(bare.size(), 1u);
  EXPECT_EQ(field(bare[0], "type"), "c10::Error");
}

TEST(CppException, ReadsFailedChecksWithGlogFrames) {
  const auto events = read(R"(E20261130 10:00:00.123456 140213 executor.cc:99] Check failed: status == 0 (700 vs. 0) 
*** Check failure stack trace: ***
    @     0x7f00deadbeef  google::LogMessage::Fail()
    @     0x7f00deadbee0  (unknown)
    @     0x7f00deadbeaa  run_kernel()
step 3
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "type"), "CheckFailed");
  EXPECT_EQ(field(events[0], "what"), "Check failed: status == 0 (700 vs. 0) ");
  EXPECT_EQ(field(events[0], "file"), "executor.cc");
  EXPECT_EQ(field(events[0], "line"), "99");
  EXPECT_EQ(field(events[0], "frames"), "google::LogMessage::Fail() > run_kernel()");
}

TEST(CppException, ReadsFailedChecksWithDmlcFrames) {
  const auto events =
      read(R"([10:00:00] /src/storage/./gpu_device_storage.h:61: Check failed: e == cudaSuccess: CUDA: out of memory
Stack trace:
  [bt] (0) /lib/libmxnet.so(dmlc::LogMessageFatal::~LogMessageFatal()+0x2a) [0x7f0c]
  [bt] (1) /lib/libmxnet.so(+0x1a2b) [0x7f0d]
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "file"), "/src/storage/./gpu_device_storage.h");
  EXPECT_EQ(field(events[0], "line"), "61");
  EXPECT_NE(field(events[0], "frames").find("dmlc::LogMessageFatal"), std::string::npos);
}

TEST(CppException, ReadsUnhandledExceptionsOfWindowsAndDotNet) {
  const auto native = read(
      "Unhandled exception at 0x00007FFA2C4F4B59 (KernelBase.dll) in python.exe: Microsoft C++ exception: c10::Error "
      "at "
      "memory location 0x000000A7.\n");
  ASSERT_EQ(native.size(), 1u);
  EXPECT_EQ(field(native[0], "type"), "c10::Error");

  const auto managed =
      read(R"(Unhandled exception. System.DllNotFoundException: Unable to load shared library 'cudart64_110'
   at LLama.Native.NativeApi.llama_max_devices()
   at LLama.Program.Main(String[] args)
next
)");
  ASSERT_EQ(managed.size(), 1u);
  EXPECT_EQ(field(managed[0], "type"), "System.DllNotFoundException");
  EXPECT_EQ(field(managed[0], "what"), "Unable to load shared library 'cudart64_110'");
  EXPECT_EQ(field(managed[0], "frames"), "LLama.Native.NativeApi.llama_max_devices > LLama.Program.Main");
}

TEST(CppException, LeavesOtherTextAlone) {
  for (const std::string_view text :
       {"Unhandled exception <class 'RuntimeError'> in thread <_MainThread(MainThread, started 1)>, proc 5122.",
        "the process was terminated", "Exception raised from user code", "libc++abi is installed",
        "quoted 'Check failed: x' in a ticket", "Unhandled exceptions: 0", "  what():", "call what(): it tells more",
        "NVRM: nvCheckOkFailedNoLog: Check failed: Call not supported [NV_ERR_NOT_SUPPORTED] (0x00000056) returned "
        "from "
        "status @ gpu_accounting.c:1141"}) {
    Line opener;
    opener.text = text;
    EXPECT_EQ(kCppExceptionParser.open(opener), nullptr) << text;
  }
}

TEST(CppException, EndsWhereAnotherRecordStarts) {
  RecordDriver driver(kCppExceptionParser);
  const auto events = driver.read_all(R"(terminate called after throwing an instance of 'c10::Error'
  what():  CUDA error: device-side assert triggered
Exception raised from create_event_internal at /pytorch/c10/cuda/CUDACachingAllocator.cpp:687 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x42 (0x7f60a3b1d8b2 in /opt/libc10.so)

Traceback (most recent call last):
terminate called after throwing an instance of 'c10::Error'
  what():  second
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NE(events[0].record, events[1].record);
  EXPECT_EQ(driver.lines_outside(), 1u);
}

TEST(CppException, BoundsWhatItKeeps) {
  std::string log = "terminate called after throwing an instance of 'E'\n  what():  " + std::string(50000, 'x') + "\n";
  for (int i = 0; i < 1000; ++i) log += "frame #1: f" + std::string(5000, 'a') + " + 0x1 (0x2 in /x.so)\n";
  const auto events = read(log);
  ASSERT_EQ(events.size(), 1u);
  for (const auto& [name, value] : events[0].fields) EXPECT_LE(value.size(), Fields::kMaxValueBytes) << name;
}

TEST(CppException, SurvivesAnyBytes) {
  const std::string_view parts[] = {"terminate called",
                                    " after throwing an instance of '",
                                    "'",
                                    "\n",
                                    "  what():  ",
                                    "Exception raised from ",
                                    " at ",
                                    ":",
                                    "1",
                                    " (most recent call first)",
                                    "frame #",
                                    "#1 ",
                                    " from ",
                                    "    @ 0x",
                                    "[bt] (",
                                    ")",
                                    "Check failed: ",
                                    "] ",
                                    "Unhandled exception",
                                    ". ",
                                    " at 0x",
                                    ": ",
                                    "libc++abi",
                                    "terminating",
                                    "exception of type ",
                                    "\xFF",
                                    "Stack trace:",
                                    " ("};
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string log;
    for (int i = 0; i < 40; ++i) log += parts[random() % std::size(parts)];
    for (const Event& event : read(log)) EXPECT_EQ(event.kind, "cpp.exception");
  }
}

}  // namespace
}  // namespace cutopsy
