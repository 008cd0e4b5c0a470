// Formats:
//   driver       NVRM load banner, nvidia-smi and nvidia-smi -q, /proc/driver/nvidia/version
//   PyTorch      torch/utils/collect_env.py, torch/cuda/__init__.py, pip;  Ultralytics  utils/torch_utils.py
//   others       TensorFlow common_runtime/gpu/gpu_device.cc, XLA, llama.cpp and ollama, fairseq, CUDA samples, NCCL
//   INFO endings      the closing lines of trainers, test runners, CI runners and schedulers
// `outcome` decides whether an error counts as survived. So only lines are taken that programs print on success alone:
// not uvicorn's "Finished server process" (vLLM prints it after its engine died, too), not detectron2's "Total
// training time" or YOLOX's "Training of experiment is done" (printed while an exception passes), not gtest's "PASSED"
// (the FAILED ones follow).
#include "parsers/job_facts.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase::Implied kOk{"outcome", "ok"};

constexpr Phrase kPhrases[] = {
    // Driver.
    {"NVIDIA UNIX ", R"(NVIDIA UNIX .{0,40}?Kernel Module.{0,20}? (?P<driver_version>\d+\.\d+(?:\.\d+)?)(?: |$))"},
    {"Driver Version: ",
     R"(Driver Version: +(?P<driver_version>\d+\.\d+(?:\.\d+)?)(?: +CUDA Version: +(?P<driver_cuda>\d+\.\d+))?)"},
    {"KMD Version: ",
     R"(KMD Version: +(?P<driver_version>\d+\.\d+(?:\.\d+)?)(?: +CUDA UMD Version: +(?P<driver_cuda>\d+\.\d+))?)"},
    {"Driver Version   ", R"(^Driver Version +: (?P<driver_version>\d+\.\d+(?:\.\d+)?)$)"},
    {"CUDA Version    ", R"(^CUDA Version +: (?P<driver_cuda>\d+\.\d+)$)"},
    {"Nvidia driver version: ", R"(Nvidia driver version: (?P<driver_version>\d+\.\d+(?:\.\d+)?))"},
    {"cudaDriverVersion ", R"(\bcudaDriverVersion (?P<driver_cuda>\d{4,5})\b)"},
    {"too old (found version ", R"(too old \(found version (?P<driver_cuda>\d{4,5})\))"},
    {"CUDA Driver Version / Ru",
     R"(CUDA Driver Version / Runtime Version +(?P<driver_cuda>\d+\.\d+) / (?P<cuda_version>\d+\.\d+))"},

    // Libraries.
    {"NCCL version ", R"(\bNCCL version (?P<nccl_version>\d+\.\d+\.\d+))"},
    {"nccl_version", R"re("nccl_version": ?"(?P<nccl_version>\d+\.\d+\.\d+))re"},
    {"orch version", R"((?:PyTorch|[Pp]ytorch|[Tt]orch) version(?: \(GPU\?\))?[ :.]+)"
                     R"((?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?))"},
    {"CUDA:0 (",
     R"(\b[Tt]orch[- ](?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?) CUDA:0 \((?P<gpu_name>[^,()]+), \d+M)"},
    {"torch==", R"(^torch==(?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?)$)"},
    {"used to build PyTorch: ", R"(CUDA used to build PyTorch: (?P<cuda_version>\d+\.\d+))"},
    {"torch cuda version ", R"(torch cuda version [ .]*(?P<cuda_version>\d+\.\d+))"},
    {"Cuda compilation tools, ", R"(Cuda compilation tools, release (?P<cuda_version>\d+\.\d+))"},
    {"cuDNN version", R"(\bcuDNN version:? (?P<cudnn_version>\d[\d.]*))"},
    {"Loaded runtime CuDNN lib", R"(Loaded runtime CuDNN library: (?P<cudnn_version>\d+\.\d+\.\d+))"},
    {"Python 3.", R"(\bPython (?P<python_version>3\.\d+\.\d+)(?: \(|,| \||$))"},
    {"Python-3.", R"(\bPython-(?P<python_version>3\.\d+\.\d+)\b)"},
    {"Python version: 3", R"(^Python version: (?P<python_version>3\.\d+(?:\.\d+)?))"},
    {"API server version", R"((?P<framework>vLLM API server version \S+))"},
    {"DeepSpeed info: version=", R"((?P<framework>DeepSpeed info: version=[\w.+]*\w))"},
    {"TensorFlow version", R"((?P<framework>TensorFlow version:? \d[\w.]*\w))"},
    {"Ultralytics ", R"((?P<framework>Ultralytics (?:YOLO\w*)?\d+\.\d+\.\d+))"},

    // GPUs.
    {"00000000:",
     R"(\| +\d+ +(?P<gpu_name>[A-Z]\S*(?: \S+)*) +(?:On|Off|N/A|TCC|WDDM|MCDM) +\| +00000000:[0-9A-F]{2}:[0-9A-F]{2}\.\d)"},
    {"GPU 0: ", R"(\bGPU 0: (?P<gpu_name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID) [\w .-]*\w)(?: \(UUID|$))"},
    {"Attached GPUs   ", R"(^Attached GPUs +: (?P<gpu_count>\d{1,4})$)"},
    {" CUDA devices", R"(\bfound (?P<gpu_count>\d{1,4}) CUDA devices)"},
    {"with CUDA capability sm_",
     R"(\b(?P<gpu_name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID) [\w .-]*?) with CUDA capability )"
     R"((?P<compute_capability>sm_\d+\w?) is not compatible)"},
    {"is of cuda capability ",
     R"(Found GPU\d+ (?P<gpu_name>.{1,80}?) which is of cuda capability (?P<compute_capability>\d+\.\d+))"},
    {"capabilities = ",
     R"(capabilities = +(?P<compute_capability>\d+\.\d+) +; total memory.*; name = (?P<gpu_name>\S+(?: \S+)*))"},
    {"compute capability: ",
     R"(name: (?P<gpu_name>[^,]+), pci bus id: [^,]+, compute capability: (?P<compute_capability>\d+\.\d+))"},
    {"compute capability ",
     R"((?:\bDevice 0: |\()(?P<gpu_name>[^,()]+), compute capability (?P<compute_capability>\d+\.\d+))"},
    {"computeCapability: ", R"(name: (?P<gpu_name>.{1,80}?) computeCapability: (?P<compute_capability>\d+\.\d+))"},
    {"Compute Capability ",
     R"(StreamExecutor device \(\d+\): (?P<gpu_name>[^,]+), Compute Capability (?P<compute_capability>\d+\.\d+))"},
    {"with compute capability ", R"(GPU Device \d+: .* with compute capability (?P<compute_capability>\d+\.\d+))"},
    {"inference compute",
     R"re(library=\w+ .*?compute=(?P<compute_capability>\d+\.\d+) (?:driver=(?P<driver_cuda>\d+\.\d+) )?)re"
     R"re((?:name=CUDA\d+ description|name)="(?P<gpu_name>[^"]+)")re"},

    // Shape of the job.
    {"world_size", R"((?:^|[^\w]|dist_)world_size\W{1,4}(?P<world_size>\d{1,6})(?:\W|$))"},
    {"world size", R"(\bworld size(?: is|:|=)? ?(?P<world_size>\d{1,6})\b)"},
    {"WORLD_SIZE", R"(\bWORLD_SIZE[:=] ?(?P<world_size>\d{1,6})\b)"},
    {"MEMBER: 1/", R"(\bMEMBER: 1/(?P<world_size>\d{1,6})\b)"},
    // NCCL lists thousands of connections: the first channel of rank 0 stands for all.
    {"Channel 00 : 0", R"(Channel 00 : 0\[.*\bvia (?P<transport>P2P/\w+|SHM[\w/]*|NET/\w+))"},
    {"Channel 00/0 : 0", R"(Channel 00/0 : 0\[.*\bvia (?P<transport>P2P/\w+|SHM[\w/]*|NET/\w+))"},
    {"Ring 00 : 0", R"(Ring 00 : 0\[.*\bvia (?P<transport>P2P/\w+|SHM[\w/]*|NET/\w+))"},

    // Exit codes, and the successes among them that end a whole job.
    {"completed with exit code", R"(Process completed with exit code (?P<exit_code>-?\d{1,10}))"},
    {"completed with exit code", R"(Process completed with exit code 0\b)", "", kOk},
    {"finished with exit code", R"(Process finished with exit code (?P<exit_code>-?\d{1,10}))"},
    {"finished with exit code", R"(Process finished with exit code 0\b)", "", kOk},
    {"exited with code ", R"(\bexited with code '?(?P<exit_code>-?\d{1,10}))"},
    {"returned exit code ", R"(script returned exit code (?P<exit_code>\d{1,10}))"},
    {"exited with status ", R"(command exited with status (?P<exit_code>-?\d{1,10}))"},
    {"Job failed: ", R"(Job failed: (?:.* )?exit (?:code|status) (?P<exit_code>\d{1,10}))"},
    {"Exit Code: ", R"(\bExit Code:\s+(?P<exit_code>[1-9]\d{0,9})$)"},
    {"build exited with 0", R"(\bYour build exited with 0\.$)", "", kOk},
    {"Job succeeded", R"((?:^|: )Job succeeded$)", "", kOk},
    {"raysubmit_", R"(\bJob 'raysubmit_\w+' succeeded$)", "", kOk},
    {"Finished: SUCCESS", R"(^Finished: SUCCESS$)", "", kOk},
    {"Successfully completed.", R"(^Successfully completed\.$)", "", kOk},
    {"job-controller", R"(job-controller +Job completed$)", "", kOk},

    // Trainers.
    {"done training in ", R"(\bdone training in [\d.]+ seconds)", "", kOk},
    {"train_runtime", R"(\btrain_runtime\W{1,32}\d)", "", kOk},
    {"Training complete", R"(\bTraining (?:is )?completed?(?:[.!]|$| successfully| in \d))", "", kOk},
    {"Training Complete", R"(\bTraining Completed?(?:[.!]|$))", "", kOk},
    {"Training finished", R"(\bTraining finished(?:[.!]|$| successfully| in \d))", "", kOk},
    {"training complete", R"(\btraining completed?(?:[.!]|$|,? successfully| in \d))", "", kOk},
    {"training finished", R"(\btraining finished(?:[.!]|$|,? successfully| in \d))", "", kOk},
    {" successfully",
     R"(\b(?:[Jj]ob|[Rr]un|[Ff]ine-?tuning|[Ee]xperiment|[Pp]ipeline|[Ww]orkflow|[Bb]enchmark|[Ee]valuation|[Ss]imulation) )"
     R"((?:\S+ )?(?:has |is |was )?(?:finished|completed|ended) successfully)",
     "", kOk},
    {"Successfully ", R"(\bSuccessfully (?:completed|finished) (?:the )?(?:job|run|training|experiment|pipeline)\b)",
     "", kOk},
    {"State: COMPLETED", R"(^State: COMPLETED \(exit code 0\))", "", kOk},
    {"Finished Training", R"(\bFinished Training(?:[.!]|$))", "", kOk},
    {"Finished training", R"(\bFinished training(?:[.!]|$))", "", kOk},
    {"Training time ", R"((?:^|\s)Training time (?:\d+ days?, )?\d+:\d\d:\d\d$)", "", kOk},
    {"epochs completed in ", R"(\b\d+ epochs completed in [\d.]+ hours)", "", kOk},
    {"Trainer.fit", R"(Trainer\.fit\W{1,3}stopped: \W{0,2}max_(?:epochs|steps|time)\b.* reached)", "", kOk},
    {"after training is done", R"(\[after training is done\])", "", kOk},

    // Test runners.
    {"100% tests passed", R"(100% tests passed, 0 tests failed)", "", kOk},
    {" passed",
     R"((?:^|=+ )(?:\d+ (?:skipped|deselected), )*\d+ passed)"
     R"((?:, \d+ (?:skipped|deselected|xfailed|xpassed|warnings?|rerun))* in [\d.:]+)",
     "", kOk},
    {"test result: ok.", R"(\btest result: ok\. \d+ passed; 0 failed)", "", kOk},
    {"All tests passed (", R"(All tests passed \(\d+ assertions?)", "", kOk},
    {"Out of bounds values", R"(# Out of bounds values : 0 OK$)", "", kOk},
};

constexpr auto kTriggers = triggers_of(kPhrases);

constexpr std::string_view kNames[] = {
    "driver_version", "cuda_version",   "driver_cuda", "cudnn_version",      "nccl_version",
    "torch_version",  "python_version", "framework",   "compute_capability", "gpu_name",
    "gpu_count",      "world_size",     "transport",   "exit_code",          "outcome",
};

// "12.4" for the 12040 of cudaDriverGetVersion(); other texts stay.
std::string dotted_cuda(std::string_view version) {
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(version.data(), version.data() + version.size(), number);
  if (error != std::errc() || stop != version.data() + version.size()) return std::string(version);
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// "11.8" for the wheel tag in "2.1.0+cu118", "" without one.
std::string cuda_of_wheel(std::string_view torch_version) {
  constexpr std::string_view kTag = "+cu";
  const std::size_t at = torch_version.find(kTag);
  if (at == torch_version.npos) return "";
  const std::string digits(torch_version.substr(at + kTag.size()));
  const bool version =
      digits.size() >= 2 && digits.size() <= 4 && digits.find_first_not_of("0123456789") == digits.npos;
  return version ? digits.substr(0, digits.size() - 1) + "." + digits.back() : "";
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook phrases(kPhrases);
  Fields found;
  phrases.collect(line.text, found);
  if (found.size() == 0) return;
  found.set("driver_cuda", dotted_cuda(found.get("driver_cuda")));
  found.set_if_absent("cuda_version", cuda_of_wheel(found.get("torch_version")));
  for (const std::string_view name : kNames)
    if (found.has(name)) sink.on_fact({name, std::string(found.get(name)), line.envelope, line.where});
}

}  // namespace

constinit const LineParser kJobFactsParser{"job_facts", kTriggers, parse};

}  // namespace cutopsy
