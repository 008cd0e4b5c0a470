#include "parsers/device_assert.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/kernel_name.h"
#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

std::vector<Event> read(std::string_view text) {
  return parse_line(kDeviceAssertParser, text).events;
}

Event read_one(std::string_view text) {
  return only_event(kDeviceAssertParser, text);
}

TEST(DeviceAssert, ReadsTheLinuxForm) {
  Event event = read_one(
      "/pytorch/aten/src/ATen/native/cuda/Loss.cu:245: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], "
      "thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed.");
  EXPECT_EQ(event.kind, "torch.device_assert");
  EXPECT_EQ(event.emitter, "torch");
  EXPECT_EQ(event.fields.get("file"), "/pytorch/aten/src/ATen/native/cuda/Loss.cu");
  EXPECT_EQ(event.fields.get("line"), "245");
  EXPECT_EQ(event.fields.get("kernel"), "nll_loss_forward_reduce_cuda_kernel_2d");
  EXPECT_EQ(event.fields.get("block"), "[0,0,0]");
  EXPECT_EQ(event.fields.get("thread"), "[3,0,0]");
  EXPECT_EQ(event.fields.get("condition"), "t >= 0 && t < n_classes");
  EXPECT_FALSE(event.fields.has("message"));
  EXPECT_EQ(event.where.line, 1u);
}

TEST(DeviceAssert, ReadsWindowsPathsWithoutAFunction) {
  Event event = read_one(
      R"(C:\actions-runner\_work\pytorch\pytorch\pytorch\aten\src\ATen\native\cuda\NLLLoss2d.cu:106: block: [1,0,0], )"
      "thread: [747,0,0] Assertion `t >= 0 && t < n_classes` failed.");
  EXPECT_EQ(event.fields.get("file"),
            R"(C:\actions-runner\_work\pytorch\pytorch\pytorch\aten\src\ATen\native\cuda\NLLLoss2d.cu)");
  EXPECT_EQ(event.fields.get("line"), "106");
  EXPECT_FALSE(event.fields.has("kernel"));
}

TEST(DeviceAssert, ReadsWindowsPathsWithForwardSlashesOrSpaces) {
  EXPECT_EQ(read_one("C:/w/b/windows/pytorch/aten/src/THCUNN/ClassNLLCriterion.cu:108: block: [0,0,0], thread: [3,0,0] "
                     "Assertion `t >= 0 && t < n_classes` failed.")
                .fields.get("file"),
            "C:/w/b/windows/pytorch/aten/src/THCUNN/ClassNLLCriterion.cu");
  EXPECT_EQ(read_one(R"(D:\My Projects\k.cu:8: block: [0,0,0], thread: [3,0,0] Assertion `i < n` failed.)")
                .fields.get("file"),
            R"(D:\My Projects\k.cu)");
}

TEST(DeviceAssert, ReducesOldSignaturesToTheKernel) {
  Event event = read_one(
      "/pytorch/aten/src/THCUNN/ClassNLLCriterion.cu:105: void cunn_ClassNLLCriterion_updateOutput_kernel(Dtype *, "
      "Dtype *, Dtype *, long *, Dtype *, int, int, int, int, long) [with Dtype = float, Acctype = float]: block: "
      "[0,0,0], thread: [29,0,0] Assertion `t >= 0 && t < n_classes` failed.");
  EXPECT_EQ(event.fields.get("kernel"), "cunn_ClassNLLCriterion_updateOutput_kernel");
  EXPECT_EQ(event.fields.get("line"), "105");
}

TEST(DeviceAssert, KeepsLambdasAndTakesTheMessageFromTheCondition) {
  Event event = read_one(
      "/opt/conda/conda-bld/pytorch_1500000000000/home/u/aten/src/ATen/native/cuda/IndexKernel.cu:84: lambda "
      "[](int)->auto::operator()(int)->auto: block: [0,0,0], thread: [64,0,0] Assertion `index >= -sizes[i] && index < "
      "sizes[i] && \"index out of bounds\"` failed.");
  EXPECT_EQ(event.fields.get("kernel"), "lambda [](int)->auto::operator()(int)->auto");
  EXPECT_EQ(event.fields.get("condition"), "index >= -sizes[i] && index < sizes[i] && \"index out of bounds\"");
  EXPECT_EQ(event.fields.get("message"), "index out of bounds");
}

TEST(DeviceAssert, ReadsCompiledKernelsWithoutFileOrFunction) {
  Event cache = read_one(
      "/tmp/torchinductor_root/ab/cabcd1234.py:53: unknown: block: [129,0,0], thread: [224,0,0] Assertion `index out "
      "of "
      "bounds: 0 <= tmp16 < 40960` failed.");
  EXPECT_EQ(cache.fields.get("file"), "/tmp/torchinductor_root/ab/cabcd1234.py");
  EXPECT_EQ(cache.fields.get("condition"), "index out of bounds: 0 <= tmp16 < 40960");
  EXPECT_FALSE(cache.fields.has("kernel"));
  Event frozen = read_one(
      "<frozen runpy>:198: _run_code: block: [5,0,0], thread: [62,0,0] Assertion `index out of bounds: 0 <= tmp84 < "
      "120` "
      "failed.");
  EXPECT_EQ(frozen.fields.get("file"), "<frozen runpy>");
  EXPECT_EQ(frozen.fields.get("kernel"), "_run_code");
}

TEST(DeviceAssert, FindsTheAssertionBehindAProgressBar) {
  Event event = read_one(
      " 99%|█████████▉| 987/999 [00:22<00:00, 131.15it/s]unknown:0: unknown: block: [0,0,0], thread: [32,0,0] "
      "Assertion "
      "`index out of bounds: 0 <= tmp42 < 1024` failed.");
  EXPECT_EQ(event.fields.get("file"), "unknown");
  EXPECT_EQ(event.fields.get("line"), "0");
}

TEST(DeviceAssert, ReadsThePrintfForm) {
  Event event = read_one(
      "[CUDA_KERNEL_ASSERT] /pytorch/aten/src/ATen/native/cuda/Repeat.cu:20: compute_cuda_kernel: block: [0,0,0], "
      "thread: [0,0,0]: Assertion failed: `result_size == cumsum_ptr[size - 1]`: Invalid input! In "
      "`repeat_interleave`, "
      "the `output_size` argument (10) must be the same as the sum of the elements in the `repeats` tensor (12).");
  EXPECT_EQ(event.fields.get("file"), "/pytorch/aten/src/ATen/native/cuda/Repeat.cu");
  EXPECT_EQ(event.fields.get("condition"), "result_size == cumsum_ptr[size - 1]");
  EXPECT_EQ(event.fields.get("message"),
            "Invalid input! In `repeat_interleave`, the `output_size` argument (10) must be the same as the sum of the "
            "elements in the `repeats` tensor (12).");
}

TEST(DeviceAssert, KeepsBackticksInsideTheCondition) {
  EXPECT_EQ(read_one("/w/k.cu:8: f: block: [0,0,0], thread: [3,0,0] Assertion `n < m && \"see `dim`\"` failed.")
                .fields.get("condition"),
            "n < m && \"see `dim`\"");
}

TEST(DeviceAssert, EmitsEveryWholeAssertionOfALine) {
  auto events = read(
      "../aten/src/ATen/native/cuda/Loss.cu:186: a_kernel: block: [1,0,0], thread: [2,0,0] Assertion `cur_target >= 0 "
      "&& "
      "cur_target < n_classes` failed.../aten/src/ATen/native/cuda/IndexKernel.cu:92: operator(): block: [3,0,0], "
      "thread: [4,0,0] Assertion `-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"` failed.");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].fields.get("condition"), "cur_target >= 0 && cur_target < n_classes");
  EXPECT_EQ(events[1].fields.get("file"), "../aten/src/ATen/native/cuda/IndexKernel.cu");
  EXPECT_EQ(events[1].fields.get("kernel"), "operator()");
}

TEST(DeviceAssert, PassesOverWhatAnotherWriterTore) {
  Event torn_condition = read_one(
      "../aten/src/ATen/native/cuda/Loss.cu:186: f: block: [1,0,0], thread: [2,0,0] Assertion `t >= 0 && t < "
      "n_c../aten/src/ATen/native/cuda/Loss.cu:250: g: block: [0,0,0], thread: [9,0,0] Assertion `t >= 0 && t < "
      "n_classes` failed.");
  EXPECT_EQ(torn_condition.fields.get("kernel"), "g");
  EXPECT_EQ(torn_condition.fields.get("file"), "../aten/src/ATen/native/cuda/Loss.cu");
  EXPECT_EQ(torn_condition.fields.get("thread"), "[9,0,0]");
  Event torn_path = read_one(
      "/pytorch/aten/src/ATen/native/cuda/Loss.cu/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: g: block: [0,0,0], "
      "thread: [9,0,0] Assertion `t >= 0 && t < n_classes` failed.");
  EXPECT_EQ(torn_path.fields.get("file"), "/pytorch/aten/src/ATen/native/cuda/Loss.cu");
}

TEST(DeviceAssert, ReadsTheSecondHalfOfAWrappedLine) {
  EXPECT_EQ(read_one("0,0] Assertion `t >= 0 && t < n_classes` failed.").fields.get("condition"),
            "t >= 0 && t < n_classes");
  EXPECT_EQ(read_one("Assertion `srcIndex < srcSelectDimSize` failed.").fields.get("condition"),
            "srcIndex < srcSelectDimSize");
}

TEST(DeviceAssert, CutsAnEscapedLineEndOffThePath) {
  EXPECT_EQ(read_one(R"(user\n/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [9,0,0] )"
                     "Assertion `t >= 0 && t < n_classes` failed.")
                .fields.get("file"),
            "/pytorch/aten/src/ATen/native/cuda/Loss.cu");
}

TEST(DeviceAssert, AssertionsOfTheHostAreNotOfTheDevice) {
  EXPECT_TRUE(read("python: /home/u/src/foo.cpp:12: void foo(int): Assertion `n > 0' failed.").empty());
  EXPECT_TRUE(read("AssertionError: Torch not compiled with CUDA enabled").empty());
  EXPECT_TRUE(read("thread 'main' panicked at 'assertion failed: `(left == right)`', src/main.rs:4:5").empty());
  EXPECT_TRUE(read("The message \"Assertion `t >= 0` failed\" means that a label is negative.").empty());
}

TEST(DeviceAssert, IncompleteAssertionsGiveNothing) {
  EXPECT_TRUE(read("/w/k.cu:8: f: block: [").empty());
  EXPECT_TRUE(read("/w/k.cu:8: f: block: [0,0,0").empty());
  EXPECT_TRUE(read("/w/k.cu:8: f: block: [0,0,0], thread: [1,0,0]").empty());
  EXPECT_TRUE(read("/w/k.cu:8: f: block: [0,0,0], thread: [1,0,0] Assertion `").empty());
  EXPECT_TRUE(read("/w/k.cu:8: f: block: [0,0,0], thread: [1,0,0]: Assertion failed: `").empty());
  EXPECT_TRUE(read("layout: block: [32], thread: [8]").empty());
}

TEST(DeviceAssert, AMissingHeadLeavesItsFieldsOut) {
  Event event = read_one(": block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.");
  EXPECT_EQ(event.fields.get("condition"), "i < n");
  EXPECT_FALSE(event.fields.has("file"));
}

TEST(KernelName, ReducesSignatures) {
  EXPECT_EQ(kernel_name("gatherTopK"), "gatherTopK");
  EXPECT_EQ(kernel_name("operator()"), "operator()");
  EXPECT_EQ(kernel_name("void indexSelectLargeIndex(TensorInfo<T, IndexType>, long) [with T = float, int DstDim = 2]"),
            "indexSelectLargeIndex");
  EXPECT_EQ(kernel_name("void at::native::(anonymous namespace)::f<T, 2>(at::detail::Info<T, int>, long)"),
            "at::native::(anonymous namespace)::f<T, 2>");
  EXPECT_EQ(kernel_name("T *THCNumerics<T>::ge(T, T)"), "THCNumerics<T>::ge");
}

TEST(KernelName, UnbalancedSignaturesStayAsTheyAre) {
  EXPECT_EQ(kernel_name("void f)"), "void f)");
  EXPECT_EQ(kernel_name(")"), ")");
  EXPECT_EQ(kernel_name(""), "");
}

}  // namespace
}  // namespace cutopsy
