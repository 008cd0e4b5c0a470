// Where the message of a Python exception ends.
#include "parsers/python_exception.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::vector<Event> read(std::string_view log, std::string_view lane = "") {
  RecordDriver driver(kPythonExceptionParser, lane);
  return driver.read_all(log);
}

std::string field(const Event& event, std::string_view name) {
  return std::string(event.fields.get(name));
}

TEST(PythonMessage, EndsTheMessageWhereAnotherWriterStarts) {
  for (const std::string_view next :
       {"Keyboard interruption in main thread... closing server.",
        "[W CudaIPCTypes.cpp:15] Producer process has been terminated",
        "W0526 22:11:31.310000 512 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 611",
        "2023-07-21 19:13:29.211 | INFO     | x", "INFO 11-18 14:02:11 model_runner.py:1404] hi",
        "wandb: Waiting for W&B", "srun: error: node2: task 12: Exited with exit code 1",
        "terminate called after throwing an instance of 'c10::Error'", "Process finished with exit code 1",
        "D:\\tools\\Fooocus>pause", "Aborted (core dumped)", "node01:20931:21877 [0] NCCL INFO proxy.cc:1417 -> 6",
        "ValueError: of another process", "step 120 | loss 2.31", "epoch 3: loss 0.21",
        "==7835== Profiling result:", " 42%|####  | 170/400 [01:59<02:41,  1.42it/s]"}) {
    const auto events = read("Traceback (most recent call last):\nRuntimeError: boom\n" + std::string(next) + "\n");
    ASSERT_EQ(events.size(), 1u) << next;
    EXPECT_EQ(field(events[0], "message"), "boom") << next;
  }
}

TEST(PythonMessage, TakesNothingAfterAnExceptionWithoutMessage) {
  RecordDriver driver(kPythonExceptionParser);
  driver.read_all("Traceback (most recent call last):\nKeyboardInterrupt\nsaving checkpoint\ndone\n");
  EXPECT_EQ(driver.lines_outside(), 2u);
}

TEST(PythonMessage, TakesLinesThatNcclAppends) {
  const std::string_view log = R"(Traceback (most recent call last):
  File "t.py", line 4622, in barrier
    work = group.barrier(opts=opts)
torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:77, unhandled cuda error
ncclUnhandledCudaError: Call to CUDA function failed.
Last error:
Cuda failure 802 'system not yet initialized'
W0819 07:34:31.118000 6120 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 6187
)";
  for (const std::string_view lane : {"", "[rank3]:"}) {
    const auto events = read(log, lane);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_TRUE(field(events[0], "message").ends_with("Last error:\nCuda failure 802 'system not yet initialized'"));
    EXPECT_EQ(events[0].emitter, "torch");
  }
}

TEST(PythonMessage, TakesWhatProcessGroupWrapperQuotes) {
  const auto events = read(R"(Traceback (most recent call last):
RuntimeError: ProcessGroupWrapper: Monitored Barrier encountered error running collective: CollectiveFingerPrint(SequenceNumber=3, OpType=ALLREDUCE). Error: 
[Rank 0]: Ranks 1 failed to pass monitoredBarrier in 1800000 ms
[Rank 0]: another writer
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(field(events[0], "message").ends_with("Ranks 1 failed to pass monitoredBarrier in 1800000 ms"));
}

TEST(PythonMessage, KeepsNativeFramesOutOfTheMessage) {
  const auto events = read(R"(Traceback (most recent call last):
  File "t.py", line 2, in f
    x.cuda()
RuntimeError: CUDA error: invalid argument
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.

Exception raised from c10_cuda_check_implementation at /pytorch/c10/cuda/CUDAException.cpp:43 (most recent call first):
frame #0: c10::Error::Error(c10::SourceLocation) + 0x98 (0x7f1c2d3e4f50 in /opt/venv/lib/libc10.so)
<omitting python frames>
frame #19: __libc_start_main + 0x80 (0x7f1c2d229e40 in /lib/x86_64-linux-gnu/libc.so.6)

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "t.py", line 9, in g
    f()
ValueError: again
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "message").find("frame #"), std::string::npos);
  EXPECT_NE(field(events[0], "message").find("Exception raised from"), std::string::npos);
  EXPECT_EQ(events[1].because, events[0].where);
}

TEST(PythonMessage, TakesMoreWhereTheLaneNamesTheWriter) {
  const std::string_view log = R"(Traceback (most recent call last):
ValueError: The model's max seq len (131072) is too large
Try increasing gpu_memory_utilization
or decreasing max_model_len
[core.py:712] next message
)";
  EXPECT_EQ(field(read(log, "(EngineCore_0 pid=1)")[0], "message"),
            "The model's max seq len (131072) is too large\nTry increasing gpu_memory_utilization\nor decreasing "
            "max_model_len");
  EXPECT_EQ(field(read(log)[0], "message"), "The model's max seq len (131072) is too large");
}

TEST(PythonMessage, JoinsAMessageThatATerminalWrapped) {
  const auto events = read(R"(Traceback (most recent call last):
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a
total capacity of 24.00 GiB of which 1.50 GiB is free.
saved
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "first_line"),
            "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 1.50 GiB "
            "is free.");
}

TEST(PythonMessage, TakesTheBuildOutputThatAMessageQuotes) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/opt/torch/utils/cpp_extension.py", line 2107, in _run_ninja_build
    raise RuntimeError(message) from e
RuntimeError: Error building extension 'fused_adam': [1/3] /usr/local/cuda/bin/nvcc -c multi_tensor_adam.cu
FAILED: multi_tensor_adam.cuda.o
nvcc fatal   : Unsupported gpu architecture 'compute_90'
ninja: build stopped: subcommand failed.
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(field(events[0], "message").find("Unsupported gpu architecture 'compute_90'"), std::string::npos);
}

}  // namespace
}  // namespace cutopsy
