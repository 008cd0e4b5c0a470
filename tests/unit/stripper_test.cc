// Samples: log formats and kernel-log prefixes as the tools print them; see the sources named in
// parsers/envelope/wrapping_table.cc.
#include "parsers/envelope/stripper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace cutopsy {
namespace {

using testing::ElementsAre;

struct Stripped {
  std::string text;
  std::string lane;
  Envelope envelope;
};

std::vector<Stripped> strip(std::string_view raw) {
  static Stripper stripper;
  std::vector<Stripped> lines;
  stripper.strip(raw, {}, [&](const Line& line) {
    lines.push_back({std::string(line.text), std::string(line.lane), line.envelope});
  });
  return lines;
}

std::vector<std::string> texts(std::string_view raw) {
  std::vector<std::string> result;
  for (const Stripped& line : strip(raw)) result.push_back(line.text);
  return result;
}

// The fields that are set, in a fixed order: "level=error rank=0 kernel".
std::string describe(const Envelope& envelope) {
  std::string result;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) result += (result.empty() ? "" : " ") + std::string(name) + "=" + value;
  };
  add("level", envelope.level);
  add("host", envelope.host);
  add("rank", envelope.rank);
  add("local_rank", envelope.local_rank);
  add("pod", envelope.pod);
  add("pid", envelope.pid);
  add("app", envelope.application);
  if (envelope.kernel) result += result.empty() ? "kernel" : " kernel";
  return result;
}

struct Sample {
  std::string_view raw;
  std::string_view text;
  std::string_view time = "";
  std::string_view envelope = "";
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.raw;
}

class Wrappings : public testing::TestWithParam<Sample> {};

TEST_P(Wrappings, AreTakenOffAndSayWhoWrote) {
  const auto lines = strip(GetParam().raw);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, GetParam().text);
  EXPECT_EQ(lines[0].envelope.time, GetParam().time);
  EXPECT_EQ(describe(lines[0].envelope), GetParam().envelope);
}

TEST_P(Wrappings, LeaveATextThatHasNone) {
  const auto again = strip(GetParam().text);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].text, GetParam().text);
}

constexpr std::string_view kOom = "RuntimeError: CUDA error: out of memory";
constexpr std::string_view kXid =
    "NVRM: Xid (PCI:0000:18:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";
#define XID "NVRM: Xid (PCI:0000:18:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus."
#define OOM "RuntimeError: CUDA error: out of memory"

const Sample kKernelSamples[] = {
    {"[ 7421.118204] " XID, kXid, "7421.118204", "kernel"},
    {"[ 7421.118204] [  T2977] " XID, kXid, "7421.118204", "kernel"},
    {"[  +0.000007] " XID, kXid, "+0.000007", "kernel"},
    {"[Tue Mar 11 09:14:02 2025] " XID, kXid, "Tue Mar 11 09:14:02 2025", "kernel"},
    {"2025-03-11T09:14:02,118204+00:00 " XID, kXid, "2025-03-11T09:14:02,118204+00:00", "kernel"},
    {"Mar 11 09:14:02 gpu-node-07 kernel: " XID, kXid, "Mar 11 09:14:02", "host=gpu-node-07 kernel"},
    {"Mar 11 09:14:02 gpu-node-07 kernel: [ 7421.118204] " XID, kXid, "Mar 11 09:14:02", "host=gpu-node-07 kernel"},
    {"2025-03-11T09:14:02+0000 gpu-node-07 kernel: " XID, kXid, "2025-03-11T09:14:02+0000", "host=gpu-node-07 kernel"},
    {"2025-03-11T09:14:02.118204+00:00 gpu-node-07 kernel: " XID, kXid, "2025-03-11T09:14:02.118204+00:00",
     "host=gpu-node-07 kernel"},
    {"4,1733,7421118204,-;" XID, kXid, "7421118204", "level=warning kernel"},
    {"<4>[ 7421.118204] " XID, kXid, "7421.118204", "level=warning kernel"},
    {"kernel: " XID, kXid, "", "kernel"},
    {"gpu-node-07: kern: warning: [2025-03-11T09:14:02.118204Z]: " XID, kXid, "2025-03-11T09:14:02.118204Z",
     "level=warning host=gpu-node-07 kernel"},
    {R"({"_HOSTNAME":"gpu-node-07","SYSLOG_IDENTIFIER":"kernel","__REALTIME_TIMESTAMP":"1741684442118204","MESSAGE":")" XID
     R"("})",
     kXid, "1741684442118204", "host=gpu-node-07 app=kernel kernel"},
    {"kern  :warn  : 2025-03-11T09:14:02,118204+00:00 " XID, kXid, "2025-03-11T09:14:02,118204+00:00",
     "level=warning kernel"},
    {"<4>1 2025-03-11T09:14:02.118204Z gpu-node-07 kernel - - - " XID, kXid, "2025-03-11T09:14:02.118204Z",
     "level=warning host=gpu-node-07 kernel"},
    {"kwi 15 07:55:33 stacja kernel: " XID, kXid, "kwi 15 07:55:33", "host=stacja kernel"},
    {"Mär 11 09:14:02 gpu-node-07 kernel: " XID, kXid, "Mär 11 09:14:02", "host=gpu-node-07 kernel"},
    {"11月 30 10:00:00 gpu-node-07 kernel: " XID, kXid, "11月 30 10:00:00", "host=gpu-node-07 kernel"},
    {XID, kXid},
    {"[ 2811.402113] nvidia-nvswitch3: SXid (PCI:0000:c6:00.0): 22003, Fatal, Link 12 Minion Halt",
     "nvidia-nvswitch3: SXid (PCI:0000:c6:00.0): 22003, Fatal, Link 12 Minion Halt", "2811.402113", "kernel"},
};
INSTANTIATE_TEST_SUITE_P(Kernel, Wrappings, testing::ValuesIn(kKernelSamples));

const Sample kSystemSamples[] = {
    {"Nov 30 10:00:00 node1 python3[4242]: " OOM, kOom, "Nov 30 10:00:00", "host=node1 pid=4242 app=python3"},
    {"2026-11-30T10:00:00+0000 node1 python3[4242]: " OOM, kOom, "2026-11-30T10:00:00+0000",
     "host=node1 pid=4242 app=python3"},
    {"<14>1 2026-11-30T10:00:00.003Z node1 trainer 4242 - - " OOM, kOom, "2026-11-30T10:00:00.003Z",
     "host=node1 pid=4242 app=trainer"},
    {"Mar 11 09:14:02 gpu-node-07 nv-fabricmanager: detected NVSwitch fatal error 20034 on fid 0",
     "detected NVSwitch fatal error 20034 on fid 0", "Mar 11 09:14:02", "host=gpu-node-07 app=nv-fabricmanager"},
    {"[Mar 11 2025 09:14:02] [ERROR] [tid 12727] detected NVSwitch fatal error 20034 on fid 0",
     "detected NVSwitch fatal error 20034 on fid 0", "Mar 11 2025 09:14:02", "level=error"},
    {"[2023-11-07 09:30:11.511 Control     1] User did not send valid credentials",
     "User did not send valid credentials", "2023-11-07 09:30:11.511"},
    {"MESSAGE=" OOM, kOom},
    {"    MESSAGE=" OOM, kOom},
};
INSTANTIATE_TEST_SUITE_P(System, Wrappings, testing::ValuesIn(kSystemSamples));

const Sample kContainerSamples[] = {
    {R"({"log":"RuntimeError: CUDA error: out of memory\n","stream":"stderr","time":"2026-11-30T10:00:00.123456789Z"})",
     kOom, "2026-11-30T10:00:00.123456789Z"},
    {R"({"log":"(EngineCore_DP0 pid=72) ERROR 03-11 08:44:17 [core.py:1100]   File \"/v1/engine/core.py\", line 1\n","time":"2026-03-11T08:44:17.1Z"})",
     "  File \"/v1/engine/core.py\", line 1", "03-11 08:44:17", "level=error pid=72 app=EngineCore_DP0"},
    {R"([{"stream_name":"stderr","time":12.345,"data":"RuntimeError: CUDA error: out of memory\n"})", kOom, "12.345"},
    {R"(,{"stream_name":"stdout","time":12.4,"data":"done\n"}])", "done", "12.4"},
    {R"({"level":"error","ts":"2026-11-30T10:00:00Z","msg":"RuntimeError: CUDA error: out of memory"})", kOom,
     "2026-11-30T10:00:00Z", "level=error"},
    {"trainer-1  | [rank0]: " OOM, kOom, "", "rank=0 app=trainer-1"},
    {"2026-11-30T10:00:00.123456789Z stderr F " OOM, kOom, "2026-11-30T10:00:00.123456789Z"},
    {"2026-11-30T10:00:00.123456790+00:00 stdout P partial chunk of a very long li", "partial chunk of a very long li",
     "2026-11-30T10:00:00.123456790+00:00"},
    {"2026-11-30T10:00:00.123456789Z stdout F", "", "2026-11-30T10:00:00.123456789Z"},
    {"[pod/trainer-0/main] 2026-11-30T10:00:00.123456789Z " OOM, kOom, "2026-11-30T10:00:00.123456789Z",
     "pod=trainer-0 app=main"},
    {"#14 146.3 /usr/bin/ld: cannot find -lcuda", "/usr/bin/ld: cannot find -lcuda"},
};
INSTANTIATE_TEST_SUITE_P(Containers, Wrappings, testing::ValuesIn(kContainerSamples));

const Sample kCiSamples[] = {
    {"2026-11-30T10:00:05.0000000Z " OOM, kOom, "2026-11-30T10:00:05.0000000Z"},
    {"\xEF\xBB\xBF"
     "2026-11-30T10:00:00.1234567Z ##[group]Run python train.py",
     "Run python train.py", "2026-11-30T10:00:00.1234567Z"},
    {"2026-11-30T10:00:00.1234568Z \x1b[36;1mpython train.py\x1b[0m", "python train.py",
     "2026-11-30T10:00:00.1234568Z"},
    {"2026-11-30T10:00:05.1000000Z ##[error]Process completed with exit code 1.", "Process completed with exit code 1.",
     "2026-11-30T10:00:05.1000000Z", "level=error"},
    {"::error file=train.py,line=31,title=OOM::CUDA out of memory", "CUDA out of memory", "", "level=error"},
    {"build\tRun tests\t2026-11-30T10:00:05.0000000Z " OOM, kOom, "2026-11-30T10:00:05.0000000Z"},
    {"\x1b_bk;t=1764496800000\x07" OOM, kOom},
    {"[13:01:14]W:\t [Step 2/2] (.init+0xb): relocation truncated to fit", "(.init+0xb): relocation truncated to fit",
     "13:01:14"},
    {"[13:01:14] :\t [Step 2/2] /usr/bin/ld: crti.o: in function `_init':", "/usr/bin/ld: crti.o: in function `_init':",
     "13:01:14"},
    {"2024-05-22T12:43:46.962646Z 01E RuntimeError: x", "RuntimeError: x", "2024-05-22T12:43:46.962646Z"},
    {"2024-05-22T12:43:46.962646Z 01O+  continued", "  continued", "2024-05-22T12:43:46.962646Z"},
    {"2024-05-02T06:30:16.8038331Z 12: Assertion failed", "Assertion failed", "2024-05-02T06:30:16.8038331Z",
     "rank=12"},
};
INSTANTIATE_TEST_SUITE_P(Ci, Wrappings, testing::ValuesIn(kCiSamples));

const Sample kLauncherSamples[] = {
    {"[rank0]: Traceback (most recent call last):", "Traceback (most recent call last):", "", "rank=0"},
    {"[rank0]:   File \"/home/u/train.py\", line 31, in <module>", "  File \"/home/u/train.py\", line 31, in <module>",
     "", "rank=0"},
    {"[rank0]:", "", "", "rank=0"},
    {"[default0]:[rank0]: " OOM, kOom, "", "rank=0 local_rank=0"},
    {"[trainer3]:step 10", "step 10", "", "local_rank=3"},
    {"nemo.collections.llm.api.pretrain/0 [default0]:[rank0]: " OOM, kOom, "",
     "rank=0 local_rank=0 app=nemo.collections.llm.api.pretrain"},
    {"1078:[default0]:[rank0]: " OOM, kOom, "", "rank=0 local_rank=0"},
    {"0: [rank0]: " OOM, kOom, "", "rank=0"},
    {" 3: step 10 loss 1.0", "step 10 loss 1.0", "", "rank=3"},
    {"[1,3]<stderr>:" OOM, kOom, "", "rank=3"},
    {"Fri Jul 16 10:20:33 2021[1,0]<stdout>:epoch 1", "epoch 1", "Fri Jul 16 10:20:33 2021", "rank=0"},
    {"[1,mpirank:0,algo-1]<stderr>:" OOM, kOom, "", "host=algo-1 rank=0"},
    {"node1: " OOM, kOom, "", "host=node1"},
    {"gn21:   File \"/data/ft/loader.py\", line 143, in get_dataset",
     "  File \"/data/ft/loader.py\", line 143, in get_dataset", "", "host=gn21"},
    {"# MAGIC [rank3]: [rank3]: " OOM, kOom, "", "rank=3"},
    {"[task 3] Traceback (most recent call last):", "Traceback (most recent call last):", "", "rank=3"},
    {"[node1:04242] *** Process received signal ***", "*** Process received signal ***", "", "host=node1 pid=04242"},
    {"[rank: 3] Seed set to 888", "Seed set to 888", "", "rank=3"},
    {"[RANK 0] 2026-11-30 10:00:00,000 - x", "x", "2026-11-30 10:00:00,000", "rank=0"},
    {"2026-04-22T21:34:14.1891823Z [default0]:[rank0]: " OOM, kOom, "2026-04-22T21:34:14.1891823Z",
     "rank=0 local_rank=0"},
    {"1: [rank1]:     raise RuntimeError(", "    raise RuntimeError(", "", "rank=1"},
};
INSTANTIATE_TEST_SUITE_P(Launchers, Wrappings, testing::ValuesIn(kLauncherSamples));

const Sample kServerSamples[] = {
    {"ERROR 03-18 08:32:47 [worker_base.py:620]   File \"/x/worker_base.py\", line 612, in execute_method",
     "  File \"/x/worker_base.py\", line 612, in execute_method", "03-18 08:32:47", "level=error"},
    {"INFO 10-23 17:50:41 logger.py:37] Received request", "Received request", "10-23 17:50:41", "level=info"},
    {"INFO:     Waiting for application startup.", "Waiting for application startup.", "", "level=info"},
    {"2025-11-30 10:00:00,123 [ERROR] cudaErrorInvalidValue: invalid argument",
     "cudaErrorInvalidValue: invalid argument", "2025-11-30 10:00:00,123", "level=error"},
    {"\x1b[1;36m(EngineCore_0 pid=123)\x1b[0;0m ERROR 11-30 10:00:00 [core.py:712] EngineCore encountered a fatal "
     "error.",
     "EngineCore encountered a fatal error.", "11-30 10:00:00", "level=error pid=123 app=EngineCore_0"},
    {"(APIServer pid=100) " OOM, kOom, "", "pid=100 app=APIServer"},
    {"(RayTrainWorker pid=4242, ip=10.0.0.3) " OOM " [repeated 7x across cluster]", kOom, "",
     "host=10.0.0.3 pid=4242 app=RayTrainWorker"},
    {"(EngineCore_DP0 pid=4200) (RayWorkerWrapper pid=4244) ERROR 11-30 10:00:00 [worker_base.py:620] " OOM, kOom,
     "11-30 10:00:00", "level=error pid=4244 app=RayWorkerWrapper"},
    {"(raylet, ip=10.0.0.2) [2026-11-30 10:00:00,123 E 4242 4242] (raylet) node_manager.cc:3193: 1 Workers killed",
     "1 Workers killed", "2026-11-30 10:00:00,123", "level=error host=10.0.0.2 pid=4242 app=node_manager.cc:3193"},
    {"2024-05-10T12:00:00.123456Z ERROR text_generation_launcher: Shard 0 failed", "Shard 0 failed",
     "2024-05-10T12:00:00.123456Z", "level=error app=text_generation_launcher"},
    {"[2026-11-30 10:00:00 TP0] Received sigquit", "Received sigquit", "2026-11-30 10:00:00", "rank=0"},
    {"[11/30/2026-10:00:00] [TRT-LLM] [RANK 0] [E] Failed", "Failed", "11/30/2026-10:00:00",
     "level=error rank=0 app=TRT-LLM"},
    {"[TensorRT-LLM][ERROR] Assertion failed: msg (/src/tllmRuntime.cpp:99)",
     "Assertion failed: msg (/src/tllmRuntime.cpp:99)", "", "level=error app=TensorRT-LLM"},
    {"Aug 19 03:11:02 llm-h800-2 ollama[1811]: time=2025-08-19T03:11:02.410Z level=WARN source=routes.go:1297 msg=x",
     "msg=x", "2025-08-19T03:11:02.410Z", "level=warning host=llm-h800-2 pid=1811 app=ollama"},
    {"E0121 20:28:50.871894       1 factory.go:115] Incompatible platform detected", "Incompatible platform detected",
     "0121 20:28:50.871894", "level=error app=factory.go:115"},
};
INSTANTIATE_TEST_SUITE_P(Servers, Wrappings, testing::ValuesIn(kServerSamples));

const Sample kLoggerSamples[] = {
    {"[E ProcessGroupNCCL.cpp:475] Watchdog caught", "Watchdog caught", "", "level=error app=ProcessGroupNCCL.cpp:475"},
    {"[rank1]:[E1130 10:00:00.123456789 ProcessGroupNCCL.cpp:629] [Rank 1] Watchdog caught", "[Rank 1] Watchdog caught",
     "1130 10:00:00", "level=error rank=1 app=ProcessGroupNCCL.cpp:629"},
    {"[E709 10:00:00.987654321 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught", "[Rank 0] Watchdog caught",
     "709 10:00:00", "level=error rank=0 app=ProcessGroupNCCL.cpp:632"},
    {"[W105 10:00:00.125000111 ProcessGroupNCCL.cpp:2168] [PG ID 0 PG GUID 0(default_pg) Rank 3]  failure",
     "[PG ID 0 PG GUID 0(default_pg) Rank 3]  failure", "105 10:00:00",
     "level=warning rank=3 app=ProcessGroupNCCL.cpp:2168"},
    {"[rank0]:W1130 10:00:00.123000 12345 torch/_dynamo/convert_frame.py:906] [0/8] hit limit", "[0/8] hit limit",
     "1130 10:00:00.123000", "level=warning rank=0 app=torch/_dynamo/convert_frame.py:906"},
    {"E20261130 10:00:00.123456 140213 executor.cc:99] Check failed: status == 0", "Check failed: status == 0",
     "20261130 10:00:00.123456", "level=error app=executor.cc:99"},
    {"I1101 13:06:20.025225 140646328219456 run_docker.py:258] Peak buffers:", "Peak buffers:", "1101 13:06:20.025225",
     "level=info app=run_docker.py:258"},
    {"[task 3] I20260704 09:12:51.655 lm.train compiling", "lm.train compiling", "20260704 09:12:51.655",
     "level=info rank=3"},
    {"2026-11-30 10:00:00.900000: E external/local_xla/cuda_driver.cc:152] failed call to cuInit",
     "failed call to cuInit", "2026-11-30 10:00:00.900000", "level=error app=external/local_xla/cuda_driver.cc:152"},
    {"2025-04-06 19:27:09.561093 [E:onnxruntime:, inference_session.cc:2105 operator()] Exception", "Exception",
     "2025-04-06 19:27:09.561093", "level=error"},
    {"E tensorflow/stream_executor/cuda/cuda_driver.cc:466] failed call to cuInit", "failed call to cuInit", "",
     "level=error app=tensorflow/stream_executor/cuda/cuda_driver.cc:466"},
    {"WARNING:2024-05-10 12:00:00,123:jax._src.xla_bridge:898: An NVIDIA GPU may be present",
     "An NVIDIA GPU may be present", "2024-05-10 12:00:00,123", "level=warning app=jax._src.xla_bridge"},
    {"ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1)", "failed (exitcode: 1)", "",
     "level=error app=torch.distributed.elastic.multiprocessing.api"},
    {"[2024-01-15 10:00:01,456] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: 1)",
     "failed (exitcode: 1)", "2024-01-15 10:00:01,456",
     "level=error app=torch.distributed.elastic.multiprocessing.api"},
    {"2026-11-30 10:00:00.123 | ERROR    | trainer:main:31 - crashed", "crashed", "2026-11-30 10:00:00.123",
     "level=error app=trainer:main:31"},
    {"2020-11-06 20:00:24 | INFO | fairseq.trainer | NOTE: your device", "NOTE: your device", "2020-11-06 20:00:24",
     "level=info app=fairseq.trainer"},
    {"2022-10-13 10:15:00,812 - mmdet - INFO - Environment info:", "Environment info:", "2022-10-13 10:15:00,812",
     "level=info app=mmdet"},
    {"[03/12 09:39:19 d2.utils.events]:  eta: 0:54:00", " eta: 0:54:00", "03/12 09:39:19", "app=d2.utils.events"},
    {"ERROR [03/12 09:39:19 d2.engine.train_loop]: Exception during training:", "Exception during training:",
     "03/12 09:39:19", "level=error app=d2.engine.train_loop"},
    {"[03/12 09:39:19] d2.engine.train_loop ERROR: Exception during training:", "Exception during training:",
     "03/12 09:39:19", "level=error app=d2.engine.train_loop"},
    {"[2024-09-17 08:05:03,114][__main__][INFO] - CONFIG", "CONFIG", "2024-09-17 08:05:03,114",
     "level=info app=__main__"},
    {"[2026-11-30 10:00:01,000] [ERROR] [launch.py:341:sigkill_handler] exits with return code = -9",
     "exits with return code = -9", "2026-11-30 10:00:01,000", "level=error"},
    {" [2026-11-30 10:00:00] iteration       10/     100 |", "iteration       10/     100 |", "2026-11-30 10:00:00"},
    {"[NeMo E 2026-11-30 10:00:00 nemo_logging:405] CUDA error: out of memory", "CUDA error: out of memory",
     "2026-11-30 10:00:00", "level=error"},
    {"11/30/2026 10:00:00 - WARNING - __main__ - Process rank: 0", "Process rank: 0", "11/30/2026 10:00:00",
     "level=warning app=__main__"},
    {"[WARNING|trainer.py:816] 2026-11-30 10:00:00,123 >> The tokenizer", "The tokenizer", "2026-11-30 10:00:00,123",
     "level=warning"},
    {"2020-12-21 11:03:39,602 sagemaker-training-toolkit ERROR    ExecuteUserScriptError:", "ExecuteUserScriptError:",
     "2020-12-21 11:03:39,602", "level=error app=sagemaker-training-toolkit"},
    {"[2023-11-07 09:30:11.620] [error] Unexpected error from cudaGetDeviceCount()",
     "Unexpected error from cudaGetDeviceCount()", "2023-11-07 09:30:11.620", "level=error"},
    {"[2025-03-10 18:22:13.190] [ctranslate2] [thread 14220] [warning] The compute type", "The compute type",
     "2025-03-10 18:22:13.190", "level=warning"},
    {"python : Traceback (most recent call last):", "Traceback (most recent call last):"},
    {"[2026-11-30T10:00:00.123+0000] {subprocess.py:93} INFO - " OOM, kOom, "2026-11-30T10:00:00.123+0000"},
    {"[2026-11-30T10:00:00.123+0000] {pod_manager.py:466} INFO - [base] " OOM, kOom, "2026-11-30T10:00:00.123+0000"},
};
INSTANTIATE_TEST_SUITE_P(Loggers, Wrappings, testing::ValuesIn(kLoggerSamples));

const Sample kPlainSamples[] = {
    {OOM, kOom},
    {"ImportError: libcuda.so.1: cannot open shared object file: No such file or directory",
     "ImportError: libcuda.so.1: cannot open shared object file: No such file or directory"},
    {"libcudart.so.12: cannot open shared object file", "libcudart.so.12: cannot open shared object file"},
    {"python3: can't open file 'train.py'", "python3: can't open file 'train.py'"},
    {"collect2: error: ld returned 1 exit status", "collect2: error: ld returned 1 exit status"},
    {"srun: error: node2: task 12: Exited with exit code 1", "srun: error: node2: task 12: Exited with exit code 1"},
    {"slurmstepd: error: Detected 1 oom_kill event in StepId=123456.0.",
     "slurmstepd: error: Detected 1 oom_kill event in StepId=123456.0."},
    {"node1:4242:4310 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.2<0>",
     "node1:4242:4310 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.2<0>"},
    {"ERROR: Unable to load the kernel module 'nvidia.ko'.", "ERROR: Unable to load the kernel module 'nvidia.ko'."},
    {"/home/u/train.py:12: UserWarning: CUDA initialization", "/home/u/train.py:12: UserWarning: CUDA initialization"},
    {"  File \"/home/u/train.py\", line 42, in <module>", "  File \"/home/u/train.py\", line 42, in <module>"},
    {"  | RuntimeError: CUDA error: out of memory", "  | RuntimeError: CUDA error: out of memory"},
    {"│ ❱ 31 │   loss.backward()                    │", "│ ❱ 31 │   loss.backward()                    │"},
    {"=========     at kernel(float *, int)+0x90 in /home/u/k.cu:12",
     "=========     at kernel(float *, int)+0x90 in /home/u/k.cu:12"},
    {"frame #19: __libc_start_main + 0x80 (0x7f1c2d229e40 in /lib/x86_64-linux-gnu/libc.so.6)",
     "frame #19: __libc_start_main + 0x80 (0x7f1c2d229e40 in /lib/x86_64-linux-gnu/libc.so.6)"},
    {"{'loss': 1.2345, 'grad_norm': 0.987, 'epoch': 0.1}", "{'loss': 1.2345, 'grad_norm': 0.987, 'epoch': 0.1}"},
    {R"({"version": "2.10", "entries": [{"record_id": 0, "profiling_name": "nccl:all_reduce"}]})",
     R"({"version": "2.10", "entries": [{"record_id": 0, "profiling_name": "nccl:all_reduce"}]})"},
    {"----> 1 model.to(\"cuda\")", "----> 1 model.to(\"cuda\")"},
    {"--> 305     raise AssertionError(\"x\")", "--> 305     raise AssertionError(\"x\")"},
};
INSTANTIATE_TEST_SUITE_P(Plain, Wrappings, testing::ValuesIn(kPlainSamples));

TEST(Stripper, LinesOfOneWriterShareALane) {
  const std::string first =
      strip("2026-11-30T10:00:00.1Z [default0]:[rank0]: Traceback (most recent call last):")[0].lane;
  const std::string second = strip("2026-11-30T10:00:07.9Z [default0]:[rank0]:   File \"a.py\", line 1")[0].lane;
  const std::string other = strip("2026-11-30T10:00:07.9Z [default1]:[rank1]:   File \"a.py\", line 1")[0].lane;
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);
}

TEST(Stripper, ABlankLineStaysInItsLaneThoughItsLabelLostItsSpace) {
  EXPECT_EQ(strip("[rank0]: x")[0].lane, strip("[rank0]:")[0].lane);
  EXPECT_EQ(strip("trainer-1  | x")[0].lane, strip("trainer-1  |")[0].lane);
}

TEST(Stripper, NumbersThatCountLinesAreNoPartOfTheLane) {
  EXPECT_EQ(strip("#14 146.3 a")[0].lane, strip("#14 147.9 b")[0].lane);
  EXPECT_EQ(strip("4,1733,7421118204,-;a")[0].lane, strip("4,1734,7421118999,-;b")[0].lane);
  EXPECT_EQ(strip("1078:[default0]:a")[0].lane, strip("1079:[default0]:b")[0].lane);
}

TEST(Stripper, GivesUnixSecondsWhenTheDateIsComplete) {
  EXPECT_DOUBLE_EQ(strip("2025-03-11T09:14:02Z x")[0].envelope.seconds, 1741684442);
  EXPECT_DOUBLE_EQ(strip("2025-03-11T10:14:02+01:00 x")[0].envelope.seconds, 1741684442);
  EXPECT_DOUBLE_EQ(strip("[Tue Mar 11 09:14:02 2025] x")[0].envelope.seconds, 1741684442);
  EXPECT_DOUBLE_EQ(strip("03/11/2025 09:14:02 - INFO - a - x")[0].envelope.seconds, 1741684442);
  EXPECT_DOUBLE_EQ(strip("25/03/11 09:14:02 ERROR Executor: x")[0].envelope.seconds, 1741684442);
  EXPECT_EQ(strip("Mar 11 09:14:02 node1 kernel: x")[0].envelope.seconds, 0);
  EXPECT_EQ(strip("[13:01:14]: x")[0].envelope.seconds, 0);
}

TEST(Stripper, TakesTheYearOfAnOuterTimestampAndItsZone) {
  const auto klog = strip("2025-01-21T21:28:50.0+01:00 stderr F E0121 20:28:50.5 1 factory.go:115] x");
  EXPECT_EQ(klog[0].envelope.time, "0121 20:28:50.5");
  EXPECT_DOUBLE_EQ(klog[0].envelope.seconds, 1737491330);
  const auto vllm = strip("2025-03-11 09:14:00 INFO 03-11 09:14:02 x.py:1] x");
  EXPECT_DOUBLE_EQ(vllm[0].envelope.seconds, 1741684442);
}

TEST(Stripper, ColourCodesLeaveNoTrace) {
  EXPECT_THAT(texts("\x1b[1;35mRuntimeError\x1b[0m: \x1b[35mboom\x1b[0m"), ElementsAre("RuntimeError: boom"));
  EXPECT_THAT(texts("\x1b]0;title\x07NVRM: \x1b[31mXid\x1b[0m\x1b[K (PCI"), ElementsAre("NVRM: Xid (PCI"));
  EXPECT_THAT(texts("#033[31mRuntimeError#033[0m: boom"), ElementsAre("RuntimeError: boom"));
  EXPECT_THAT(texts("\\u001b[31mRuntimeError\\u001b[0m: boom"), ElementsAre("RuntimeError: boom"));
  EXPECT_THAT(texts("^[[31mRuntimeError^[[0m: boom"), ElementsAre("RuntimeError: boom"));
  EXPECT_THAT(texts("a\x1b[3Cb"), ElementsAre("a   b"));
}

TEST(Stripper, ReturnsAndTheirEscapesSeparateLines) {
  EXPECT_THAT(texts("RuntimeError: boom\r"), ElementsAre("RuntimeError: boom"));
  EXPECT_THAT(texts("\r  0%|   | 0/9\r  9%|   | 1/9\rdone"), ElementsAre("  0%|   | 0/9", "  9%|   | 1/9", "done"));
  EXPECT_THAT(texts("#015 80%|  | 5/6#015 83%|  | 6/6"), ElementsAre(" 80%|  | 5/6", " 83%|  | 6/6"));
  EXPECT_THAT(texts("Traceback#012  File \"a.py\"#012E: x"), ElementsAre("Traceback", "  File \"a.py\"", "E: x"));
  EXPECT_THAT(texts("section_start:1764496800:step_script\r\x1b[0K\x1b[0K\x1b[36;1mExecuting\x1b[0;m"),
              ElementsAre("section_start:1764496800:step_script", "Executing"));
}

TEST(Stripper, AJsonPayloadMayHoldSeveralLines) {
  const auto lines = strip(R"({"MESSAGE":"Traceback\n\n  File \"a.py\"\nE: x\n","_PID":"42","_HOSTNAME":"n1"})");
  EXPECT_EQ(lines.size(), 1u);  // without a time, a program or a level it is no log line
  EXPECT_THAT(texts(R"({"MESSAGE":"Traceback\n\n  File \"a.py\"\nE: x\n","_COMM":"python3","_PID":"42"})"),
              ElementsAre("Traceback", "", "  File \"a.py\"", "E: x"));
  EXPECT_THAT(texts(R"({"MESSAGE":[78,86,82,77,58,32,27,91,49,109,88],"_TRANSPORT":"kernel"})"),
              ElementsAre("NVRM: X"));
  EXPECT_THAT(texts(R"({"level":"error","msg":"failed","error":"CUDA error: \u006fut of memory"})"),
              ElementsAre("failed", "CUDA error: out of memory"));
}

TEST(Stripper, APayloadThatIsCutOffIsReadAsFarAsItGoes) {
  EXPECT_THAT(texts(R"({"time":"2026-11-30T10:00:00Z","log":"RuntimeError: bo)"), ElementsAre("RuntimeError: bo"));
}

TEST(Stripper, TextThatSticksToAProgressBarIsALineOfItsOwn) {
  const auto lines =
      strip("Epoch 10/10: 240it [05:55,  1.47s/it, loss=5.46][rank0]:[E709 10:00:00.987654321 X.cpp:632] [Rank 0] W");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, "Epoch 10/10: 240it [05:55,  1.47s/it, loss=5.46]");
  EXPECT_EQ(lines[0].envelope.rank, "");
  EXPECT_EQ(lines[1].text, "[Rank 0] W");
  EXPECT_EQ(lines[1].envelope.rank, "0");
  EXPECT_THAT(texts(" 99%|█| 987/999 [00:22<00:00, 131.15it/s]unknown:0: unknown: block"),
              ElementsAre(" 99%|█| 987/999 [00:22<00:00, 131.15it/s]", "unknown:0: unknown: block"));
}

TEST(Stripper, LinesThatWereJoinedAreCutAtTheirLabel) {
  EXPECT_THAT(texts("(EngineCore_DP0 pid=80)   File \"core.py\", line 55 (EngineCore_DP0 pid=80)     elif major == 7"),
              ElementsAre("  File \"core.py\", line 55", "    elif major == 7"));
}

TEST(Stripper, AllPartsOfALineAreItsWritersLines) {
  const auto lines = strip("[default0]:  0%|  | 0/9\r[rank0]: RuntimeError: x");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].lane, strip("[default0]:[rank0]: RuntimeError: x")[0].lane);
  const auto logged = strip("WARNING:root:slow\rTraceback (most recent call last):");
  ASSERT_EQ(logged.size(), 2u);
  EXPECT_EQ(logged[1].lane, "");
  EXPECT_EQ(logged[1].envelope.level, "");
}

bool is_marked_as_hiding(std::string_view raw) {
  const auto marks = Stripper::hiding_marks();
  return raw.find_first_of(Stripper::hiding_bytes()) != raw.npos ||
         std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return raw.find(mark) != raw.npos; });
}

TEST(Stripper, LinesThatHideAWordFromASearchAreMarked) {
  const std::string_view hidden[] = {"NVRM: X\x1b[0mid (PCI", "NVRM: X#033[0mid (PCI", "NVRM: X\aid (PCI",
                                     R"({"time":"2026-11-30T10:00:00Z","log":"NVRM: \u0058id (PCI"})",
                                     R"({"_COMM":"kernel","MESSAGE":[78,86,82,77,58,32,88,105,100,32,40,80,67,73]})"};
  for (std::string_view raw : hidden) {
    EXPECT_EQ(raw.find("Xid (PCI"), raw.npos) << raw;
    EXPECT_NE(texts(raw)[0].find("Xid (PCI"), std::string::npos) << raw;
    EXPECT_TRUE(is_marked_as_hiding(raw)) << raw;
  }
  EXPECT_FALSE(is_marked_as_hiding("2026-11-30T10:00:00Z NVRM: Xid \t (PCI\r"));
}

TEST(Stripper, HostileBytesDoNoHarm) {
  EXPECT_EQ(texts(std::string(64 * 1024, '[')).size(), 1u);
  EXPECT_EQ(texts(std::string(200 * 1024, 'x'))[0].size(), Stripper::kMaxLineBytes);
  EXPECT_THAT(texts(std::string("a\0b\0", 4)), ElementsAre("ab"));
  EXPECT_THAT(texts("\xff\xfe\x80 RuntimeError: x"), ElementsAre("\xff\xfe\x80 RuntimeError: x"));
  std::string titles;
  std::string labels;
  std::string json;
  for (int i = 0; i < 20000; ++i) {
    titles += "\x1b]";
    labels += "[rank0]: ";
    json += R"({"time":1,"log":")";
  }
  EXPECT_THAT(texts(titles), ElementsAre(""));
  EXPECT_FALSE(texts(labels).empty());
  EXPECT_EQ(texts(json).size(), 1u);
  EXPECT_THAT(texts(""), ElementsAre(""));
}

TEST(Stripper, RandomBytesAndBrokenLinesAreReadToTheEnd) {
  std::mt19937 random(7);
  const std::string seeds[] = {
      R"({"log":"(EngineCore_DP0 pid=72) ERROR 03-11 08:44:17 [core.py:1100] x\n","time":"2026-03-11T08:44:17.1Z"})",
      "2026-11-30T10:00:00.1234567Z [default0]:[rank0]:[E1130 10:00:00.123456789 X.cpp:629] [Rank 1] W\x1b[31m",
      "Mon Nov 30 10:00:00 2026 <4>1 #033[1m 4,1,1,-; kern  :warn  : [ 7421.118204] x [00:22<00:00, 1it/s]y"};
  for (int round = 0; round < 20000; ++round) {
    std::string raw = seeds[round % 3];
    for (int change = 0; change < 4; ++change) {
      const std::size_t at = random() % raw.size();
      if (change % 2 == 0) {
        raw[at] = static_cast<char>(random() % 256);
      } else {
        raw.erase(at, random() % 5);
        if (raw.empty()) raw = "x";
      }
    }
    EXPECT_FALSE(strip(raw).empty());
  }
}

}  // namespace
}  // namespace cutopsy
