// Tracebacks of many writers in one log, torn apart line by line: each comes out whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "parsers/reader.h"

namespace cutopsy {
namespace {

using ::testing::Contains;
using ::testing::UnorderedElementsAreArray;

// Wants every line, and keeps the exceptions.
class Exceptions : public LineObserver, public EventSink {
 public:
  ParserInterest interest(const Line&) override { return {~std::bitset<64>(), ~std::bitset<64>()}; }
  void on_line(const Line&) override {}
  void on_event(Event event) override {
    if (event.kind == "python.exception" || event.kind == "cpp.exception") found.push_back(std::move(event));
  }
  void on_fact(Fact) override {}

  std::vector<Event> found;
};

// What an exception must come out as, in one line.
std::string described(std::string_view writer, std::string_view type, std::string_view message, std::string_view file,
                      std::string_view frames) {
  return fmt::format("writer {} | {} | {} | {} | {}", writer, type, message, file, frames);
}

std::string described(const Event& event, std::string_view writer) {
  const bool native = event.kind == "cpp.exception";
  return described(writer, event.fields.get(native ? "type" : "python_type"),
                   event.fields.get(native ? "what" : "message"), event.fields.get("file"), event.fields.get("frames"));
}

constexpr unsigned kSeeds = 50;

// What one writer prints, and the exceptions in it.
struct Story {
  struct Exception {
    std::string type, message, file, frames;
  };
  std::vector<std::string> lines;
  std::vector<Exception> exceptions;
};

Story deep_recursion() {
  Story story;
  story.lines.push_back("Traceback (most recent call last):");
  std::string frames;
  for (int depth = 0; depth < 30; ++depth) {
    story.lines.push_back(fmt::format("  File \"/srv/llm/layer{}.py\", line {}, in block{}", depth, 10 + depth, depth));
    story.lines.push_back("    return self.inner(x)");
    frames += fmt::format("{}/srv/llm/layer{}.py:block{}", depth == 0 ? "" : " > ", depth, depth);
  }
  story.lines.push_back("AssertionError");
  story.exceptions = {{"AssertionError", "", "/srv/llm/layer29.py", frames}};
  return story;
}

// Forms: Lib/traceback.py, torch/utils/data/_utils/worker.py, c10/util/Exception.cpp, libstdc++'s vterminate.cc.
std::vector<Story> stories() {
  std::vector<Story> stories;
  stories.push_back({{"Traceback (most recent call last):", "  File \"/srv/a/train.py\", line 42, in <module>",
                      "    main()", "  File \"/srv/a/model.py\", line 7, in forward", "    return self.head(x)",
                      "           ^^^^^^^^^^^^", "RuntimeError: CUDA error: device-side assert triggered",
                      "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
                      "below might be incorrect.",
                      "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
                      "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.", ""},
                     {{"RuntimeError",
                       "CUDA error: device-side assert triggered\n"
                       "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
                       "below might be incorrect.\n"
                       "For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
                       "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
                       "/srv/a/model.py", "/srv/a/train.py:<module> > /srv/a/model.py:forward"}}});
  stories.push_back(
      {{"Traceback (most recent call last):", "  File \"/srv/b/config.py\", line 3, in load", "    return table[name]",
        "KeyError: 'optimizer'", "", "During handling of the above exception, another exception occurred:", "",
        "Traceback (most recent call last):", "  File \"/srv/b/train.py\", line 9, in <module>",
        "    load(\"optimizer\")", "  File \"/srv/b/config.py\", line 5, in load", "    raise MissingKey(name)",
        "config.MissingKey: no optimizer in the file"},
       {{"KeyError", "'optimizer'", "/srv/b/config.py", "/srv/b/config.py:load"},
        {"config.MissingKey", "no optimizer in the file", "/srv/b/config.py",
         "/srv/b/train.py:<module> > /srv/b/config.py:load"}}});
  stories.push_back(
      {{"Traceback (most recent call last):", "  File \"/srv/c/store.py\", line 88, in connect",
        "    sock.connect(address)", "ConnectionRefusedError: [Errno 111] Connection refused", "",
        "The above exception was the direct cause of the following exception:", "",
        "Traceback (most recent call last):", "  File \"/srv/c/main.py\", line 1, in <module>", "    start()",
        "RuntimeError: the store cannot be reached:", "  host node0", "  port 29500"},
       {{"ConnectionRefusedError", "[Errno 111] Connection refused", "/srv/c/store.py", "/srv/c/store.py:connect"},
        {"RuntimeError", "the store cannot be reached:\n  host node0\n  port 29500", "/srv/c/main.py",
         "/srv/c/main.py:<module>"}}});
  stories.push_back(deep_recursion());
  stories.push_back(
      {{"Traceback (most recent call last):", "  File \"/srv/e/run.py\", line 12, in <module>",
        "    for batch in loader:", "RuntimeError: Caught IndexError in DataLoader worker process 0.",
        "Original Traceback (most recent call last):", "  File \"/srv/e/worker.py\", line 308, in _worker_loop",
        "    data = fetcher.fetch(index)", "  File \"/srv/e/data.py\", line 21, in __getitem__",
        "    return self.rows[i]", "IndexError: list index out of range"},
       {{"RuntimeError", "Caught IndexError in DataLoader worker process 0.", "/srv/e/run.py",
         "/srv/e/run.py:<module>"},
        {"IndexError", "list index out of range", "/srv/e/data.py",
         "/srv/e/worker.py:_worker_loop > /srv/e/data.py:__getitem__"}}});
  stories.push_back(
      {{"Traceback (most recent call last):", "  File \"/srv/f/fit.py\", line 5, in step", "    loss.backward()",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total "
        "capacity of 79.15 GiB of which 1.06 GiB is free."},
       {{"torch.OutOfMemoryError",
         "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of 79.15 GiB of "
         "which 1.06 GiB is free.",
         "/srv/f/fit.py", "/srv/f/fit.py:step"}}});
  stories.push_back({{"terminate called after throwing an instance of 'c10::DistBackendError'",
                      "  what():  [PG ID 0 PG GUID 0(default_pg) Rank 6] Process group watchdog thread terminated with "
                      "exception: CUDA error: an illegal memory access was encountered",
                      "Exception raised from ncclCommWatchdog at /pytorch/ProcessGroupNCCL.cpp:1901 (most recent call "
                      "first):",
                      "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f1c in /lib/libc10.so)",
                      "frame #1: c10d::ProcessGroupNCCL::ncclCommWatchdog() + 0x7e8 (0x7f1d in /lib/libtorch.so)",
                      "frame #2: clone + 0x3f (0x7f1e in /lib/libc.so.6)"},
                     {{"c10::DistBackendError",
                       "[PG ID 0 PG GUID 0(default_pg) Rank 6] Process group watchdog thread terminated with "
                       "exception: CUDA error: an illegal memory access was encountered",
                       "/pytorch/ProcessGroupNCCL.cpp",
                       "c10::Error::Error(c10::SourceLocation, std::string) > "
                       "c10d::ProcessGroupNCCL::ncclCommWatchdog() > clone"}}});
  stories.push_back(
      {{"Traceback (most recent call last):", "  File \"/srv/h/comm.py\", line 77, in all_reduce",
        "    work = group.allreduce([tensor], opts)",
        "torch.distributed.DistBackendError: NCCL error in: ../NCCLUtils.hpp:275, unhandled cuda error",
        "ncclUnhandledCudaError: Call to CUDA function failed.", "Last error:", "Cuda failure 'out of memory'",
        "Exception raised from checkNcclError at ../NCCLUtils.hpp:275 (most recent call first):",
        "frame #0: c10::Error::Error(std::string) + 0x57 (0x7f2a in /lib/libc10.so)",
        "frame #1: <unknown function> + 0x12 (0x7f2b in /lib/libtorch.so)"},
       {{"torch.distributed.DistBackendError",
         "NCCL error in: ../NCCLUtils.hpp:275, unhandled cuda error\n"
         "ncclUnhandledCudaError: Call to CUDA function failed.\n"
         "Last error:\n"
         "Cuda failure 'out of memory'\n"
         "Exception raised from checkNcclError at ../NCCLUtils.hpp:275 (most recent call first):",
         "/srv/h/comm.py", "/srv/h/comm.py:all_reduce"}}});
  return stories;
}

// How a launcher labels the lines of a writer: `line` counts all lines of the log.
struct Labelling {
  std::string name;
  std::function<std::string(int writer, int line)> label;
  std::string (*writer_of)(const Event& event);
};

std::string rank_of(const Event& event) {
  return event.envelope.rank;
}
std::string local_rank_of(const Event& event) {
  return event.envelope.local_rank;
}
std::string pid_of(const Event& event) {
  return event.envelope.pid.substr(event.envelope.pid.size() - std::min<std::size_t>(1, event.envelope.pid.size()));
}
std::string unnamed(const Event&) {
  return "";
}

// Forms: torch's excepthook, torchrun --tee, Ray, srun --label, docker compose, mpirun --tag-output, pdsh, kubectl logs
// --prefix; with the clocks that they or a shipper add.
std::vector<Labelling> labellings() {
  const auto clock = [](int line) { return fmt::format("{:02}:{:02}", line / 60 % 60, line % 60); };
  return {
      {"rank", [](int n, int) { return fmt::format("[rank{}]: ", n); }, rank_of},
      {"default_and_rank", [](int n, int) { return fmt::format("[default{}]:[rank{}]: ", n, n); }, rank_of},
      {"default", [](int n, int) { return fmt::format("[default{}]:", n); }, local_rank_of},
      {"worker_pid", [](int n, int) { return fmt::format("(Worker pid=12{}) ", n); }, pid_of},
      {"worker_pid_ip", [](int n, int) { return fmt::format("(RayTrainWorker pid=810{}, ip=10.0.0.{}) ", n, 7 - n); },
       pid_of},
      {"worker_tp", [](int n, int) { return fmt::format("(Worker_TP{} pid=99{}) ", n, n); }, pid_of},
      {"srun", [](int n, int) { return fmt::format("{}: ", n); }, rank_of},
      {"srun_padded", [](int n, int) { return fmt::format(" {}: ", n); }, rank_of},
      {"compose", [](int n, int) { return fmt::format("trainer-{}  | ", n); }, unnamed},
      {"mpirun", [](int n, int) { return fmt::format("[1,{}]<stderr>:", n); }, rank_of},
      {"pdsh", [](int n, int) { return fmt::format("node{}: ", n); }, unnamed},
      {"kubectl", [](int n, int) { return fmt::format("[pod/trainer-{}/pytorch] ", n); }, unnamed},
      {"clock_before_rank",
       [=](int n, int i) { return fmt::format("2026-11-30T10:{}.1230000Z [rank{}]: ", clock(i), n); }, rank_of},
      {"clock_before_default",
       [=](int n, int i) { return fmt::format("2026-11-30 10:{},123 [default{}]:[rank{}]: ", clock(i), n, n); },
       rank_of},
      {"clock_before_srun", [=](int n, int i) { return fmt::format("[2026-11-30 10:{}] {}: ", clock(i), n); }, rank_of},
      {"clock_before_worker",
       [=](int n, int i) { return fmt::format("2026-11-30 10:{}.5 (Worker pid=12{}) ", clock(i), n); }, pid_of},
      {"clock_in_mpirun",
       [=](int n, int i) { return fmt::format("Mon Nov 30 10:{} 2026[1,{}]<stderr>:", clock(i), n); }, rank_of},
      {"clock_behind_rank", [=](int n, int i) { return fmt::format("[rank{}]: 2026-11-30 10:{},123 ", n, clock(i)); },
       rank_of},
      {"clock_behind_srun", [=](int n, int i) { return fmt::format("{}: [2026-11-30 10:{}] ", n, clock(i)); }, rank_of},
      {"clock_behind_compose",
       [=](int n, int i) { return fmt::format("trainer-{}  | 2026-11-30T10:{}Z ", n, clock(i)); }, unnamed},
      {"clock_behind_mpirun",
       [=](int n, int i) { return fmt::format("[1,{}]<stderr>:2026-11-30 10:{}.5 ", n, clock(i)); }, rank_of},
      {"clock_behind_kubectl",
       [=](int n, int i) { return fmt::format("[pod/trainer-{}/pytorch] 2026-11-30T10:{}.5Z ", n, clock(i)); },
       unnamed},
      {"mixed",
       [=](int n, int i) {
         const std::string labels[] = {fmt::format("[rank{}]: ", n), fmt::format("{}: ", n),
                                       fmt::format("trainer-{}  | 10:{} ", n, clock(i)),
                                       fmt::format("(Worker pid=12{}) ", n)};
         return labels[n % 4];
       },
       unnamed},
  };
}

// All lines of `parts` in random order, but each part's own in theirs: pairs of part and line.
std::vector<std::pair<int, std::string>> shuffled(const std::vector<std::vector<std::string>>& parts, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::size_t> next(parts.size(), 0);
  std::vector<int> left;
  for (std::size_t i = 0; i < parts.size(); ++i) left.insert(left.end(), parts[i].size(), static_cast<int>(i));
  std::shuffle(left.begin(), left.end(), random);
  std::vector<std::pair<int, std::string>> lines;
  for (int part : left) lines.emplace_back(part, parts[static_cast<std::size_t>(part)][next[part]++]);
  return lines;
}

std::vector<Event> read(const std::vector<std::string>& lines) {
  Exceptions exceptions;
  Reader reader(exceptions, exceptions);
  std::uint64_t number = 0;
  for (const std::string& line : lines) reader.read(line, {0, ++number});
  reader.finish();
  return exceptions.found;
}

class Labelled : public testing::TestWithParam<Labelling> {};

TEST_P(Labelled, RanksDoNotTearEachOthersRecords) {
  const std::vector<Story> told = stories();
  std::vector<std::vector<std::string>> parts;
  std::vector<std::string> expected;
  for (std::size_t writer = 0; writer < told.size(); ++writer) {
    parts.push_back(told[writer].lines);
    parts.back().insert(parts.back().begin(), {"step 1 loss 0.5", "step 2 loss 0.4"});
    parts.back().push_back(
        "[W1130 10:00:00.123456 ProcessGroupNCCL.cpp:1250] Warning: process group has NOT been "
        "destroyed before we destruct ProcessGroupNCCL.");
    for (const Story::Exception& wanted : told[writer].exceptions) {
      const std::string name = GetParam().writer_of == unnamed ? "" : std::to_string(writer);
      expected.push_back(described(name, wanted.type, wanted.message, wanted.file, wanted.frames));
    }
  }
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    std::vector<std::string> lines;
    int number = 0;
    for (const auto& [writer, text] : shuffled(parts, seed)) lines.push_back(GetParam().label(writer, ++number) + text);
    std::vector<std::string> found;
    for (const Event& event : read(lines)) found.push_back(described(event, GetParam().writer_of(event)));
    ASSERT_THAT(found, UnorderedElementsAreArray(expected)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, Labelled, testing::ValuesIn(labellings()),
                         [](const auto& info) { return info.param.name; });

// The stories of Python in one lane: `count` of them from the `first`th on, line by line.
struct Torn {
  std::vector<Story> told;
  std::vector<Event> found;
};
Torn tell_unlabelled(std::size_t first, std::size_t count, unsigned seed) {
  std::vector<Story> all = stories();
  std::erase_if(all, [](const Story& story) { return story.lines[0].starts_with("terminate"); });
  Torn torn;
  std::vector<std::vector<std::string>> parts;
  for (std::size_t i = 0; i < count; ++i) {
    torn.told.push_back(all[(first + i) % all.size()]);
    parts.push_back(torn.told.back().lines);
  }
  std::vector<std::string> lines;
  for (const auto& [writer, text] : shuffled(parts, seed)) lines.push_back(text);
  torn.found = read(lines);
  return torn;
}

class Unlabelled : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(Unlabelled, EachExceptionKeepsItsTypeAndMessage) {
  const auto [first, count] = GetParam();
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Torn torn = tell_unlabelled(first, count, seed);
    std::vector<std::string> found;
    for (const Event& event : torn.found) {
      found.push_back(fmt::format("{}: {}", event.fields.get("python_type"), event.fields.get("first_line")));
    }
    for (const Story& story : torn.told) {
      for (const Story::Exception& wanted : story.exceptions) {
        const std::string line = wanted.message.substr(0, wanted.message.find('\n'));
        ASSERT_THAT(found, Contains(wanted.type + ": " + line)) << "seed " << seed;
      }
    }
  }
}

TEST_P(Unlabelled, NoExceptionGetsTheFramesOrTheCauseOfAnother) {
  const auto [first, count] = GetParam();
  int married = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const Torn torn = tell_unlabelled(first, count, seed);
    for (const Event& event : torn.found) {
      const bool is_torn = !event.fields.has("frames");
      ASSERT_TRUE(!is_torn || event.because == Place{}) << "seed " << seed;
      for (const Story& story : torn.told) {
        for (const Story::Exception& wanted : story.exceptions) {
          const bool same = event.fields.get("python_type") == wanted.type &&
                            event.fields.get("first_line") == wanted.message.substr(0, wanted.message.find('\n'));
          if (same && event.fields.has("frames") && event.fields.get("frames") != wanted.frames) ++married;
        }
      }
    }
  }
  EXPECT_EQ(married, 0);
}

INSTANTIATE_TEST_SUITE_P(Writers, Unlabelled,
                         testing::Combine(testing::Range<std::size_t>(0, 7), testing::Values<std::size_t>(2, 3, 7)));

}  // namespace
}  // namespace cutopsy
