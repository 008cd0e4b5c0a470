// How exceptions of one record are linked: chains, groups, workers' tracebacks inside messages.
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

TEST(PythonChain, LinksTheContextOfAChain) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/home/u/a.py", line 3, in f
    g()
queue.Empty

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/home/u/a.py", line 9, in <module>
    f()
RuntimeError: DataLoader worker (pid(s) 4242) exited unexpectedly
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "python_type"), "queue.Empty");
  EXPECT_EQ(field(events[0], "chain"), "context");
  EXPECT_FALSE(events[1].fields.has("chain"));
  EXPECT_EQ(events[1].because, events[0].where);
  EXPECT_EQ(events[1].begin.line, 8u);
  EXPECT_EQ(events[0].record, events[1].record);
  EXPECT_NE(events[0].record, 0u);
}

TEST(PythonChain, LinksTheCauseOfAChainAlsoWithoutASecondHeader) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/opt/conda/lib/python3.8/site-packages/horovod/torch/mpi_ops.py", line 1282, in synchronize
    mpi_lib.horovod_torch_wait_and_clear(handle)
RuntimeError: ncclCommInitRank failed: invalid usage

The above exception was the direct cause of the following exception:

horovod.common.exceptions.HorovodInternalError: ncclCommInitRank failed: invalid usage
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "chain"), "cause");
  EXPECT_EQ(field(events[1], "python_type"), "horovod.common.exceptions.HorovodInternalError");
  EXPECT_EQ(events[1].emitter, "horovod");
  EXPECT_EQ(events[1].because.line, 4u);
}

TEST(PythonChain, LinksAnExceptionGroupToItsMembers) {
  const auto events = read(R"(  + Exception Group Traceback (most recent call last):
  |   File "/home/u/c.py", line 10, in <module>
  |     raise ExceptionGroup("workers", errs)
  | ExceptionGroup: workers (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/home/u/c.py", line 4, in w
    |     x.cuda()
    | KeyError: 'gpu'
    |
    | The above exception was the direct cause of the following exception:
    |
    | Traceback (most recent call last):
    |   File "/home/u/c.py", line 6, in w
    |     raise AssertionError("Torch not compiled with CUDA enabled")
    | AssertionError: Torch not compiled with CUDA enabled
    +---------------- 2 ----------------
    | RuntimeError: CUDA error: out of memory
    +------------------------------------
)");
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(field(events[0], "message"), "workers (2 sub-exceptions)");
  EXPECT_EQ(field(events[1], "chain"), "cause");
  EXPECT_EQ(field(events[2], "chain"), "original");
  EXPECT_EQ(events[2].because, events[1].where);
  EXPECT_EQ(field(events[2], "source"), "raise AssertionError(\"Torch not compiled with CUDA enabled\")");
  EXPECT_EQ(field(events[3], "python_type"), "RuntimeError");
  EXPECT_EQ(field(events[3], "chain"), "original");
  EXPECT_EQ(events[0].because, events[2].where);
}

TEST(PythonChain, BlamesTheOriginalExceptionOfADataLoaderWorker) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/home/u/train.py", line 20, in <module>
    for b in loader:
RuntimeError: Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/opt/venv/lib/python3.11/site-packages/torch/utils/data/_utils/worker.py", line 349, in _worker_loop
    data = fetcher.fetch(index)
RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method

Epoch 0 aborted
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "message"), "Caught RuntimeError in DataLoader worker process 0.");
  EXPECT_FALSE(events[0].fields.has("chain"));
  EXPECT_EQ(events[0].because.line, 8u);
  EXPECT_EQ(field(events[1], "chain"), "original");
  EXPECT_EQ(field(events[1], "thread"), "DataLoader worker process 0");
  EXPECT_EQ(events[1].begin.line, 5u);
}

TEST(PythonChain, TellsThePackageThatRaisedAndNoneForOneThatPassesOn) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/home/u/train.py", line 20, in <module>
    for b in loader:
  File "/opt/venv/lib/python3.11/site-packages/torch/_utils.py", line 733, in reraise
    raise exception
AssertionError: Caught AssertionError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/functional.py", line 5101, in multi_head_attention_forward
    assert embed_dim % num_heads == 0
AssertionError
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_FALSE(events[0].fields.has("package"));
  EXPECT_EQ(field(events[1], "package"), "torch");
}

TEST(PythonChain, TakesASentenceAfterACaughtExceptionForTheOuterOne) {
  const auto events = read(R"(Traceback (most recent call last):
  File "t.py", line 20, in <module>
    for b in loader:
ValueError: Caught ValueError in DataLoader worker process 1.
Original Traceback (most recent call last):
  File "w.py", line 3, in _worker_loop
    fetch()
ValueError: bad sample

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "t.py", line 22, in <module>
    save()
OSError: [Errno 28] No space left on device
)");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(field(events[0], "chain"), "context");
  EXPECT_EQ(field(events[1], "chain"), "original");
  EXPECT_EQ(events[2].because, events[0].where);
}

TEST(PythonChain, ReadsTheTracebackOfASpawnedProcess) {
  const auto events = read(R"(Traceback (most recent call last):
  File "train.py", line 9, in <module>
    mp.spawn(main, nprocs=2)
torch.multiprocessing.spawn.ProcessRaisedException: 

-- Process 1 terminated with the following error:
Traceback (most recent call last):
  File "/opt/conda/lib/python3.8/site-packages/torch/multiprocessing/spawn.py", line 69, in _wrap
    fn(i, *args)
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "python_type"), "torch.multiprocessing.spawn.ProcessRaisedException");
  EXPECT_EQ(events[0].because, events[1].where);
  EXPECT_EQ(field(events[1], "python_type"), "torch.cuda.OutOfMemoryError");
  EXPECT_EQ(field(events[1], "chain"), "original");
}

TEST(PythonChain, LinksMultiprocessingsQuotedTraceback) {
  const auto events = read(R"(multiprocessing.pool.RemoteTraceback:
"""
Traceback (most recent call last):
  File "/usr/lib/python3.10/multiprocessing/pool.py", line 125, in worker
    result = (True, func(*args, **kwds))
ValueError: bad shard
"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "prep.py", line 7, in <module>
    pool.map(f, xs)
ValueError: bad shard
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "chain"), "cause");
  EXPECT_EQ(events[1].because, events[0].where);
}

TEST(PythonChain, LooksThroughAQuotedTracebackLaterInAChain) {
  const auto events = read(R"(Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
KeyError: 'first'

During handling of the above exception, another exception occurred:

concurrent.futures.process._RemoteTraceback:
"""
Traceback (most recent call last):
  File "a.py", line 125, in worker
    result = f()
ValueError: bad shard
"""

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "prep.py", line 7, in <module>
    pool.map(f, xs)
ValueError: bad shard
)");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(field(events[1], "message"), "bad shard");
  EXPECT_EQ(field(events[1], "chain"), "original");
  EXPECT_EQ(events[2].because, events[1].where);
}

TEST(PythonChain, ReadsRayTaskErrorsWithoutAHeader) {
  const auto events = read(
      R"(ray.exceptions.RayTaskError(OutOfMemoryError): ray::WorkerDict.update() (pid=4242, ip=10.0.0.1, actor_id=abc123, repr=<W object at 0x7f>)
  File "/home/u/w.py", line 10, in update
    loss.backward()
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "python_type"), "ray.exceptions.RayTaskError(OutOfMemoryError)");
  EXPECT_EQ(events[0].because.line, 4u);
  EXPECT_EQ(field(events[1], "python_type"), "torch.OutOfMemoryError");
  EXPECT_EQ(field(events[1], "chain"), "original");
  EXPECT_EQ(field(events[1], "function"), "update");
}

TEST(PythonChain, SkipsJaxNoteOnRemovedFrames) {
  const auto events = read(R"(Traceback (most recent call last):
  File "t.py", line 1, in <module>
    f(x)
jax.errors.SimplifiedTraceback: For simplicity, JAX has removed its internal frames from the traceback of the following exception. Set JAX_TRACEBACK_FILTERING=off to include these.

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "t.py", line 1, in <module>
    f(x)
ValueError: bad shape
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "python_type"), "ValueError");
  EXPECT_EQ(events[0].because, Place{});
}

TEST(PythonChain, HoldsTheBlockOfALauncherAndTheTracebackInIt) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/opt/torch/distributed/launcher/api.py", line 250, in launch_agent
    raise ChildFailedError(
torch.distributed.elastic.multiprocessing.errors.ChildFailedError: 
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-30_09:59:58
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 4242)
  error_file: /tmp/torchelastic/error.json
  traceback : Traceback (most recent call last):
    File "/opt/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 346, in wrapper
      return f(*args, **kwargs)
    File "train.py", line 31, in main
      assert x.is_cuda
  AssertionError
  
============================================================
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "first_line"), "train.py FAILED");
  EXPECT_EQ(field(events[1], "python_type"), "AssertionError");
  EXPECT_EQ(field(events[1], "assert"), "x.is_cuda");
  EXPECT_EQ(events[0].because, events[1].where);
}

TEST(PythonChain, ReadsTorchScriptTracebacksInsideMessages) {
  const auto events = read(R"(Traceback (most recent call last):
  File "t.py", line 2, in f
    scripted(x)
RuntimeError: The following operation failed in the TorchScript interpreter.
Traceback of TorchScript (most recent call last):
  File "t.py", line 9, in forward
    def forward(self, x):
        return x @ self.w
               ~~~~~~~~~~ <--- HERE
RuntimeError: CUDA error: invalid device function
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].because, events[1].where);
  EXPECT_EQ(field(events[1], "first_line"), "CUDA error: invalid device function");
}

}  // namespace
}  // namespace cutopsy
