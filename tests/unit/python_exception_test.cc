// Tracebacks as programs print them. The samples follow the printers' own formats (CPython, IPython, rich, loguru,
// RETURNN, absl) and reported logs.
#include "parsers/python_exception.h"

#include <gtest/gtest.h>

#include <random>
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

TEST(PythonException, ReadsClassicTracebackWithItsWholeMessage) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/home/u/train.py", line 42, in <module>
    main()
  File "/home/u/train.py", line 31, in main
    loss.backward()
RuntimeError: CUDA error: device-side assert triggered
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
)");
  ASSERT_EQ(events.size(), 1u);
  const Event& event = events[0];
  EXPECT_EQ(event.kind, "python.exception");
  EXPECT_EQ(field(event, "python_type"), "RuntimeError");
  EXPECT_EQ(field(event, "first_line"), "CUDA error: device-side assert triggered");
  EXPECT_TRUE(field(event, "message").ends_with("to enable device-side assertions."));
  EXPECT_EQ(field(event, "file"), "/home/u/train.py");
  EXPECT_EQ(field(event, "line"), "31");
  EXPECT_EQ(field(event, "function"), "main");
  EXPECT_EQ(field(event, "source"), "loss.backward()");
  EXPECT_EQ(field(event, "frames"), "/home/u/train.py:<module> > /home/u/train.py:main");
  EXPECT_EQ(event.where.line, 6u);
  EXPECT_EQ(event.begin.line, 1u);
  EXPECT_EQ(event.text, "RuntimeError: CUDA error: device-side assert triggered");
  EXPECT_EQ(event.because, Place{});
}

TEST(PythonException, SkipsMarkersAndJoinsMultiLineSource) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/home/u/train.py", line 12, in <module>
    run(
    ~~~^
        cfg,
        ^^^^
    )
    ^
ZeroDivisionError: division by zero
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "source"), "run( cfg, )");
  EXPECT_EQ(field(events[0], "message"), "division by zero");
}

TEST(PythonException, ReadsFramesWithoutSource) {
  const auto events = read(R"(Traceback (most recent call last):
  File "<frozen runpy>", line 198, in _run_module_as_main
  File "cupy_backends/cuda/libs/cusparse.pyx", line 1511, in cupy_backends.cuda.libs.cusparse.check_status
  File "<string>", line 1, in <module>
  [Previous line repeated 995 more times]
RecursionError: maximum recursion depth exceeded
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "python_type"), "RecursionError");
  EXPECT_EQ(field(events[0], "file"), "<string>");
  EXPECT_FALSE(events[0].fields.has("source"));
}

TEST(PythonException, ReadsOldIPythonTracebacks) {
  const auto events = read(R"(---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
<ipython-input-5-abc123> in <module>
      1 x = torch.zeros(2)
----> 2 x.cuda()

~/venv/lib/python3.9/site-packages/torch/cuda/__init__.py in _lazy_init()
    301 
--> 302         torch._C._cuda_init()

RuntimeError: No CUDA GPUs are available
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "first_line"), "No CUDA GPUs are available");
  EXPECT_EQ(field(events[0], "file"), "~/venv/lib/python3.9/site-packages/torch/cuda/__init__.py");
  EXPECT_EQ(field(events[0], "line"), "302");
  EXPECT_EQ(field(events[0], "function"), "_lazy_init");
  EXPECT_EQ(field(events[0], "source"), "torch._C._cuda_init()");
  EXPECT_EQ(events[0].begin.line, 2u);
}

TEST(PythonException, ReadsNewIPythonAndColabTracebacks) {
  const auto events = read(R"(AssertionError                            Traceback (most recent call last)
Cell In[3], line 1
----> 1 model.to("cuda")

File /opt/venv/lib/python3.11/site-packages/torch/cuda/__init__.py:305, in _lazy_init()
    303 if not hasattr(torch._C, "_cuda_getDeviceCount"):
--> 305     raise AssertionError("Torch not compiled with CUDA enabled")

AssertionError: Torch not compiled with CUDA enabled
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "message"), "Torch not compiled with CUDA enabled");
  EXPECT_EQ(field(events[0], "frames"),
            "Cell In[3] > /opt/venv/lib/python3.11/site-packages/torch/cuda/__init__.py:_lazy_init");

  const auto colab = read(R"(OutOfMemoryError                          Traceback (most recent call last)
[<ipython-input-7-1f2e>](https://localhost:8080/#) in <cell line: 1>()
----> 1 trainer.train()

12 frames
[/usr/local/lib/python3.10/dist-packages/torch/nn/functional.py](https://localhost:8080/#) in linear(input, weight)
-> 1855     return torch._C._nn.linear(input, weight)
OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.
)");
  ASSERT_EQ(colab.size(), 1u);
  EXPECT_EQ(field(colab[0], "file"), "/usr/local/lib/python3.10/dist-packages/torch/nn/functional.py");
  EXPECT_EQ(field(colab[0], "function"), "linear");
}

TEST(PythonException, ReadsRichBoxesAndUnwrapsTheMessage) {
  const auto events = read(R"(╭─────────────────── Traceback (most recent call last) ───────────────────╮
│ /home/u/train.py:31 in main                                             │
│                                                                         │
│   30 │   out = model(x)                                                 │
│ ❱ 31 │   │   loss.backward()                                            │
╰─────────────────────────────────────────────────────────────────────────╯
OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0;
8.00 GiB total capacity; 7.27 GiB already allocated; 0 bytes free; 7.30 GiB
reserved in total by PyTorch)
Done in 3 s
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "message"),
            "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total capacity; 7.27 GiB already "
            "allocated; 0 bytes free; 7.30 GiB reserved in total by PyTorch)");
  EXPECT_EQ(field(events[0], "file"), "/home/u/train.py");
  EXPECT_EQ(field(events[0], "function"), "main");
  EXPECT_EQ(field(events[0], "source"), "loss.backward()");
}

TEST(PythonException, ReadsLoguruValueTrees) {
  const auto events = read(R"(Traceback (most recent call last):

> File "/home/u/train.py", line 31, in main
    loss.backward()
    │    └ <method 'backward' of tensors>
    └ tensor(1.0)

RuntimeError: CUDA error: out of memory
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "source"), "loss.backward()");
  EXPECT_EQ(field(events[0], "first_line"), "CUDA error: out of memory");
}

TEST(PythonException, ReadsReturnnTracebacks) {
  const auto events = read(R"(Traceback (most recent call last):
  File "/data/asr/setups/returnn/rnn.py", line 11, in <module>
    line: main()
  File "/data/asr/setups/returnn/returnn/torch/engine.py", line 328, in Engine.train_epoch
    line: torch.distributed.all_reduce(_has_data, op=torch.distributed.ReduceOp.MIN)
    locals:
      _has_data = <local> tensor([1], dtype=torch.int8)
RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:133] Timed out waiting 1800000ms for send operation to complete

Unhandled exception <class 'RuntimeError'> in thread <_MainThread(MainThread, started 140273053547648)>, proc 5122.
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "source"), "torch.distributed.all_reduce(_has_data, op=torch.distributed.ReduceOp.MIN)");
  EXPECT_TRUE(field(events[0], "message").ends_with("send operation to complete"));
}

TEST(PythonException, ReadsFramesThatLostTheirIndentation) {
  const auto events = read(R"(Traceback (most recent call last):
File "/app/alphafold/run_alphafold.py", line 532, in <module>
app.run(main)
File "/opt/conda/lib/python3.8/site-packages/jax/_src/dispatch.py", line 895, in _execute_compiled
out_flat = compiled.execute(in_flat)
jax._src.traceback_util.UnfilteredStackTrace: jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 bytes.
The stack trace below excludes JAX-internal frames.
The preceding is the original exception that occurred, unmodified.
--------------------
The above exception was the direct cause of the following exception:
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4770354232 bytes.
)",
                           "I1101 run_docker.py:258]");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(field(events[0], "python_type"), "jaxlib.xla_extension.XlaRuntimeError");
  EXPECT_EQ(field(events[0], "source"), "out_flat = compiled.execute(in_flat)");
  EXPECT_EQ(events[1].emitter, "jax");
  EXPECT_EQ(events[1].because, events[0].where);
}

TEST(PythonException, NamesTheThreadOrProcess) {
  const auto thread = read(R"(Exception in thread Thread-2 (worker):
Traceback (most recent call last):
  File "a.py", line 1, in run
    f()
KeyError: 'x'
)");
  ASSERT_EQ(thread.size(), 1u);
  EXPECT_EQ(field(thread[0], "thread"), "Thread-2 (worker)");
  EXPECT_EQ(thread[0].begin.line, 1u);

  const auto process = read("^CProcess SpawnProcess-1:\nTraceback (most recent call last):\nKeyboardInterrupt\n");
  ASSERT_EQ(process.size(), 1u);
  EXPECT_EQ(field(process[0], "thread"), "SpawnProcess-1");
  EXPECT_EQ(field(process[0], "python_type"), "KeyboardInterrupt");
}

TEST(PythonException, OpensAtAHeaderGluedToOtherOutput) {
  const std::string rest = "  File \"t.py\", line 3, in f\n    g()\nRuntimeError: boom\n";
  for (const std::string_view before :
       {"  2%|2         | 2/100 [00:02<01:38,  1.00s/it]", "Scheduler hit an exception: ", "ERROR:root:failed "}) {
    const auto events = read(std::string(before) + "Traceback (most recent call last):\n" + rest);
    ASSERT_EQ(events.size(), 1u) << before;
    EXPECT_EQ(field(events[0], "source"), "g()") << before;
  }
}

TEST(PythonException, LeavesProseAboutTracebacksAlone) {
  for (const std::string_view line :
       {"please post the whole Traceback (most recent call last): block", "'Traceback (most recent call last):\\n'",
        "print_exc prints Traceback (most recent call last)", "Process finished with exit code 1:",
        "Exception in thread pool", "Process group destroyed:", "RayTaskError(ValueError) is raised by ray.get"}) {
    Line opener;
    opener.text = line;
    EXPECT_EQ(kPythonExceptionParser.open(opener), nullptr) << line;
  }
}

TEST(PythonException, SkipsAHandfulOfForeignLinesBetweenFrames) {
  const auto events = read(R"(Traceback (most recent call last):
  File "run_lm.py", line 374, in <module>
    main()
  File "/opt/conda/lib/python3.6/site-packages/torch/nn/parallel/distributed.py", line 282, in __init__
#015 86%|########  | 56/65 [00:03<00:00, 12.03ba/s]    ).format(device_ids, output_device)
 87%|########  | 57/65 [00:03<00:00, 12.03ba/s]
AssertionError: DistributedDataParallel device_ids and output_device arguments only work with single-device CUDA modules
#015 86%|########  | 56/65 [00:03<00:00, 11.81ba/s]
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(field(events[0], "python_type"), "AssertionError");
  EXPECT_FALSE(events[0].fields.has("source"));
  EXPECT_TRUE(field(events[0], "message").ends_with("CUDA modules"));
}

TEST(PythonException, GivesUpATracebackThatIsNeverFinished) {
  std::string log = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n";
  for (int i = 0; i < 100; ++i) log += "step " + std::to_string(i) + "\n";
  log += "RuntimeError: later\n";
  RecordDriver driver(kPythonExceptionParser);
  EXPECT_TRUE(driver.read_all(log).empty());
  EXPECT_GE(driver.lines_outside(), 80u);
}

TEST(PythonException, StartsANewRecordAtTheNextTraceback) {
  const auto events = read(R"(Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
RuntimeError: one
Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
RuntimeError: two
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NE(events[0].record, events[1].record);
  EXPECT_EQ(field(events[0], "message"), "one");
}

TEST(PythonException, ReadsTheConditionOfAssertStatements) {
  const struct {
    std::string_view source, condition;
  } kSamples[] = {
      {"assert boxes.shape[1] == 5, f\"{rec.path}: expected 5, got {boxes.shape[1]}\"", "boxes.shape[1] == 5"},
      {"assert not norm.isnan(), (", "not norm.isnan()"},
      {"assert f(a, b) == \"x, y\", 'no'", "f(a, b) == \"x, y\""},
      {"assert torch.isfinite(loss).all()", "torch.isfinite(loss).all()"},
      {"assert(x > 0)", "(x > 0)"},
      {"assert_close(a, b)", ""},
      {"raise AssertionError('x')", ""},
  };
  for (const auto& sample : kSamples) {
    const auto events = read("Traceback (most recent call last):\n  File \"d.py\", line 1, in f\n    " +
                             std::string(sample.source) + "\nAssertionError\n");
    ASSERT_EQ(events.size(), 1u) << sample.source;
    EXPECT_EQ(field(events[0], "assert"), sample.condition);
  }
}

TEST(PythonException, BoundsWhatItKeeps) {
  std::string log = "Traceback (most recent call last):\n";
  for (int i = 0; i < 5000; ++i) log += "  File \"/very/long/" + std::string(500, 'd') + "\", line 1, in f\n    g()\n";
  log += "RuntimeError: " + std::string(100000, 'x') + "\n";
  for (int i = 0; i < 200; ++i) {
    log += "\nDuring handling of the above exception, another exception occurred:\n\nKeyError: 'x'\n";
  }
  const auto events = read(log);
  ASSERT_GE(events.size(), 1u);
  EXPECT_LE(events.size(), 64u);
  for (const auto& [name, value] : events[0].fields) EXPECT_LE(value.size(), Fields::kMaxValueBytes) << name;
}

TEST(PythonException, SurvivesAnyBytes) {
  const std::string_view parts[] = {"Traceback (most recent call last)",
                                    ":",
                                    "\n",
                                    " ",
                                    "  File \"",
                                    "\", line ",
                                    "1",
                                    ", in ",
                                    "|",
                                    "+",
                                    "-+---- 1 ----",
                                    "│",
                                    "❱",
                                    "\xE2",
                                    "Exception Group ",
                                    "\"\"\"",
                                    "RuntimeError",
                                    "Original ",
                                    "(",
                                    ")",
                                    ".",
                                    "[",
                                    "](",
                                    "assert ",
                                    "'",
                                    "\\",
                                    "=====",
                                    "During handling of the above exception, another exception occurred:",
                                    "\xFF\x00"};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string log;
    for (int i = 0; i < 40; ++i) log += parts[random() % std::size(parts)];
    for (const Event& event : read(log)) EXPECT_FALSE(field(event, "python_type").empty());
  }
}

}  // namespace
}  // namespace cutopsy
