#include "parsers/gpu_address_facts.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(GpuAddressFacts, OfARankOfACommunicator) {
  const Parsed parsed = parse_line(kGpuAddressFactsParser,
                                   "node1:4242:4310 [1] NCCL INFO comm 0x55d0c0205c54 rank 3 nranks 8 cudaDev 1 "
                                   "nvmlDev 5 busId 86000 commId 0x6f2c1d3a - Init START");
  const Fact gpu = fact_named(parsed, "gpu_pci");
  EXPECT_EQ(gpu.value, "0000:86:00.0");
  EXPECT_EQ(gpu.gpu, "1");
  EXPECT_EQ(gpu.envelope.host, "node1");
  EXPECT_EQ(gpu.envelope.pid, "4242");
  EXPECT_EQ(gpu.envelope.rank, "");
  EXPECT_EQ(fact_named(parsed, "comm_gpu").value, "3 of 8 at 0000:86:00.0");
  EXPECT_EQ(fact_named(parsed, "smi_gpu_pci").gpu, "5");
}

TEST(GpuAddressFacts, OfOtherVersionsAndPrograms) {
  constexpr FactSample kSamples[] = {
      {"tr-ws01:9120:9187 [0] NCCL INFO comm 0x7f4e74002fb0 rank 0 nranks 2 cudaDev 0 busId 41000 - Init COMPLETE",
       "comm_gpu", "0 of 2 at 0000:41:00.0"},
      {"n1:7:9 [3] NCCL INFO ncclCommSplit comm 0x55d1 rank 1 nranks 2 cudaDev 3 nvmlDev 3 busId 100000 parent 0x55d0 "
       "splitCount 1 color 3 key 1- Init START",
       "comm_gpu", "1 of 2 at 0001:00:00.0"},
      {"Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 14184 MB memory) -> physical GPU "
       "(device: 0, name: Tesla T4, pci bus id: 0000:00:1e.0, compute capability: 7.5)",
       "gpu_pci", "0000:00:1e.0"},
      {"Created device /job:localhost/replica:0/task:0/device:GPU:2 with 38374 MB memory:  -> device: 2, name: NVIDIA "
       "A100-SXM4-40GB, pci bus id: 0000:87:00.0, compute capability: 8.0",
       "gpu_pci", "0000:87:00.0"},
      {"llama_model_load_from_file_impl: using device CUDA0 (NVIDIA A40) (0000:3b:00.0) - 45000 MiB free", "gpu_pci",
       "0000:3b:00.0"},
      {"|   3  NVIDIA A100-SXM4-80GB          On  | 00000000:C1:00.0 Off |                    0 |", "smi_gpu_pci",
       "0000:c1:00.0"},
  };
  expect_facts(kGpuAddressFactsParser, kSamples);
}

TEST(GpuAddressFacts, TheIndexOfNvidiaSmiIsNotCudas) {
  const Parsed parsed =
      parse_line(kGpuAddressFactsParser,
                 "|   3  NVIDIA A100-SXM4-80GB          On  | 00000000:C1:00.0 Off |                    0 |");
  EXPECT_EQ(parsed.fact("gpu_pci"), "");
}

TEST(GpuAddressFacts, NotOfOtherLines) {
  constexpr const char* kLines[] = {
      "rank 3 cudaDev 1 busId unknown",
      "device: 0, name: Tesla T4, pci bus id: none",
      "using device CUDA0 (NVIDIA A40) - 45000 MiB free",
      "|    0   N/A  N/A      2431      C   python3                         00000000:C1:00.0 |",
  };
  expect_no_facts(kGpuAddressFactsParser, kLines);
}

}  // namespace
}  // namespace cutopsy
