#include "parsers/installed_packages.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(InstalledPackages, ListsOfPipCondaAndUv) {
  constexpr FactSample kSamples[] = {
      {"torch==2.1.0+cu121", "torch_version", "2.1.0+cu121"},
      {"torch==2.1.0+cu121", "cuda_version", "12.1"},
      {"[pip3] torch==2.6.0a0+df5bbc09d1.nv24.11", "torch_version", "2.6.0a0+df5bbc09d1.nv24.11"},
      {"[pip3] nvidia-cudnn-cu12==8.9.2.26", "cudnn_version", "8.9.2.26"},
      {"[pip3] nvidia-nccl-cu12==2.18.1", "nccl_version", "2.18.1"},
      {" + torch==2.4.0", "torch_version", "2.4.0"},
      {"torch                    2.1.0+cu121", "torch_version", "2.1.0+cu121"},
      {"transformers             4.40.1", "transformers_version", "4.40.1"},
      {"pytorch                   2.1.0           py3.10_cuda12.1_cudnn8.9.2_0    pytorch", "torch_version", "2.1.0"},
      {"[conda] pytorch 2.1.0 py3.10_cuda12.1_cudnn8.9.2_0 pytorch", "torch_version", "2.1.0"},
      {"pytorch-cuda              12.1                 ha16c6d3_5    pytorch", "cuda_version", "12.1"},
      {"cudatoolkit               11.3.1               h2bc3f7f_2", "cuda_version", "11.3"},
  };
  expect_facts(kInstalledPackagesParser, kSamples);
}

TEST(InstalledPackages, WhatPipInstalledOrFound) {
  constexpr const char* kInstalled =
      "Successfully installed nvidia-nccl-cu12-2.18.1 numpy-1.26.4 torch-2.1.0+cu121 torchvision-0.16.0+cu121";
  constexpr FactSample kSamples[] = {
      {kInstalled, "torch_version", "2.1.0+cu121"},
      {kInstalled, "torchvision_version", "0.16.0+cu121"},
      {kInstalled, "nccl_version", "2.18.1"},
      {"Requirement already satisfied: torch>=1.6.0 in /opt/venv/lib/python3.10/site-packages (from timm) "
       "(2.1.0+cu118)",
       "torch_version", "2.1.0+cu118"},
  };
  expect_facts(kInstalledPackagesParser, kSamples);
}

TEST(InstalledPackages, PlansDemandsAndConflictsAreNoFacts) {
  constexpr const char* kLines[] = {
      "Collecting torch==2.1.0",
      "  Downloading torch-2.1.0-cp310-cp310-manylinux1_x86_64.whl (670.2 MB)",
      " - torch==2.3.0",
      "  Attempting uninstall: torch",
      "    Found existing installation: torch 2.3.0",
      "xformers 0.0.22 requires torch==2.0.1, but you have torch 2.1.0 which is incompatible.",
      "ERROR: No matching distribution found for torch==1.4.0",
      "pip install torch==2.1.0 torchvision==0.16.0",
      "Using cached torch==2.1.0",
      "  torch        2.0.1 --> 2.1.0",
      "torch      is missing",
      "Successfully installed the package",
      "Requirement already satisfied: torch in /opt/venv/lib",
      "Requirement already satisfied: numpy in /opt/venv/lib (1.26.4)",
  };
  expect_no_facts(kInstalledPackagesParser, kLines);
}

}  // namespace
}  // namespace cutopsy
