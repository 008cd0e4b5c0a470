#include "parsers/python_package.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(PythonPackage, IsTheFolderBelowSitePackages) {
  EXPECT_EQ(python_package_of("/usr/lib/python3/dist-packages/torch/cuda/graphs.py"), "torch");
  EXPECT_EQ(python_package_of("/opt/venv/lib/python3.12/site-packages/vllm/v1/engine/core.py"), "vllm");
  EXPECT_EQ(python_package_of(R"(C:\py\Lib\site-packages\flash_attn\ops\rms_norm.py)"), "flash_attn");
  EXPECT_EQ(python_package_of("~/.local/lib/python3.10/site-packages/torch-2.1-py3.10.egg/torch/nn/functional.py"),
            "torch");
}

TEST(PythonPackage, IsTheNameOfAModuleThatIsOneFile) {
  EXPECT_EQ(python_package_of("/usr/lib/python3/dist-packages/six.py"), "six");
}

TEST(PythonPackage, IsToldByTheCheckoutOfAFramework) {
  EXPECT_EQ(python_package_of("/workspace/Megatron-LM/megatron/training/arguments.py"), "megatron");
  EXPECT_EQ(python_package_of("/opt/DeepSpeed/deepspeed/runtime/engine.py"), "deepspeed");
  EXPECT_EQ(python_package_of("/vllm-workspace/vllm/config/__init__.py"), "vllm");
  EXPECT_EQ(python_package_of("/src/triton/python/triton/language/core.py"), "triton");
  EXPECT_EQ(python_package_of("/src/flash-attention/hopper/benchmark_attn.py"), "flash_attn");
}

TEST(PythonPackage, IsToldByTheFoldersOfACopiedMegatron) {
  EXPECT_EQ(python_package_of("/home/u/llm/megatron/core/parallel_state.py"), "megatron");
  EXPECT_EQ(python_package_of("/home/u/llm/megatron/train.py"), "");
}

TEST(PythonPackage, IsEmptyForAUsersProgram) {
  EXPECT_EQ(python_package_of("/home/u/train.py"), "");
  EXPECT_EQ(python_package_of("/home/u/vllm/train.py"), "");
  EXPECT_EQ(python_package_of("/home/u/my-packages/torch/train.py"), "");
  EXPECT_EQ(python_package_of("train.py"), "");
  EXPECT_EQ(python_package_of("<string>"), "");
  EXPECT_EQ(python_package_of(""), "");
}

TEST(PythonPackage, IsEmptyWhereNothingFollowsSitePackages) {
  EXPECT_EQ(python_package_of("/usr/lib/python3/site-packages"), "");
  EXPECT_EQ(python_package_of("/usr/lib/python3/site-packages-old/torch/nn.py"), "");
}

}  // namespace
}  // namespace cutopsy
