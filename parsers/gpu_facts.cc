// Formats:
//   driver       nvidia-smi's table, -L and -q; lspci; dcgmi; labels of k8s gpu-feature-discovery; nvidia-container-cli
//   PyTorch      torch/utils/collect_env.py, torch/cuda/__init__.py;  Lightning, Ultralytics, fairseq, ComfyUI, Unsloth
//   TensorFlow   tensorflow/core/common_runtime/gpu/gpu_device.cc;  XLA  xla/service/service.cc
//   llama.cpp    ggml/src/ggml-cuda/ggml-cuda.cu;  Ollama  discover/types.go;  CTranslate2
//   CUDA samples deviceQuery, helper_cuda.h
#include "parsers/gpu_facts.h"

#include "parsers/job_facts.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

// A label, then the model: words that begin with a capital or a digit.
constexpr const char* kLabelledModel =
    R"((?:^|[^\w.])(?:GPU|gpu|[Dd]evice)(?: [Nn]ame| [Tt]ype| [Mm]odel)?(?: ?#?(?P<gpu>\d{1,2}))?(?: ?[:=] ?| is )\W?)"
    R"((?:cuda:\d{1,2} )?)"
    R"((?P<gpu_name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID)(?: [A-Z0-9][\w-]*(?:\.\d\w*)?)+)(?:$|[^\w/]))";

constexpr Phrase kPhrases[] = {
    // nvidia-smi.
    {"00000000:",
     R"(\| +(?P<gpu>\d+) +(?P<gpu_name>[A-Z]\S*(?: \S+)*) +(?:(?P<persistence_mode>On|Off)|N/A|TCC|WDDM|MCDM) +\| +)"
     R"(00000000:[0-9A-F]{2}:[0-9A-F]{2}\.\d)"},
    {"00000000:", R"(00000000:[0-9A-F]{2}:[0-9A-F]{2}\.\d +(?:On|Off) +\| +\d+ \|$)", "", {"ecc_mode", "On"}},
    {"00000000:", R"(00000000:[0-9A-F]{2}:[0-9A-F]{2}\.\d +(?:On|Off) +\| +Off \|$)", "", {"ecc_mode", "Off"}},
    {"MiB / ", R"(^\|.*\| +\d+MiB / +(?P<gpu_memory>\d+MiB) \|)"},
    {"Disabled |", R"(^\| +\| +\| +(?P<mig_mode>Disabled) \|$)"},
    {"Enabled |", R"(^\| +\| +\| +(?P<mig_mode>Enabled) \|$)"},
    {"(UUID: GPU-", R"(\bGPU (?P<gpu>\d+): (?P<gpu_name>[A-Z].{1,80}?) \(UUID: (?P<gpu_uuid>GPU-[0-9a-f-]+)\))"},
    {"(UUID: MIG-", R"(\bMIG (?P<mig_profile>[\w.+]+) +Device +\d+: \(UUID: MIG-)", "", {"mig_mode", "Enabled"}},
    {"GPU 0: ", R"(\bGPU (?P<gpu>0): (?P<gpu_name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID) [\w .-]*\w)$)"},
    {"Attached GPUs   ", R"(^\s*Attached GPUs +: (?P<gpu_count>\d{1,4})$)"},
    {"Product Name   ", R"(^\s*Product Name +: (?P<gpu_name>[A-Z].*)$)"},
    {"GPU UUID", R"(^\s*GPU UUID *: +(?P<gpu_uuid>GPU-[0-9a-f-]+)$)"},
    {"Persistence Mode   ", R"(^\s*Persistence Mode +: (?P<persistence_mode>Enabled|Disabled)$)"},
    {"Corporation ",
     R"((?:VGA compatible|3D) controller(?: \[\d+\])?: NVIDIA Corporation [\w-]+ \[(?P<gpu_name>[^\]]+)\])"},
    {"nvidia.com/gpu.product", R"(nvidia\.com/gpu\.product[=:]\W*(?P<gpu_name>[\w.-]+))"},
    {"nvidia.com/gpu.memory", R"(nvidia\.com/gpu\.memory[=:]\W*(?P<gpu_memory>\d+))"},
    {"nvidia.com/gpu.count", R"(nvidia\.com/gpu\.count[=:]\W*(?P<gpu_count>\d{1,4}))"},

    // PyTorch and what stands on it.
    {"CUDA available: ", R"(\bCUDA available: (?P<cuda_available>True|False)\b)"},
    {"cuda.is_available()", R"(\bcuda\.is_available\(\)\W{1,4}(?P<cuda_available>True|False)\b)"},
    {"GPU available: ", R"(\bGPU available: (?P<cuda_available>True|False)\b)"},
    {"device_count()", R"(\bcuda\.device_count\(\)\W{1,4}(?P<gpu_count>\d{1,4})\b)"},
    {"GPUs Available: ", R"(\bNum GPUs Available: +(?P<gpu_count>\d{1,4})\b)"},
    {"with CUDA capability sm_",
     R"(\b(?P<gpu_name>(?:NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID) [\w .-]*?) with CUDA capability )"
     R"((?P<compute_capability>sm_\d+\w?) is not compatible)"},
    {"is of cuda capability ",
     R"(Found GPU(?P<gpu>\d+) (?P<gpu_name>.{1,80}?) which is of cuda capability (?P<compute_capability>\d+\.\d+))"},
    {"CUDA:0 (", R"( CUDA:(?P<gpu>0) \((?P<gpu_name>[^,()]+), (?P<gpu_memory>\d+(?:\.\d+)?Mi?B?)\))"},
    {"capabilities = ", R"((?:rank +(?P<rank>\d+): )?capabilities = +(?P<compute_capability>\d+\.\d+) +; )"
                        R"(total memory = (?P<gpu_memory>[\d.]+ GB) +; name = (?P<gpu_name>\S+(?: \S+)*))"},
    {"Total VRAM ", R"(^\s*Total VRAM (?P<gpu_memory>\d+ MB), total RAM)"},
    {"Torch detected GPU: ",
     R"(Torch detected GPU: (?P<gpu_name>.{1,80}?) VRAM (?P<gpu_memory>\d+) Arch \((?P<compute_capability>\d+), )"},
    {"Max memory: ", R"(GPU: (?P<gpu_name>[A-Z].{1,80}?)\. (?:Num GPUs = (?P<gpu_count>\d+)\. )?)"
                     R"(Max memory: (?P<gpu_memory>[\d.]+ GB))"},
    {"compute_type=", R"(\bcompute_type=(?:\w+ -> )?(?P<compute_type>(?:int8|b?float)\w+))"},
    {"dtype=torch.", R"(\bengine\b.*\bdtype=torch\.(?P<compute_type>\w+))"},

    // TensorFlow, JAX.
    {"compute capability: ", R"((?:device: (?P<gpu>\d+), )?name: (?P<gpu_name>[^,]+), pci bus id: [^,]+, )"
                             R"(compute capability: (?P<compute_capability>\d+\.\d+))"},
    {"computeCapability: ", R"(name: (?P<gpu_name>.{1,80}?) computeCapability: (?P<compute_capability>\d+\.\d+))"},
    {"Compute Capability ", R"(StreamExecutor device \((?P<gpu>\d+)\): (?P<gpu_name>[^,]+), )"
                            R"(Compute Capability (?P<compute_capability>\d+\.\d+))"},

    // llama.cpp, Ollama, CTranslate2.
    {" CUDA devices", R"(\bfound (?P<gpu_count>\d{1,4}) CUDA devices)"},
    {"compute capability ",
     R"((?:\bDevice (?P<gpu>\d+): |\()(?P<gpu_name>[^,()]+), compute capability (?P<compute_capability>\d+\.\d+))"
     R"((?:.*VRAM: (?P<gpu_memory>\d+ MiB))?)"},
    {"inference compute", R"(inference compute\W+id=(?P<gpu_uuid>GPU-[0-9a-f-]+))"},
    {"inference compute",
     R"re(library=\w+ .*?compute=(?P<compute_capability>\d+\.\d+) )re"
     R"re((?:driver=(?P<driver_cuda>\d+\.\d+) )?(?:name=CUDA\d+ description|name)="(?P<gpu_name>[^"]+)")re"
     R"re((?:.*\btotal="(?P<gpu_memory>[\d.]+ \w+)")?)re"},

    // CUDA samples.
    {"with compute capability ",
     R"(GPU Device (?P<gpu>\d+): .* with compute capability (?P<compute_capability>\d+\.\d+))"},
    {"Device 0: ", R"re(^\s*Device (?P<gpu>0): "(?P<gpu_name>[^"]{1,80})"$)re"},
    {"CUDA Capable device", R"(^\s*Detected (?P<gpu_count>\d{1,4}) CUDA Capable device)"},
    {"CUDA Capability Major", R"(CUDA Capability Major/Minor version number: +(?P<compute_capability>\d+\.\d+))"},
    {"amount of global memory", R"(Total amount of global memory: +(?P<gpu_memory>\d+ MBytes))"},

    // A model behind a label, whoever prints it. The literals are the families that such a label can be followed by.
    {"NVIDIA A", kLabelledModel},
    {"NVIDIA B", kLabelledModel},
    {"NVIDIA GeForce ", kLabelledModel},
    {"NVIDIA GH", kLabelledModel},
    {"NVIDIA H", kLabelledModel},
    {"NVIDIA L", kLabelledModel},
    {"NVIDIA RTX", kLabelledModel},
    {"NVIDIA T", kLabelledModel},
    {"GeForce ", kLabelledModel},
    {"Tesla ", kLabelledModel},
    {"Quadro ", kLabelledModel},
};

constexpr auto kTriggers = triggers_of(kPhrases);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook phrases(kPhrases);
  report_phrases(phrases, line, sink);
}

}  // namespace

constinit const LineParser kGpuFactsParser{"gpu_facts", kTriggers, parse};

}  // namespace cutopsy
