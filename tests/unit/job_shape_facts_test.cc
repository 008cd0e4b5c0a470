#include "parsers/job_shape_facts.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(JobShapeFacts, Ranks) {
  constexpr FactSample kSamples[] = {
      {"rank 8 in world size 16 is assigned as DP rank 0", "world_size", "16"},
      {"[launch.py:164:main] dist_world_size=16", "world_size", "16"},
      {"world_size=16, local_world_size=8, nnodes=2", "world_size", "16"},
      {"RuntimeError: decoder world_size (4) is not divisible by model_size (8)", "world_size", "4"},
      {"local_world_size=8", "world_size", ""},
      {"GLOBAL_RANK: 0, MEMBER: 1/4", "world_size", "4"},
      {"All distributed processes registered. Starting with 8 processes", "world_size", "8"},
      {"Num processes: 8", "world_size", "8"},
      {"Initializing jax.distributed, coordinator 10.60.4.9:40112, process_id=3, num_processes=8", "world_size", "8"},
      {"using world size: 8, data-parallel size: 2, tensor-model-parallel size: 4, pipeline-model-parallel size: 1",
       "tensor_parallel_size", "4"},
      {"tensor_parallel_size=2, pipeline_parallel_size=1, quantization=None", "tensor_parallel_size", "2"},
      {"tensor_parallel_size=2, pipeline_parallel_size=4, quantization=None", "pipeline_parallel_size", "4"},
  };
  expect_facts(kJobShapeFactsParser, kSamples);
}

TEST(JobShapeFacts, TransportsOfNccl) {
  constexpr FactSample kSamples[] = {
      {"n:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC", "transport", "P2P/IPC"},
      {"n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0", "transport", "NET/IB"},
      {"n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct", "transport", "SHM/direct/direct"},
      {"n:1:2 [0] NCCL INFO Using network IB", "network", "IB"},
      {"n:1:2 [0] NCCL INFO Using network AWS Libfabric", "network", "AWS Libfabric"},
      {"n:1:2 [0] NCCL INFO Bootstrap : Using eth0:10.1.2.3<0>", "nccl_interface", "eth0"},
      {"n:1:2 [0] NCCL INFO Bootstrap: Using bond0:10.1.2.3<0>", "nccl_interface", "bond0"},
  };
  expect_facts(kJobShapeFactsParser, kSamples);
}

TEST(JobShapeFacts, Schedulers) {
  constexpr FactSample kSamples[] = {
      {"SLURM_JOB_ID=4242", "job_id", "4242"},
      {"SLURM_JOB_NODELIST=gn[21-24,30]", "hosts", "gn[21-24,30]"},
      {"Submitted batch job 4242", "job_id", "4242"},
      {"srun: job 4242 queued and waiting for resources", "job_id", "4242"},
      {"slurmstepd: error: *** JOB 4242 ON gn21 CANCELLED AT 2026-11-30T10:00:00 DUE TO TIME LIMIT ***", "job_id",
       "4242"},
      {"srun: Force Terminated StepId=4242.0", "job_id", "4242"},
      {"worker-1 slots=8", "hosts", "worker-1"},
  };
  expect_facts(kJobShapeFactsParser, kSamples);
}

TEST(JobShapeFacts, Containers) {
  constexpr FactSample kSamples[] = {
      {"pyxis: imported docker image: nvcr.io/nvidia/pytorch:24.01-py3", "container_image",
       "nvcr.io/nvidia/pytorch:24.01-py3"},
      {"Status: Downloaded newer image for nvidia/cuda:12.1.0-base-ubuntu22.04", "container_image",
       "nvidia/cuda:12.1.0-base-ubuntu22.04"},
      {"Unable to find image 'nvidia/cuda:12.1.0-base' locally", "container_image", "nvidia/cuda:12.1.0-base"},
      {"Successfully pulled image \"vllm/vllm-openai:v0.9.1\" in 3.2s (3.2s including waiting)", "container_image",
       "vllm/vllm-openai:v0.9.1"},
      {"    Image:         vllm/vllm-openai:v0.9.1", "container_image", "vllm/vllm-openai:v0.9.1"},
      {"Docker version 24.0.5, build ced0996", "container_runtime_version", "Docker version 24.0.5"},
      {"apptainer version 1.2.3", "container_runtime_version", "apptainer version 1.2.3"},
      {"  Container Runtime Version:  containerd://1.7.12", "container_runtime_version", "containerd://1.7.12"},
      {"NVIDIA Container Toolkit CLI version 1.14.3", "container_toolkit_version", "1.14.3"},
      {"cli-version: 1.13.5", "container_toolkit_version", "1.13.5"},
  };
  expect_facts(kJobShapeFactsParser, kSamples);
}

TEST(JobShapeFacts, Systems) {
  constexpr FactSample kSamples[] = {
      {"Linux version 5.15.0-113-generic (buildd@lcy02-amd64-072) (gcc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0) "
       "#123-Ubuntu SMP Mon Jun 10 08:16:17 UTC 2024",
       "kernel", "5.15.0-113-generic"},
      {"Linux gn21 5.15.0-113-generic #123-Ubuntu SMP Mon Jun 10 08:16:17 UTC 2024 x86_64 GNU/Linux", "kernel",
       "5.15.0-113-generic"},
      {"CPU: 3 PID: 77120 Comm: python3 Tainted: P           OE     5.15.0-113-generic #123-Ubuntu", "kernel",
       "5.15.0-113-generic"},
      {"-> Kernel source path: '/lib/modules/7.0.0-14-generic/build'", "kernel", "7.0.0-14-generic"},
      {"  Kernel Version:             5.15.0-1064-azure", "kernel", "5.15.0-1064-azure"},
      {"Python platform: Linux-5.15.153.1-microsoft-standard-WSL2-x86_64-with-glibc2.35", "kernel",
       "5.15.153.1-microsoft-standard-WSL2"},
      {"OS: Ubuntu 22.04.3 LTS (x86_64)", "os", "Ubuntu 22.04.3 LTS"},
      {"  OS Image:                   Ubuntu 22.04.4 LTS", "os", "Ubuntu 22.04.4 LTS"},
      {"PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"", "os", "Ubuntu 24.04.1 LTS"},
      {"Microsoft Windows [Version 10.0.19045.3086]", "os", "Microsoft Windows [Version 10.0.19045.3086]"},
  };
  expect_facts(kJobShapeFactsParser, kSamples);
}

TEST(JobShapeFacts, OtherLinesAreNoFacts) {
  constexpr const char* kLines[] = {
      "    self._do_train(world_size)",
      "world size 99999999999999",
      "/lib/modules/ is empty",
      "Pulling image: slots=8 of 8 free",
      "Image:     the one that you chose",
      "Using network interfaces as configured",
      "the SLURM_JOB_ID variable is not set",
      "PID: 12 Tainted: by what?",
  };
  expect_no_facts(kJobShapeFactsParser, kLines);
}

}  // namespace
}  // namespace cutopsy
