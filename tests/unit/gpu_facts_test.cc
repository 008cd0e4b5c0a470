#include "parsers/gpu_facts.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(GpuFacts, NvidiaSmi) {
  constexpr FactSample kSamples[] = {
      {"|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |", "gpu_name",
       "NVIDIA A100-SXM4-80GB"},
      {"|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |", "persistence_mode",
       "On"},
      {"|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |", "ecc_mode", "On"},
      {"|   3  NVIDIA A40                     Off | 00000000:C1:00.0 Off |                  Off |", "ecc_mode", "Off"},
      {"| N/A   30C    P0    61W / 400W |      0MiB / 81920MiB |      0%      Default |", "gpu_memory", "81920MiB"},
      {"| N/A   30C    P0    61W / 400W |      0MiB / 81920MiB |      0%      Default |", "gpu_memory_bytes",
       "85899345920"},
      {"|                               |                      |             Disabled |", "mig_mode", "Disabled"},
      {"|                               |                      |              Enabled |", "mig_mode", "Enabled"},
      {"GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1b2c3d4e-5f60)", "gpu_name", "NVIDIA H100 80GB HBM3"},
      {"GPU 5: NVIDIA H100 80GB HBM3 (UUID: GPU-1b2c3d4e-5f60)", "gpu_uuid", "GPU-1b2c3d4e-5f60"},
      {"  MIG 1g.10gb     Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)", "mig_profile", "1g.10gb"},
      {"Attached GPUs                             : 8", "gpu_count", "8"},
      {"    Product Name                          : NVIDIA H100 80GB HBM3", "gpu_name", "NVIDIA H100 80GB HBM3"},
      {"    GPU UUID                              : GPU-1b2c3d4e-5f60", "gpu_uuid", "GPU-1b2c3d4e-5f60"},
      {"    Persistence Mode                      : Enabled", "persistence_mode", "Enabled"},
  };
  expect_facts(kGpuFactsParser, kSamples);
}

TEST(GpuFacts, OtherToolsOfTheSystem) {
  constexpr FactSample kSamples[] = {
      {"01:00.0 VGA compatible controller: NVIDIA Corporation AD102 [GeForce RTX 4090] (rev a1)", "gpu_name",
       "GeForce RTX 4090"},
      {"3b:00.0 3D controller [0302]: NVIDIA Corporation GA100 [A100 PCIe 80GB] [10de:20b5] (rev a1)", "gpu_name",
       "A100 PCIe 80GB"},
      {"nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB", "gpu_name", "NVIDIA-A100-SXM4-80GB"},
      {"nvidia.com/gpu.count=8", "gpu_count", "8"},
  };
  expect_facts(kGpuFactsParser, kSamples);
}

TEST(GpuFacts, PyTorchAndWhatStandsOnIt) {
  constexpr const char* kTooNew =
      "NVIDIA H100 80GB HBM3 with CUDA capability sm_90 is not compatible with the current PyTorch installation.";
  constexpr const char* kFairseq =
      "fairseq.utils | rank   3: capabilities =  6.1  ; total memory = 10.917 GB ; name = GeForce GTX 1080 Ti         "
      " ";
  constexpr FactSample kSamples[] = {
      {kTooNew, "gpu_name", "NVIDIA H100 80GB HBM3"},
      {kTooNew, "compute_capability", "sm_90"},
      {"    Found GPU0 GeForce GTX 650 which is of cuda capability 3.0.", "gpu_name", "GeForce GTX 650"},
      {"    Found GPU0 GeForce GTX 650 which is of cuda capability 3.0.", "compute_capability", "3.0"},
      {kFairseq, "gpu_name", "GeForce GTX 1080 Ti"},
      {kFairseq, "compute_capability", "6.1"},
      {kFairseq, "gpu_memory", "10.917 GB"},
      {"torch-2.1.0+cu118 CUDA:0 (NVIDIA A30, 24062MiB)", "gpu_memory", "24062MiB"},
      {"torch-2.1.0+cu118 CUDA:0 (NVIDIA A30, 24062MiB)", "gpu_name", "NVIDIA A30"},
      {"GPU available: True (cuda), used: True", "cuda_available", "True"},
      {"Is CUDA available: False", "cuda_available", "False"},
      {"torch.cuda.is_available() = True", "cuda_available", "True"},
      {"torch.cuda.device_count(): 4", "gpu_count", "4"},
      {"Total VRAM 24564 MB, total RAM 65277 MB", "gpu_memory", "24564 MB"},
      {"   \\\\   /|    GPU: NVIDIA A100-SXM4-40GB. Max memory: 39.564 GB. Platform = Linux.", "gpu_memory",
       "39.564 GB"},
      {"   \\\\   /|    GPU: NVIDIA A100-SXM4-40GB. Max memory: 39.564 GB. Platform = Linux.", "gpu_name",
       "NVIDIA A100-SXM4-40GB"},
      {"Torch detected GPU: NVIDIA GeForce RTX 3060 VRAM 12288 Arch (8, 6) Cores 28", "gpu_name",
       "NVIDIA GeForce RTX 3060"},
      {"device=cuda compute_type=auto -> int8_float16 (NVIDIA GeForce RTX 5080, compute capability 12.0)",
       "compute_type", "int8_float16"},
      {"device=cuda compute_type=auto -> int8_float16 (NVIDIA GeForce RTX 5080, compute capability 12.0)",
       "compute_capability", "12.0"},
      {"Initializing a V1 LLM engine (v0.8.5) with config: model='m', dtype=torch.bfloat16, max_seq_len=4096",
       "compute_type", "bfloat16"},
  };
  expect_facts(kGpuFactsParser, kSamples);
}

TEST(GpuFacts, TensorFlowAndXla) {
  constexpr const char* kCreated =
      "Created device /job:localhost/replica:0/task:0/device:GPU:1 with 10414 MB memory:  -> device: 1, name: NVIDIA "
      "GeForce RTX 3060, pci bus id: 0000:01:00.0, compute capability: 8.6";
  constexpr FactSample kSamples[] = {
      {kCreated, "gpu_name", "NVIDIA GeForce RTX 3060"},
      {kCreated, "compute_capability", "8.6"},
      {"StreamExecutor device (0): NVIDIA A100-SXM4-40GB, Compute Capability 8.0", "gpu_name", "NVIDIA A100-SXM4-40GB"},
      {"Num GPUs Available:  2", "gpu_count", "2"},
  };
  expect_facts(kGpuFactsParser, kSamples);
}

TEST(GpuFacts, LlamaCppOllamaAndSamples) {
  constexpr const char* kOllama =
      "msg=\"inference compute\" id=GPU-6f0a9c1e library=cuda variant=v12 compute=9.0 driver=12.4 name=\"NVIDIA H800\" "
      "total=\"79.1 GiB\" available=\"78.6 GiB\"";
  constexpr FactSample kSamples[] = {
      {"  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes", "gpu_name", "NVIDIA GeForce RTX 3090"},
      {"ggml_cuda_init: found 2 CUDA devices:", "gpu_count", "2"},
      {"ggml_cuda_init: found 2 CUDA devices (Total VRAM: 48222 MiB):", "gpu_count", "2"},
      {kOllama, "gpu_name", "NVIDIA H800"},
      {kOllama, "gpu_uuid", "GPU-6f0a9c1e"},
      {kOllama, "driver_cuda", "12.4"},
      {kOllama, "gpu_memory", "79.1 GiB"},
      {"Device 0: \"NVIDIA A100-SXM4-80GB\"", "gpu_name", "NVIDIA A100-SXM4-80GB"},
      {"  CUDA Capability Major/Minor version number:    8.0", "compute_capability", "8.0"},
      {"  Total amount of global memory:                 81251 MBytes (85197848576 bytes)", "gpu_memory",
       "81251 MBytes"},
      {" Detected 8 CUDA Capable device(s)", "gpu_count", "8"},
  };
  expect_facts(kGpuFactsParser, kSamples);
}

TEST(GpuFacts, AModelBehindALabel) {
  constexpr FactSample kSamples[] = {
      {"GPU : NVIDIA A100-SXM4-80GB", "gpu_name", "NVIDIA A100-SXM4-80GB"},
      {"Using GPU: NVIDIA GeForce RTX 4090", "gpu_name", "NVIDIA GeForce RTX 4090"},
      {"GPU name: Tesla V100-SXM2-32GB", "gpu_name", "Tesla V100-SXM2-32GB"},
      {"Device: cuda:0 NVIDIA GeForce RTX 4090 : cudaMallocAsync", "gpu_name", "NVIDIA GeForce RTX 4090"},
      {"GPU 1: NVIDIA GH200 480GB", "gpu_name", "NVIDIA GH200 480GB"},
      {"GPU Type: NVIDIA RTX PRO 6000 Blackwell Server Edition, driver 575", "gpu_name",
       "NVIDIA RTX PRO 6000 Blackwell Server Edition"},
  };
  expect_facts(kGpuFactsParser, kSamples);
}

TEST(GpuFacts, SayOfWhichGpuAndRankTheySpeak) {
  EXPECT_EQ(fact_named(parse_line(kGpuFactsParser, "GPU 5: NVIDIA A40 (UUID: GPU-1b2c3d4e)"), "gpu_uuid").gpu, "5");
  EXPECT_EQ(fact_named(parse_line(kGpuFactsParser, "|   3  Tesla T4      Off | 00000000:C1:00.0 Off |      Off |"),
                       "gpu_name")
                .gpu,
            "3");
  EXPECT_EQ(
      fact_named(parse_line(kGpuFactsParser, "  Device 1: NVIDIA A40, compute capability 8.6, VMM: yes"), "gpu_name")
          .gpu,
      "1");
  const Parsed fairseq = parse_line(
      kGpuFactsParser, "rank   3: capabilities =  6.1  ; total memory = 10.917 GB ; name = GeForce GTX 1080 Ti");
  EXPECT_EQ(fact_named(fairseq, "gpu_name").envelope.rank, "3");
}

TEST(GpuFacts, OtherLinesAreNoFacts) {
  constexpr const char* kLines[] = {
      "nvprof is not supported on devices with compute capability 8.0 and higher.",
      "GPU 0: 45% util, 12 GiB",
      "The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.",
      "If you want to use the NVIDIA GeForce RTX 5090 GPU with PyTorch, please check the instructions",
      "00:1f.3 Audio device: NVIDIA Corporation AD102 High Definition Audio Controller (rev a1)",
      "An NVIDIA Ampere GPU or newer is needed",
      "progress: 12MiB / 33MiB",
      "flash attention needs a GPU: Ampere or newer",
      "GPU available: ",
  };
  expect_no_facts(kGpuFactsParser, kLines);
}

}  // namespace
}  // namespace cutopsy
