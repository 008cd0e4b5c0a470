// Formats:
//   driver       NVRM load banner, nvidia-smi, /proc/driver/nvidia/version, nvidia-container-cli info, dcgmi diag
//   PyTorch      torch/utils/collect_env.py, torch/cuda/__init__.py;  mmcv and detectron2  utils/collect_env.py
//   TensorFlow   xla/stream_executor/cuda/{cuda_diagnostics,cuda_dnn}.cc
//   servers      vLLM, SGLang, TGI, llama.cpp, Ollama at their start
//   others       DeepSpeed's ds_report, transformers-cli env, NGC containers' entrypoint.d, Julia CUDA.versioninfo()
// Only lines that tell what is there. A comparison ("requires driver >= 535", "compiled with 11.8, but found 12.1")
// tells two versions, and rules that know the sentence read it.
#include "parsers/version_facts.h"

#include "parsers/job_facts.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kPhrases[] = {
    // The driver. Its versions have three digits before the dot since 2012.
    {"NVIDIA UNIX ", R"(NVIDIA UNIX .{0,40}?Kernel Mod.{0,40}? (?P<driver_version>\d{2,3}\.\d+(?:\.\d+)?)(?: |$))"},
    {"Driver Version: ",
     R"(Driver Version: +(?P<driver_version>\d{3}\.\d+(?:\.\d+)?)(?: +CUDA Version: +(?P<driver_cuda>\d+\.\d+))?)"},
    {"KMD Version: ",
     R"(KMD Version: +(?P<driver_version>\d{3}\.\d+(?:\.\d+)?)(?: +CUDA UMD Version: +(?P<driver_cuda>\d+\.\d+))?)"},
    {"Driver Version   ", R"(^\s*Driver Version +: (?P<driver_version>\d{3}\.\d+(?:\.\d+)?)$)"},
    {"KMD Version   ", R"(^\s*KMD Version +: (?P<driver_version>\d{3}\.\d+(?:\.\d+)?)$)"},
    {"CUDA Version    ", R"(^\s*CUDA Version +: (?P<driver_cuda>\d+\.\d+)$)"},
    {"CUDA version:   ", R"(^\s*CUDA version: {2,9}(?P<driver_cuda>\d+\.\d+)$)"},
    {"CUDA UMD Version    ", R"(^\s*CUDA UMD Version +: (?P<driver_cuda>\d+\.\d+)$)"},
    {"Driver Version Detected", R"(Driver Version Detected +\| +(?P<driver_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"Driver version   ", R"(^\s*Driver version +(?P<driver_version>\d{3}\.\d+(?:\.\d+)?)$)"},
    {"NVRM version: ", R"(^\s*NVRM version: +(?P<driver_version>\d{3}\.\d+(?:\.\d+)?)$)"},
    {"vidia driver version: ", R"(\b[Nn]vidia driver version: (?P<driver_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"VIDIA driver version: ", R"(\bNVIDIA driver version: (?P<driver_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"kernel reported version", R"(kernel reported version is: (?P<driver_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"libcuda reported version", R"(libcuda reported version is: (?P<driver_library_version>\d{3}\.\d+(?:\.\d+)?))"},
    {" match DSO version ", R"(kernel version (?P<driver_version>\d{3}\.\d+(?:\.\d+)?) does not match DSO version )"
                            R"((?P<driver_library_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"NVML library version: ", R"(NVML library version: (?P<driver_library_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"this kernel module has t", R"(this kernel module has the version (?P<driver_version>\d{3}\.\d+(?:\.\d+)?)\.)"},
    {"with kernel driver vers",
     R"(Using CUDA (?P<cuda_version>\d+\.\d+) driver version (?P<driver_library_version>\d{3}\.\d+(?:\.\d+)?) )"
     R"(with kernel driver version (?P<driver_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"was detected and compat",
     R"(version (?P<driver_version>\d{3}\.\d+(?:\.\d+)?) was detected and compatibility mode)"},
    {"cuda.driver-version.full",
     R"(nvidia\.com/cuda\.driver-version\.full[=:]\W*(?P<driver_version>\d{3}\.\d+(?:\.\d+)?))"},
    {"- driver ", R"(^\s*- driver (?P<driver_version>\d{3}\.\d+(?:\.\d+)?)(?: for (?P<driver_cuda>\d+\.\d+))?)"},
    {"NVIDIA driver ",
     R"(^\s*NVIDIA driver (?P<driver_version>\d{3}\.\d+(?:\.\d+)?)(?:, for CUDA (?P<driver_cuda>\d+\.\d+))?$)"},
    {"cudaDriverVersion ", R"(\bcudaDriverVersion (?P<driver_cuda>\d{4,5})\b)"},
    {"too old (found version ", R"(too old \(found version (?P<driver_cuda>\d{4,5})\))"},
    {" CUDA version is ", R"(driver's CUDA version is (?P<driver_cuda>\d+\.\d+))"},
    {"CUDA driver version: ", R"(\bCUDA driver version: (?P<driver_cuda>\d{1,2}\.\d+)\b)"},
    {"CUDA Driver Version / Ru",
     R"(CUDA Driver Version / Runtime Version +(?P<driver_cuda>\d+\.\d+) / (?P<cuda_version>\d+\.\d+))"},
    {"CUDA Driver Version = ",
     R"(CUDA Driver Version = (?P<driver_cuda>\d+\.\d+), CUDA Runtime Version = (?P<cuda_version>\d+\.\d+))"},

    // CUDA toolkit and runtime.
    {"used to build PyTorch: ", R"(CUDA used to build PyTorch: (?P<cuda_version>\d+\.\d+))"},
    {"CUDA runtime version: ", R"(\bCUDA runtime version: (?P<cuda_version>\d+\.\d+))"},
    {"torch cuda version ", R"(torch cuda version [ .]*(?P<cuda_version>\d+\.\d+))"},
    {"torch.version.cuda", R"(\btorch\.version\.cuda\W{1,6}(?P<cuda_version>\d+\.\d+))"},
    {"Cuda compilation tools, ", R"(Cuda compilation tools, release (?P<cuda_version>\d+\.\d+))"},
    {"compiler identification", R"(The CUDA compiler identification is NVIDIA (?P<cuda_version>\d+\.\d+))"},
    {"-- Found CUDA",
     R"re(^\s*-- Found CUDA(?:Toolkit)?: .*\(found (?:suitable )?(?:exact )?version "(?P<cuda_version>\d+\.\d+))re"},
    {"CUDA version", R"((?:^|[^\w.])CUDA version ?[:=] ?v?(?P<cuda_version>\d{1,2}\.\d+)(?:\.\d+)?(?:$|[,;|)]))"},
    {"CUDA Version ", R"(^\s*CUDA Version (?P<cuda_version>\d+\.\d+)(?:\.\d+)?$)"},
    {"CUDA_VERSION", R"(^\s*CUDA_VERSION=(?P<cuda_version>\d+\.\d+))"},
    {"CUDA Runtime ", R"(^\s*- CUDA Runtime (?P<cuda_version>\d+\.\d+)$)"},
    {"CUDA runtime ", R"(^\s*(?:- )?CUDA runtime (?P<cuda_version>\d+\.\d+), )"},
    {"CUDA Toolkit", R"(\bCUDA Toolkit(?: =|:) (?P<cuda_version>\d+\.\d+)\b)"},

    // Libraries of the toolkit.
    {"cuDNN version", R"((?:^|[^\w])cuDNN version ?[:=]? ?(?P<cudnn_version>\d[\d.]*\d)\b)"},
    {"cudnn version", R"((?:^|[^\w])cudnn version ?[:=]? ?(?P<cudnn_version>\d[\d.]*\d)\b)"},
    {"cudnn.version()", R"(\bcudnn\.version\(\)\W{1,4}(?P<cudnn_version>\d{4,5})\b)"},
    {"Loaded runtime CuDNN lib", R"(Loaded runtime CuDNN library: (?P<cudnn_version>\d+\.\d+\.\d+))"},
    {"libcudnn.so.", R"(^/\S*/libcudnn\.so\.(?P<cudnn_version>\d+\.\d+\.\d+)$)"},
    {"- CuDNN ", R"(^\s*- CuDNN (?P<cudnn_version>\d+(?:\.\d+)+))"},
    {"NCCL version ", R"(\bNCCL version (?P<nccl_version>\d+\.\d+\.\d+))"},
    {"nccl_version", R"re("nccl_version": ?"(?P<nccl_version>\d+\.\d+\.\d+))re"},
    {"using nccl==", R"(\busing nccl==(?P<nccl_version>\d+\.\d+\.\d+))"},
    {"nccl.version()", R"(\bnccl\.version\(\)\W{1,5}(?P<nccl_version>\d+\.\d+\.\d+))"},
    {"TensorRT version", R"((?:^|[^\w-])TensorRT version ?[:=]? ?(?P<tensorrt_version>\d+(?:\.\d+)+))"},

    // PyTorch.
    {"orch version", R"((?:PyTorch|[Pp]ytorch|[Tt]orch) version(?: \(GPU\?\))?[ :.=]+v?)"
                     R"((?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?))"},
    {"orch Version", R"(\b(?:Py)?[Tt]orch Version ?[ :=]? ?(?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?))"},
    {"torch.__version__", R"(\btorch\.__version__\W{1,5}(?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?))"},
    {"CUDA:0 (", R"(\b[Tt]orch[- ](?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?) CUDA:0 \()"},
    {"PyTorch: ", R"(^\s*PyTorch: (?P<torch_version>\d+\.\d+\.\d+\w*(?:\+[\w.]*\w)?)$)"},
    {"Pytorch: ", R"(\bPytorch: (?P<torch_version>\d+\.\d+\.\d+\w*(?:\+\w+)?)\. )"},
    {"O^O/ ", R"(\bTorch: (?P<torch_version>\d+\.\d+\.\d+\w*(?:\+\w+)?)\. )"},
    {"Torch 1.", R"(^\s*Torch (?P<torch_version>\d+\.\d+\.\d+\w*(?:\+\w+)?)$)"},
    {"Torch 2.", R"(^\s*Torch (?P<torch_version>\d+\.\d+\.\d+\w*(?:\+\w+)?)$)"},
    {"TorchVision: ", R"(^\s*TorchVision: (?P<torchvision_version>\d+\.\d+\.\d+\S*)$)"},

    // Other frameworks.
    {"API server version", R"(vLLM API server version (?P<vllm_version>\d+\.\d+\S*))"},
    {"vLLM Version: ", R"(^\s*vLLM Version: (?P<vllm_version>\d+\.\d+\S*))"},
    {"LLM engine (v", R"(\bLLM engine \(v(?P<vllm_version>\d+\.\d+[^)\s]*)\))"},
    {"sglang: ", R"(^\s*sglang: (?P<sglang_version>\d+\.\d+\S*))"},
    {"sglang version", R"(\bsglang version[ :=]+(?P<sglang_version>\d+\.\d+\S*\w))"},
    {"text-generation-launcher", R"(\btext-generation-launcher (?P<tgi_version>\d+\.\d+\.\d+\S*))"},
    {"DeepSpeed info: version=", R"(DeepSpeed info: version=(?P<deepspeed_version>[\w.+]*\w))"},
    {"deepspeed info ....", R"(deepspeed info [ .]+(?P<deepspeed_version>\d+\.\d+\.\d+[\w.+]*))"},
    {"TensorFlow version", R"(\bTensorFlow version ?[:=]? ?(?P<tensorflow_version>\d+\.\d+[\w.+-]*\w))"},
    {"tensorflow version", R"(\btensorflow version ?[:=]? ?(?P<tensorflow_version>\d+\.\d+[\w.+-]*\w))"},
    {"tf.__version__", R"(\btf\.__version__\W{1,5}(?P<tensorflow_version>\d+\.\d+[\w.+-]*\w))"},
    {"jax.__version__", R"(\bjax\.__version__\W{1,5}(?P<jax_version>\d+\.\d+\.\d+\w*))"},
    {"JAX version", R"(\bJAX version ?[:=]? ?(?P<jax_version>\d+\.\d+\.\d+\w*))"},
    {"ONNX Runtime version", R"(\bONNX Runtime version ?[:=]? ?(?P<onnxruntime_version>\d+\.\d+\.\d+))"},
    {"ransformers` version: ", R"(^\s*- .?[Tt]ransformers.? version: (?P<transformers_version>\d+\.\d+\S*))"},
    {"Transformers: ", R"(\bTransformers: (?P<transformers_version>\d+\.\d+\.\d+(?:\.\w+)?)\.)"},
    {"Transformers = ", R"(\bTransformers = (?P<transformers_version>\d+\.\d+\.\d+(?:\.\w+)?)\.)"},
    {"ransformers version", R"(^\W{0,3}[Tt]ransformers version ?[:=]? ?(?P<transformers_version>\d+\.\d+\S*))"},
    {"ccelerate` version: ", R"(^\s*- .?[Aa]ccelerate.? version: (?P<accelerate_version>\d+\.\d+\S*))"},
    {"Lightning version", R"(\bLightning version ?[:=]? ?(?P<lightning_version>\d+\.\d+\S*\w))"},
    {"lightning.__version__", R"(\blightning\.__version__\W{1,5}(?P<lightning_version>\d+\.\d+[\w.+]*\w))"},
    {"NeMo version", R"(\bNeMo version ?[:=]? ?(?P<nemo_version>\d+\.\d+\S*\w))"},
    {"Ultralytics ", R"(\bUltralytics (?:YOLO\w*)?(?P<ultralytics_version>\d+\.\d+\.\d+))"},
    {"MMCV: ", R"(^\s*MMCV: (?P<mmcv_version>\d+\.\d+\.\d+\w*)$)"},
    {"xformers version", R"(\bxformers version ?[:=] ?(?P<xformers_version>\d+\.\d+\S*\w))"},
    {"Listening on ", R"re(msg="Listening on \S+ \(version (?P<ollama_version>[\w.-]+)\)")re"},
    {"ollama version", R"(\bollama version is (?P<ollama_version>[\w.-]*\w))"},
    {") with cc (", R"(^\s*build: (?P<llama_cpp_build>\d{3,6}) \([0-9a-f]{7,10}\))"},
    {"main: build = ", R"(^\s*main: build = (?P<llama_cpp_build>\d{3,6}) \([0-9a-f]{7,10}\))"},
    {"Ray version", R"(\bRay version ?[:=]? ?(?P<ray_version>\d+\.\d+\.\d+\w*))"},

    // Python.
    {"Python 3.", R"(\bPython (?P<python_version>3\.\d+\.\d+)(?: \(|,| \||$))"},
    {"Python-3.", R"(\bPython-(?P<python_version>3\.\d+\.\d+)\b)"},
    {"Python version: 3", R"(^\s*(?:- )?Python version: (?P<python_version>3\.\d+(?:\.\d+)?))"},
    {"Python: 3", R"(^\s*Python: (?P<python_version>3\.\d+\.\d+))"},
    {"Python version   ", R"(^\s*Python version +(?P<python_version>3\.\d+\.\d+)$)"},
};

constexpr auto kTriggers = triggers_of(kPhrases);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook phrases(kPhrases);
  report_phrases(phrases, line, sink);
}

}  // namespace

constinit const LineParser kVersionFactsParser{"version_facts", kTriggers, parse};

}  // namespace cutopsy
