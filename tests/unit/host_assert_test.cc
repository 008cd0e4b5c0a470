// Samples follow the assert() of glibc, macOS, Visual C++ and musl, and TensorRT-LLM's checks.
#include "parsers/host_assert.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

struct Sample {
  std::string_view line, what, file, number, function;
};

class HostAssert : public testing::TestWithParam<Sample> {};

TEST_P(HostAssert, TellsConditionAndPlace) {
  const Event event = only_event(kHostAssertParser, GetParam().line);
  EXPECT_EQ(event.kind, "cpp.exception");
  EXPECT_EQ(event.fields.get("type"), "assert");
  EXPECT_EQ(event.fields.get("what"), GetParam().what);
  EXPECT_EQ(event.fields.get("file"), GetParam().file);
  EXPECT_EQ(event.fields.get("line"), GetParam().number);
  EXPECT_EQ(event.fields.get("raised_from"), GetParam().function);
}

const Sample kSamples[] = {
    {"python3: /root/.triton/llvm/lib/TypeUtil.cpp:105: unsigned int mlir::f(Type): Assertion `0 && \"bad type\"' "
     "failed.",
     "Assertion `0 && \"bad type\"' failed.", "/root/.triton/llvm/lib/TypeUtil.cpp", "105",
     "unsigned int mlir::f(Type)"},
    {"Assertion failed: (n > 0), function run, file /src/foo.cpp, line 12.", "Assertion failed: (n > 0)",
     "/src/foo.cpp", "12", "run"},
    {"Assertion failed: n > 0, file C:\\src\\foo.cpp, line 12", "Assertion failed: n > 0", "C:\\src\\foo.cpp", "12",
     ""},
    {"Assertion failed: n > 0 (foo.c: run: 12)", "Assertion failed: n > 0", "foo.c", "12", "run"},
    {"Assertion failed: Tensor 'x' is not set (/src/tensorrt_llm/runtime/session.cpp:88)",
     "Assertion failed: Tensor 'x' is not set", "/src/tensorrt_llm/runtime/session.cpp", "88", ""},
};
INSTANTIATE_TEST_SUITE_P(All, HostAssert, testing::ValuesIn(kSamples));

TEST(HostAssertOthers, AreLeftAlone) {
  for (std::string_view line :
       {"../aten/src/ATen/native/cuda/Loss.cu:245: nll_loss: block: [0,0,0], thread: [3,0,0] Assertion `t >= 0` "
        "failed.",
        "NVRM: nvAssertFailedNoLog: Assertion failed: GPU marked for reset @ kernel_gsp.c:2387"})
    EXPECT_TRUE(parse_line(kHostAssertParser, line).events.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
