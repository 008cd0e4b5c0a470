#include "parsers/fact_names.h"

#include <algorithm>
#include <iterator>

namespace cutopsy {
namespace {

constexpr bool kUniform = true;

constexpr FactName kNames[] = {
    // Driver and CUDA.
    {"driver_version", "version of the NVIDIA kernel driver: 570.124.06", kUniform},
    {"driver_library_version", "version of the driver's user-space libraries: 570.124.06", kUniform},
    {"driver_cuda", "newest CUDA that the driver supports: 12.8", kUniform},
    {"cuda_version", "CUDA toolkit or runtime that the job uses: 12.4", kUniform},
    {"cudnn_version", "version of cuDNN: 9.1.0", kUniform},
    {"nccl_version", "version of NCCL: 2.21.5", kUniform},
    {"tensorrt_version", "version of TensorRT", kUniform},

    // Frameworks.
    {"python_version", "version of Python", kUniform},
    {"torch_version", "version of PyTorch, with its build: 2.6.0+cu124", kUniform},
    {"torchvision_version", "version of torchvision", kUniform},
    {"torchaudio_version", "version of torchaudio", kUniform},
    {"triton_version", "version of the Triton compiler", kUniform},
    {"tensorflow_version", "version of TensorFlow", kUniform},
    {"jax_version", "version of JAX", kUniform},
    {"jaxlib_version", "version of jaxlib", kUniform},
    {"onnxruntime_version", "version of ONNX Runtime", kUniform},
    {"paddle_version", "version of PaddlePaddle", kUniform},
    {"cupy_version", "version of CuPy", kUniform},
    {"transformers_version", "version of Hugging Face transformers", kUniform},
    {"accelerate_version", "version of Hugging Face accelerate", kUniform},
    {"lightning_version", "version of Lightning", kUniform},
    {"deepspeed_version", "version of DeepSpeed", kUniform},
    {"megatron_version", "version of Megatron core", kUniform},
    {"nemo_version", "version of NeMo", kUniform},
    {"mmcv_version", "version of MMCV", kUniform},
    {"ultralytics_version", "version of Ultralytics", kUniform},
    {"flash_attn_version", "version of flash-attn", kUniform},
    {"xformers_version", "version of xFormers", kUniform},
    {"bitsandbytes_version", "version of bitsandbytes", kUniform},
    {"vllm_version", "version of vLLM", kUniform},
    {"sglang_version", "version of SGLang", kUniform},
    {"tgi_version", "version of Text Generation Inference", kUniform},
    {"llama_cpp_build", "build number of llama.cpp", kUniform},
    {"ollama_version", "version of Ollama", kUniform},
    {"ray_version", "version of Ray", kUniform},

    // Machine.
    {"os", "operating system: Ubuntu 22.04.4 LTS"},
    {"kernel", "release of the Linux kernel: 5.15.0-113-generic"},
    {"container_image", "container image that the job runs in"},
    {"container_toolkit_version", "version of the NVIDIA Container Toolkit"},
    {"container_runtime_version", "version of docker, podman, containerd, enroot or apptainer"},

    // GPUs.
    {"gpu_name", "model of the GPU: NVIDIA H100 80GB HBM3"},
    {"gpu_count", "number of GPUs"},
    {"gpu_memory", "memory of one GPU as printed: 81559MiB"},
    {"gpu_memory_bytes", "gpu_memory in bytes"},
    {"gpu_uuid", "GPU-1b2c3d4e-..."},
    {"gpu_serial", "serial number of the GPU's board"},
    {"gpu_pci", "PCI address of the GPU that CUDA numbers so: 0000:18:00.0"},
    {"smi_gpu_pci", "PCI address of the GPU that nvidia-smi numbers so"},
    {"comm_gpu", "GPU of a rank of an NCCL communicator: 3 of 8 at 0000:86:00.0"},
    {"compute_capability", "8.0, or sm_90 where the log says so"},
    {"cuda_available", "True when the framework sees a GPU"},
    {"mig_mode", "Enabled or Disabled"},
    {"mig_profile", "slice of the GPU: 1g.10gb"},
    {"ecc_mode", "On or Off"},
    {"persistence_mode", "On or Off"},
    {"compute_type", "number format that the model computes in: bfloat16, int8_float16"},

    // Shape of the job.
    {"world_size", "number of ranks"},
    {"tensor_parallel_size", "number of GPUs that share each layer"},
    {"pipeline_parallel_size", "number of pipeline stages"},
    {"hosts", "hosts of the job as the scheduler lists them: node[01-04]"},
    {"job_id", "the scheduler's number of the job"},
    {"transport", "how NCCL reaches the next rank: P2P/CUMEM, SHM/direct, NET/IB"},
    {"network", "network that NCCL uses between hosts: IB, Socket"},
    {"nccl_interface", "network interface of NCCL's bootstrap: eth0"},

    // Ending.
    {"exit_code", "exit code of the job or of a process of it"},
    {"exit_signal", "number of the signal that ended the job or a process of it"},
    {"exit_reason", "why the platform says that it ended: OOMKilled, TIMEOUT"},
    {"outcome", "ok: the log says that the job ended well"},
};

}  // namespace

std::span<const FactName> fact_names() {
  return kNames;
}

const FactName* find_fact_name(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& fact) { return fact.name == name; });
  return found == std::end(kNames) ? nullptr : found;
}

}  // namespace cutopsy
