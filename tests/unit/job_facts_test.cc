#include "parsers/job_facts.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

Parsed facts_in(std::string_view line) {
  return parse_line(kJobFactsParser, line);
}

TEST(JobFacts, DriverFromItsBannerInAllBranches) {
  for (const auto& [line, version] : {
           std::pair{"NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024",
                     "535.183.01"},
           std::pair{"NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  570.158.01  Release Build  "
                     "(dvs-builder@U22-I3-B10-02-5)  Mon Jun  2 13:13:04 UTC 2025",
                     "570.158.01"},
           std::pair{"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  595.71.05  Release Build", "595.71.05"},
           std::pair{"Nvidia driver version: 535.86.10", "535.86.10"},
           std::pair{"Driver Version                            : 535.183.01", "535.183.01"},
       })
    EXPECT_EQ(facts_in(line).fact("driver_version"), version) << line;
}

TEST(JobFacts, NvidiaSmiTellsDriverAndGpus) {
  const Parsed head =
      facts_in("| NVIDIA-SMI 570.124.06             Driver Version: 570.124.06     CUDA Version: 12.8     |");
  EXPECT_EQ(head.fact("driver_version"), "570.124.06");
  EXPECT_EQ(head.fact("driver_cuda"), "12.8");
  EXPECT_EQ(facts_in("|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |")
                .fact("gpu_name"),
            "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(facts_in("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1b2c3d4e-5f60)").fact("gpu_name"),
            "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(facts_in("CUDA Version                              : 12.2").fact("driver_cuda"), "12.2");
  EXPECT_EQ(facts_in("Attached GPUs                             : 8").fact("gpu_count"), "8");
}

TEST(JobFacts, CudaOfTheDriverAsNumber) {
  EXPECT_EQ(facts_in("lab:140260:140260 [0] NCCL INFO cudaDriverVersion 12040").fact("driver_cuda"), "12.4");
  EXPECT_EQ(facts_in("The NVIDIA driver on your system is too old (found version 9010).").fact("driver_cuda"), "9.1");
}

TEST(JobFacts, Libraries) {
  EXPECT_EQ(facts_in("NCCL version 2.21.5+cuda12.4").fact("nccl_version"), "2.21.5");
  EXPECT_EQ(facts_in("PyTorch version: 2.1.0+cu118").fact("torch_version"), "2.1.0+cu118");
  EXPECT_EQ(facts_in("PyTorch version: 2.1.0+cu118").fact("cuda_version"), "11.8");
  EXPECT_EQ(facts_in("- PyTorch version (GPU?): 2.6.0a0+df5bbc09d1.nv24.11 (True)").fact("torch_version"),
            "2.6.0a0+df5bbc09d1.nv24.11");
  EXPECT_EQ(facts_in("PyTorch version 2.5.1 available.").fact("torch_version"), "2.5.1");
  EXPECT_EQ(facts_in("CUDA used to build PyTorch: 12.1").fact("cuda_version"), "12.1");
  EXPECT_EQ(facts_in("Cuda compilation tools, release 11.8, V11.8.89").fact("cuda_version"), "11.8");
  EXPECT_EQ(facts_in("Loaded cuDNN version 8905").fact("cudnn_version"), "8905");
  EXPECT_EQ(facts_in("Python 3.10.9 (tags/v3.10.9:1dd9be6, Dec  6 2022, 20:01:21) [MSC v.1934 64 bit (AMD64)]")
                .fact("python_version"),
            "3.10.9");
  EXPECT_EQ(facts_in("platform linux -- Python 3.10.20, pytest-7.3.2, pluggy-1.6.0").fact("python_version"), "3.10.20");
}

TEST(JobFacts, UltralyticsTellsAllInOneLine) {
  const Parsed facts = facts_in(
      "Ultralytics YOLOv8.2.48 \xF0\x9F\x9A\x80 Python-3.10.12 torch-2.1.0+cu118 CUDA:0 (NVIDIA A30, 24062MiB)");
  EXPECT_EQ(facts.fact("python_version"), "3.10.12");
  EXPECT_EQ(facts.fact("torch_version"), "2.1.0+cu118");
  EXPECT_EQ(facts.fact("cuda_version"), "11.8");
  EXPECT_EQ(facts.fact("gpu_name"), "NVIDIA A30");
}

TEST(JobFacts, GpusAndTheirCapabilities) {
  const Parsed torch = facts_in(
      "NVIDIA H100 80GB HBM3 with CUDA capability sm_90 is not compatible with the current PyTorch installation.");
  EXPECT_EQ(torch.fact("gpu_name"), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(torch.fact("compute_capability"), "sm_90");
  const Parsed old = facts_in("    Found GPU0 GeForce GTX 650 which is of cuda capability 3.0.");
  EXPECT_EQ(old.fact("gpu_name"), "GeForce GTX 650");
  EXPECT_EQ(old.fact("compute_capability"), "3.0");
  const Parsed fairseq = facts_in(
      "fairseq.utils | rank   0: capabilities =  6.1  ; total memory = 10.917 GB ; name = GeForce GTX 1080 Ti          "
      "           ");
  EXPECT_EQ(fairseq.fact("gpu_name"), "GeForce GTX 1080 Ti");
  EXPECT_EQ(fairseq.fact("compute_capability"), "6.1");
  const Parsed tensorflow = facts_in(
      "Created device /job:localhost/replica:0/task:0/device:GPU:0 with 10414 MB memory:  -> device: 0, name: NVIDIA "
      "GeForce RTX 3060, pci bus id: 0000:01:00.0, compute capability: 8.6");
  EXPECT_EQ(tensorflow.fact("gpu_name"), "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(tensorflow.fact("compute_capability"), "8.6");
  EXPECT_EQ(facts_in("  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes").fact("gpu_name"),
            "NVIDIA GeForce RTX 3090");
  EXPECT_EQ(facts_in("device=cuda compute_type=auto -> int8_float16 (NVIDIA GeForce RTX 5080, compute capability 12.0)")
                .fact("compute_capability"),
            "12.0");
  EXPECT_EQ(facts_in("StreamExecutor device (0): NVIDIA A100-SXM4-40GB, Compute Capability 8.0").fact("gpu_name"),
            "NVIDIA A100-SXM4-40GB");
  const Parsed ollama = facts_in(
      "msg=\"inference compute\" id=GPU-6f0a library=cuda variant=v12 compute=9.0 driver=12.4 name=\"NVIDIA H800\" "
      "total=\"79.1 GiB\"");
  EXPECT_EQ(ollama.fact("gpu_name"), "NVIDIA H800");
  EXPECT_EQ(ollama.fact("driver_cuda"), "12.4");
  EXPECT_EQ(facts_in("ggml_cuda_init: found 2 CUDA devices:").fact("gpu_count"), "2");
}

TEST(JobFacts, ShapeOfTheJob) {
  EXPECT_EQ(facts_in("rank 8 in world size 16 is assigned as DP rank 0").fact("world_size"), "16");
  EXPECT_EQ(facts_in("[launch.py:164:main] dist_world_size=16").fact("world_size"), "16");
  EXPECT_EQ(facts_in("world_size=16, local_world_size=8, nnodes=2").fact("world_size"), "16");
  EXPECT_EQ(facts_in("RuntimeError: decoder world_size (4) is not divisible by model_size (8)").fact("world_size"),
            "4");
  EXPECT_EQ(facts_in("local_world_size=8").fact("world_size"), "");
  EXPECT_EQ(facts_in("GLOBAL_RANK: 0, MEMBER: 1/4").fact("world_size"), "4");
  EXPECT_EQ(facts_in("n:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC").fact("transport"), "P2P/IPC");
  EXPECT_EQ(facts_in("n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0").fact("transport"),
            "NET/IB");
}

TEST(JobFacts, ExitCodes) {
  EXPECT_EQ(facts_in("##[error]Process completed with exit code 1.").fact("exit_code"), "1");
  EXPECT_EQ(facts_in("##[error]Process completed with exit code 1.").fact("outcome"), "");
  EXPECT_EQ(facts_in("trainer-1 exited with code 137").fact("exit_code"), "137");
  EXPECT_EQ(facts_in("      Exit Code:    128").fact("exit_code"), "128");
  const Parsed success = facts_in("Process finished with exit code 0");
  EXPECT_EQ(success.fact("exit_code"), "0");
  EXPECT_EQ(success.fact("outcome"), "ok");
}

TEST(JobFacts, LinesThatOnlySuccessPrints) {
  for (const char* line : {
           "fairseq_cli.train | done training in 2674.4 seconds",
           "{'train_runtime': 1698.7281, 'train_samples_per_second': 108.505, 'epoch': 3.0}",
           "  train_runtime            = 0:28:18.72",
           "Training completed. Do not forget to share your model on huggingface.co/models =)",
           "Training complete in 12m 34s",
           "Training Completed!!! Saving pre-trained model to ./out",
           "Finished Training",
           "Training time 1:22:30",
           "100 epochs completed in 2.345 hours.",
           "`Trainer.fit` stopped: `max_epochs=10` reached.",
           "[after training is done] datetime: 2024-05-02 06:31:12",
           "100% tests passed, 0 tests failed out of 18",
           "=================== 12 passed, 1 warning in 3.45s ===================",
           "12 passed in 0.50s",
           "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured",
           "All tests passed (128 assertions in 12 test cases)",
           "# Out of bounds values : 0 OK",
           "Job succeeded",
           "Job 'raysubmit_x1Y2' succeeded",
           "Finished: SUCCESS",
           "Done. Your build exited with 0.",
           "Normal  Completed  5s  job-controller  Job completed",
           "Successfully completed.",
       })
    EXPECT_EQ(facts_in(line).fact("outcome"), "ok") << line;
}

TEST(JobFacts, LinesThatFailuresPrintTooAreNoOutcome) {
  for (const char* line : {
           "INFO:     Application shutdown complete.",
           "INFO:     Finished server process [7]",
           "Training of experiment is done and the best AP is 0.00",
           "d2.engine.hooks: Total training time: 1:22:30 (0:02:18 on hooks)",
           "[  PASSED  ] 12 tests.",
           "============ 1 failed, 12 passed in 3.45s ============",
           "1 failed, 12 passed in 3.45s",
           "12 passed, 1 error in 3.45s",
           "98% tests passed, 2 tests failed out of 100",
           "test result: FAILED. 11 passed; 1 failed",
           "Training complete: 5%",
           "Training completed for 3 of 10 folds",
           "the job 'raysubmit_x' failed",
           "init-1 exited with code 0",
           "  Exit Code:    0",
           "Process 4242 exits successfully.",
           "AMP: checks passed",
           "Update succeeded.",
           "Saving final checkpoint to /ckpt/last.pt",
           "ETA until training is done in 12 h",
       })
    EXPECT_EQ(facts_in(line).fact("outcome"), "") << line;
}

TEST(JobFacts, OtherLinesAreNoFacts) {
  for (const char* line : {
           "nvprof is not supported on devices with compute capability 8.0 and higher.",
           "    self._do_train(world_size)",
           "GPU 0: 45% util, 12 GiB",
           "Driver Version: N/A",
           "PyTorch version: ",
           "NCCL version",
           "NVIDIA UNIX ",
           "cudaDriverVersion 99999999999999999999",
           "world size 99999999999999",
           "exited with code -",
           "File \"/usr/lib/python3.10/threading.py\", line 3",
       })
    EXPECT_TRUE(facts_in(line).facts.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
