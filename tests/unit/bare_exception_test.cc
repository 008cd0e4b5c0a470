// Exceptions that are printed without a traceback.
#include "parsers/python_exception.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::string field(const Event& event, std::string_view name) {
  return std::string(event.fields.get(name));
}

std::vector<Event> read_bare(std::string_view text, std::uint64_t record = 0) {
  Line line;
  line.text = text;
  line.where.line = 7;
  line.record = record;
  EventCollector sink;
  kBareExceptionParser.parse(line, sink);
  return sink.events;
}

bool holds_trigger(std::string_view text) {
  for (const std::string_view trigger : kBareExceptionParser.triggers) {
    if (text.find(trigger) != std::string_view::npos) return true;
  }
  return false;
}

TEST(BareException, ReadsWellKnownAndDottedClasses) {
  const struct {
    std::string_view text, type, message;
  } kSamples[] = {
      {"RuntimeError: CUDA error: out of memory", "RuntimeError", "CUDA error: out of memory"},
      {"E   torch._dynamo.exc.Unsupported: Data-dependent branching", "torch._dynamo.exc.Unsupported",
       "Data-dependent branching"},
      {"torch._inductor.exc.TritonMissing: Cannot find a working triton installation.",
       "torch._inductor.exc.TritonMissing", "Cannot find a working triton installation."},
      {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB.", "torch.OutOfMemoryError",
       "CUDA out of memory. Tried to allocate 3.00 GiB."},
      {"numba.cuda.cudadrv.driver.CudaAPIError: [700] Call to cuMemcpyDtoH results in UNKNOWN_CUDA_ERROR",
       "numba.cuda.cudadrv.driver.CudaAPIError", "[700] Call to cuMemcpyDtoH results in UNKNOWN_CUDA_ERROR"},
      {"triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 81920",
       "triton.runtime.errors.OutOfResources", "out of resource: shared memory, Required: 81920"},
      {"Exception: WorkerProc initialization failed due to an exception in a background process.", "Exception",
       "WorkerProc initialization failed due to an exception in a background process."},
      {"torch.distributed.elastic.multiprocessing.errors.ChildFailedError:",
       "torch.distributed.elastic.multiprocessing.errors.ChildFailedError", ""},
      {"lightning_fabric.utilities.exceptions.MisconfigurationException: `CUDAAccelerator` can not run",
       "lightning_fabric.utilities.exceptions.MisconfigurationException", "`CUDAAccelerator` can not run"},
      {"concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated",
       "concurrent.futures.process.BrokenProcessPool", "A process in the process pool was terminated"},
      {"torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:", "torch._dynamo.exc.BackendCompilerFailed",
       "backend='inductor' raised:"},
      {"E       RuntimeError: CUDA error: invalid device ordinal", "RuntimeError",
       "CUDA error: invalid device ordinal"},
      {"E   AssertionError", "AssertionError", ""},
      {"KeyboardInterrupt", "KeyboardInterrupt", ""},
  };
  for (const auto& sample : kSamples) {
    const auto events = read_bare(sample.text);
    ASSERT_EQ(events.size(), 1u) << sample.text;
    EXPECT_EQ(field(events[0], "python_type"), sample.type);
    EXPECT_EQ(field(events[0], "message"), sample.message);
    EXPECT_EQ(events[0].where.line, 7u);
    EXPECT_TRUE(holds_trigger(sample.text)) << sample.text;
  }
}

TEST(BareException, LeavesOtherTextAlone) {
  for (const std::string_view text :
       {"Error: no such container", "Warning: destroy_process_group() was not called", "UserError: try again",
        "cuda_sync_error: 0.0012", "the worker raised RuntimeError: CUDA error",
        "java.lang.OutOfMemoryError: Java heap space", "org.apache.spark.SparkException: Job aborted", "AssertionError",
        "RuntimeError", "RuntimeError:x", "FAILED test_a.py::test_b - RuntimeError: NCCL Error 2", "Epoch: 3",
        "torch.distributed.run: [WARNING]", "megatron.core.Timers: reset",
        "x.py:235: UserWarning: CUDA initialization"}) {
    EXPECT_TRUE(read_bare(text).empty()) << text;
  }
}

TEST(BareException, IsSilentInsideRecords) {
  EXPECT_TRUE(read_bare("RuntimeError: boom", 3).empty());
}

}  // namespace
}  // namespace cutopsy
