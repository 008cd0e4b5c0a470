#include "parsers/version_facts.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(VersionFacts, DriverThatIsLoaded) {
  constexpr FactSample kSamples[] = {
      {"NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024", "driver_version",
       "535.183.01"},
      {"NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  570.158.01  Release Build  "
       "(dvs-builder@U22-I3-B10-02-5)  Mon Jun  2 13:13:04 UTC 2025",
       "driver_version", "570.158.01"},
      {"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  595.71.05  Release Build", "driver_version",
       "595.71.05"},
      {"nvidia-modeset: Loading NVIDIA UNIX Open Kernel Mode Setting Driver for x86_64  570.158.01  Release Build",
       "driver_version", "570.158.01"},
      {"| NVIDIA-SMI 570.124.06             Driver Version: 570.124.06     CUDA Version: 12.8     |", "driver_version",
       "570.124.06"},
      {"| NVIDIA-SMI 610.43.02    KMD Version: 610.43.02    CUDA UMD Version: 13.2    |", "driver_version",
       "610.43.02"},
      {"Driver Version                            : 535.183.01", "driver_version", "535.183.01"},
      {"Nvidia driver version: 535.86.10", "driver_version", "535.86.10"},
      {"NVIDIA driver version: 551.61", "driver_version", "551.61"},
      {"NVRM version:   535.104.05", "driver_version", "535.104.05"},
      {"| Driver Version Detected   | 535.129.03                                     |", "driver_version",
       "535.129.03"},
      {"Driver version                   470.57.02", "driver_version", "470.57.02"},
      {"kernel reported version is: 525.125.6", "driver_version", "525.125.6"},
      {"kernel version 384.90.0 does not match DSO version 384.111.0 -- cannot find working devices in this "
       "configuration",
       "driver_version", "384.90.0"},
      {"NVRM: this kernel module has the version 535.86.05.  Please", "driver_version", "535.86.05"},
      {"CUDA Forward Compatibility mode ENABLED.  Using CUDA 12.2 driver version 535.104.05 with kernel driver version "
       "470.182.03.",
       "driver_version", "470.182.03"},
      {"ERROR: This container was built for NVIDIA Driver Release 535.104 or later, but version 470.182.03 was "
       "detected "
       "and compatibility mode is UNAVAILABLE.",
       "driver_version", "470.182.03"},
      {"nvidia.com/cuda.driver-version.full=550.54.15", "driver_version", "550.54.15"},
      {"- driver 550.54.15 for 12.4", "driver_version", "550.54.15"},
      {"NVIDIA driver 515.48.7, for CUDA 11.7", "driver_version", "515.48.7"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, UserSpacePartOfTheDriver) {
  constexpr FactSample kSamples[] = {
      {"libcuda reported version is: 525.125.6", "driver_library_version", "525.125.6"},
      {"kernel version 384.90.0 does not match DSO version 384.111.0 -- cannot find working devices",
       "driver_library_version", "384.111.0"},
      {"NVML library version: 550.163", "driver_library_version", "550.163"},
      {"Using CUDA 12.2 driver version 535.104.05 with kernel driver version 470.182.03.", "driver_library_version",
       "535.104.05"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, CudaThatTheDriverSupports) {
  constexpr FactSample kSamples[] = {
      {"| NVIDIA-SMI 570.124.06   Driver Version: 570.124.06     CUDA Version: 12.8     |", "driver_cuda", "12.8"},
      {"| NVIDIA-SMI 610.43.02    KMD Version: 610.43.02    CUDA UMD Version: 13.2    |", "driver_cuda", "13.2"},
      {"CUDA Version                              : 12.2", "driver_cuda", "12.2"},
      {"CUDA version:   12.2", "driver_cuda", "12.2"},
      {"lab:140260:140260 [0] NCCL INFO cudaDriverVersion 12040", "driver_cuda", "12.4"},
      {"The NVIDIA driver on your system is too old (found version 9010).", "driver_cuda", "9.1"},
      {"The NVIDIA driver's CUDA version is 12.2 which is older than the ptxas CUDA version (12.5.40).", "driver_cuda",
       "12.2"},
      {"  CUDA Driver Version / Runtime Version          12.2 / 12.1", "driver_cuda", "12.2"},
      {"deviceQuery, CUDA Driver = CUDART, CUDA Driver Version = 12.2, CUDA Runtime Version = 12.1, NumDevs = 8",
       "driver_cuda", "12.2"},
      {"CUDA driver version: 12.6", "driver_cuda", "12.6"},
      {"- driver 550.54.15 for 12.4", "driver_cuda", "12.4"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, CudaOfToolkitAndBuilds) {
  constexpr FactSample kSamples[] = {
      {"PyTorch version: 2.1.0+cu118", "cuda_version", "11.8"},
      {"CUDA used to build PyTorch: 12.1", "cuda_version", "12.1"},
      {"CUDA runtime version: 12.1.105", "cuda_version", "12.1"},
      {"Cuda compilation tools, release 11.8, V11.8.89", "cuda_version", "11.8"},
      {"NVCC: Cuda compilation tools, release 11.3, V11.3.109", "cuda_version", "11.3"},
      {"-- The CUDA compiler identification is NVIDIA 12.4.131", "cuda_version", "12.4"},
      {"-- Found CUDAToolkit: /usr/local/cuda/targets/x86_64-linux/include (found version \"12.4.131\")",
       "cuda_version", "12.4"},
      {"-- Found CUDA: /usr/local/cuda (found suitable version \"11.8\", minimum required is \"11.0\")", "cuda_version",
       "11.8"},
      {"torch.version.cuda = 12.1", "cuda_version", "12.1"},
      {"torch cuda version ............... 12.1", "cuda_version", "12.1"},
      {"CUDA Version 12.4.1", "cuda_version", "12.4"},
      {"PyTorch CUDA version: 12.1", "cuda_version", "12.1"},
      {"CUDA_VERSION=12.4.1", "cuda_version", "12.4"},
      {"  - CUDA Runtime 11.3", "cuda_version", "11.3"},
      {"CUDA runtime 11.8, artifact installation", "cuda_version", "11.8"},
      {"O^O/ \\_/ \\    Torch: 2.5.1+cu124. CUDA: 8.0. CUDA Toolkit: 12.4. Triton: 3.1.0", "cuda_version", "12.4"},
      {"  CUDA Driver Version / Runtime Version          12.2 / 12.1", "cuda_version", "12.1"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, LibrariesOfTheToolkit) {
  constexpr FactSample kSamples[] = {
      {"Loaded cuDNN version 8905", "cudnn_version", "8.9.5"},
      {"Loaded cuDNN version 90100", "cudnn_version", "9.1.0"},
      {"cudnn version: 91002", "cudnn_version", "9.10.2"},
      {"torch.backends.cudnn.version() = 7605", "cudnn_version", "7.6.5"},
      {"Loaded runtime CuDNN library: 8.9.4 but source was compiled with: 8.9.6.", "cudnn_version", "8.9.4"},
      {"/usr/lib/x86_64-linux-gnu/libcudnn.so.8.9.0", "cudnn_version", "8.9.0"},
      {"  - CuDNN 8.2", "cudnn_version", "8.2"},
      {"NCCL version 2.21.5+cuda12.4", "nccl_version", "2.21.5"},
      {"NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:77, unhandled cuda error, NCCL version "
       "2.26.2",
       "nccl_version", "2.26.2"},
      {"vLLM is using nccl==2.27.3", "nccl_version", "2.27.3"},
      {"TensorRT version: 8.6.1.6", "tensorrt_version", "8.6.1.6"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, PyTorch) {
  constexpr FactSample kSamples[] = {
      {"PyTorch version: 2.1.0+cu118", "torch_version", "2.1.0+cu118"},
      {"- PyTorch version (GPU?): 2.6.0a0+df5bbc09d1.nv24.11 (True)", "torch_version", "2.6.0a0+df5bbc09d1.nv24.11"},
      {"PyTorch version 2.5.1 available.", "torch_version", "2.5.1"},
      {"pytorch version: 2.4.1+cu124", "torch_version", "2.4.1+cu124"},
      {"torch version .................... 2.1.0+cu121", "torch_version", "2.1.0+cu121"},
      {"torch.__version__ = 2.3.0+cu121", "torch_version", "2.3.0+cu121"},
      {"PyTorch Version 2.1.0a0+32f93b1", "torch_version", "2.1.0a0+32f93b1"},
      {"PyTorch: 1.11.0+cu113", "torch_version", "1.11.0+cu113"},
      {"O^O/ \\_/ \\    Pytorch: 2.4.0+cu121. CUDA = 8.0. CUDA Toolkit = 12.1.", "torch_version", "2.4.0+cu121"},
      {"Torch 2.1.2+cu118", "torch_version", "2.1.2+cu118"},
      {"Ultralytics YOLOv8.2.48 \xF0\x9F\x9A\x80 Python-3.10.12 torch-2.1.0+cu118 CUDA:0 (NVIDIA A30, 24062MiB)",
       "torch_version", "2.1.0+cu118"},
      {"TorchVision: 0.12.0+cu113", "torchvision_version", "0.12.0+cu113"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, OtherFrameworks) {
  constexpr FactSample kSamples[] = {
      {"vLLM API server version 0.6.3.post1", "vllm_version", "0.6.3.post1"},
      {"Initializing a V1 LLM engine (v0.8.5) with config: model='m'", "vllm_version", "0.8.5"},
      {"vLLM Version: 0.9.1", "vllm_version", "0.9.1"},
      {"sglang: 0.4.6.post2", "sglang_version", "0.4.6.post2"},
      {"text-generation-launcher 2.0.1", "tgi_version", "2.0.1"},
      {"DeepSpeed info: version=0.14.0, git-hash=unknown, git-branch=unknown", "deepspeed_version", "0.14.0"},
      {"deepspeed info ................... 0.14.0, unknown, unknown", "deepspeed_version", "0.14.0"},
      {"TensorFlow version: 2.15.0", "tensorflow_version", "2.15.0"},
      {"- `transformers` version: 4.40.1", "transformers_version", "4.40.1"},
      {"==((====))==  Unsloth 2024.8: Fast Llama patching. Transformers = 4.44.2.", "transformers_version", "4.44.2"},
      {"- `Accelerate` version: 0.30.1", "accelerate_version", "0.30.1"},
      {"jax.__version__: 0.4.26", "jax_version", "0.4.26"},
      {"Ultralytics YOLOv8.2.48 \xF0\x9F\x9A\x80 Python-3.10.12 torch-2.1.0 CUDA:0 (NVIDIA A30, 24062MiB)",
       "ultralytics_version", "8.2.48"},
      {"MMCV: 1.5.3", "mmcv_version", "1.5.3"},
      {"msg=\"Listening on [::]:11434 (version 0.11.4)\"", "ollama_version", "0.11.4"},
      {"build: 4589 (eb7cf15a) with cc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0 for x86_64-linux-gnu", "llama_cpp_build",
       "4589"},
      {"main: build = 2761 (f4ab2a41)", "llama_cpp_build", "2761"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, Python) {
  constexpr FactSample kSamples[] = {
      {"Python 3.10.9 (tags/v3.10.9:1dd9be6, Dec  6 2022, 20:01:21) [MSC v.1934 64 bit (AMD64)]", "python_version",
       "3.10.9"},
      {"platform linux -- Python 3.10.20, pytest-7.3.2, pluggy-1.6.0", "python_version", "3.10.20"},
      {"Python version: 3.11.9 (main, Apr  6 2024, 17:59:24) [GCC 11.4.0] (64-bit runtime)", "python_version",
       "3.11.9"},
      {"- Python version: 3.10.12", "python_version", "3.10.12"},
      {"torch-2.1.0 Python-3.10.12 CUDA:0", "python_version", "3.10.12"},
  };
  expect_facts(kVersionFactsParser, kSamples);
}

TEST(VersionFacts, ComparisonsDemandsAndPlansAreNoFacts) {
  constexpr const char* kLines[] = {
      "This container requires driver >= 535.104",
      "Minimum required Driver Version: >= 525.60.13",
      "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update your driver to a "
      "newer "
      "version",
      "CUDA driver version is insufficient for CUDA runtime version",
      "The detected CUDA version (12.4) mismatches the version that was used to compile PyTorch (11.8).",
      "CUDA 11.8 was used to build the extension, but torch was built with CUDA 12.1",
      "deepspeed wheel compiled w. ...... torch 2.1, cuda 12.1",
      "Installing NVIDIA driver version 535.161.07.",
      "nvidia/535.183.01, 5.15.0-113-generic, x86_64: installed",
      "Driver Version: N/A",
      "PyTorch version: ",
      "PyTorch version >= 2.1.0 is needed",
      "Please install a PyTorch version that supports CUDA 12.4",
      "Unsupported .version 8.5; current version is '8.4'",
      "NCCL version",
      "NVIDIA UNIX ",
      "cudaDriverVersion 99999999999999999999",
      "cuDNN version: Could not collect",
      "You need a TensorFlow version newer than this",
      "File \"/usr/lib/python3.10/threading.py\", line 3",
      "CUDA Version: N/A",
      "Requires Python >=3.9",
      "TeamCity server version is 2023.05.4 (build 129421)",
      "Transformers need version 4.40",
  };
  expect_no_facts(kVersionFactsParser, kLines);
}

}  // namespace
}  // namespace cutopsy
