// Samples are output of nvcc 13, gcc 12, CMake 4, ninja and make, and Visual C++'s and MSBuild's in other languages.
#include <gtest/gtest.h>

#include "parsers/build_step.h"
#include "parsers/cmake_message.h"
#include "parsers/compiler_diagnostic.h"
#include "parsers/link_error.h"
#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

TEST(CompilerDiagnostic, TellsFileLineAndMessage) {
  const Event gcc =
      only_event(kCompilerDiagnosticParser, "inc.cu:2:10: fatal error: cudnn.h: No such file or directory");
  EXPECT_EQ(gcc.fields.get("file"), "inc.cu");
  EXPECT_EQ(gcc.fields.get("line"), "2");
  EXPECT_EQ(gcc.fields.get("message"), "cudnn.h: No such file or directory");
  const Event edg = only_event(kCompilerDiagnosticParser, "syn.cu(4): error: identifier \"q\" is undefined");
  EXPECT_EQ(edg.fields.get("line"), "4");
  const Event msvc = only_event(kCompilerDiagnosticParser,
                                "C:\\Program Files (x86)\\a b\\x.cpp(3,5): error C2065: 'q': undeclared identifier");
  EXPECT_EQ(msvc.fields.get("file"), "C:\\Program Files (x86)\\a b\\x.cpp");
  EXPECT_EQ(msvc.fields.get("code"), "C2065");
}

TEST(CompilerDiagnostic, TellsTheStage) {
  const Event event =
      only_event(kCompilerDiagnosticParser, "ptxas /tmp/a.ptx, line 26; error   : Unknown modifier '.foo'");
  EXPECT_EQ(event.fields.get("tool"), "ptxas");
  EXPECT_EQ(event.fields.get("line"), "26");
  EXPECT_EQ(event.fields.get("message"), "Unknown modifier '.foo'");
}

TEST(CompilerDiagnostic, LeavesProbesWarningsAndOtherLanguagesAlone) {
  for (std::string_view line :
       {"/tmp/b/CMakeFiles/CMakeScratch/TryCompile-x/src.c:1:10: fatal error: sys/x.h: No such file or directory",
        "conftest.c:12:10: error: expected ';'", "syn.cu(4): warning #177-D: variable \"u\" was declared",
        "train.py:12: error: Incompatible types in assignment", "usage: train.py: error: unrecognized arguments: -x"})
    EXPECT_TRUE(parse_line(kCompilerDiagnosticParser, line).events.empty()) << line;
}

TEST(LinkError, TellsSymbolOrLibrary) {
  EXPECT_EQ(
      only_event(kLinkErrorParser, "m.cpp:(.text+0x1d): undefined reference to `cudaMalloc'").fields.get("symbol"),
      "cudaMalloc");
  EXPECT_EQ(only_event(kLinkErrorParser, "/usr/bin/ld: cannot find -lcudart: No such file").fields.get("library"),
            "cudart");
  EXPECT_EQ(only_event(kLinkErrorParser,
                       "a.obj : error LNK2019: unresolved external symbol cudaFree referenced in function main")
                .fields.get("symbol"),
            "cudaFree");
}

TEST(LinkError, LeavesProbesAlone) {
  for (std::string_view line :
       {"/usr/bin/ld: CheckFunctionExists.c:(.text+0x10): undefined reference to `cudaMalloc'",
        "src.cxx:(.text+0x1d): undefined reference to `ncclGetVersion'",
        "/usr/bin/ld: CMakeFiles/cmTC_4c6f8.dir/CheckSymbolExists.c.o: undefined reference to symbol 'cuInit'"})
    EXPECT_TRUE(parse_line(kLinkErrorParser, line).events.empty()) << line;
}

TEST(CmakeMessage, UndoesTheWrappingOfParagraphs) {
  const Parsed parsed =
      parse_records(kCmakeMessageParser,
                    {"      CMake Error at CMakeLists.txt:6 (message):",
                     "        The detected CUDA version (11.8) mismatches the version that was used to",
                     "        compile PyTorch (12.1).", "", "        Second.", "      Call Stack (most recent):"});
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(
      parsed.events[0].fields.get("message"),
      "The detected CUDA version (11.8) mismatches the version that was used to compile PyTorch (12.1).\nSecond.");
  EXPECT_EQ(parsed.events[0].where.line, 2u);
}

TEST(BuildStep, TellsTheStatusInEveryLanguage) {
  EXPECT_EQ(
      only_event(kBuildStepParser,
                 "a.targets(799,9): error MSB3721: Der Befehl \"\"C:\\CUDA\\v12.1\\bin\\nvcc.exe\" -c a.cu\" wurde "
                 "mit dem Code 2 beendet. [C:\\a1.vcxproj]")
          .fields.get("exit_code"),
      "2");
  EXPECT_EQ(only_event(kBuildStepParser, "make[2]: *** [CMakeFiles/a.dir/build.make:76: a.cu.o] Error 137")
                .fields.get("exit_code"),
            "137");
}

TEST(NinjaStep, IsKilledWhenTheShellSaysSo) {
  const Parsed killed = parse_records(kNinjaStepParser, {"FAILED: a.cu.o", "/usr/local/cuda/bin/nvcc -c a.cu -o a.cu.o",
                                                         "Killed", "[3/9] Building b.o"});
  ASSERT_EQ(killed.events.size(), 1u);
  EXPECT_EQ(killed.events[0].fields.get("signal"), "9");
  EXPECT_EQ(killed.events[0].fields.get("tool"), "nvcc");
  const Parsed failed =
      parse_records(kNinjaStepParser, {"FAILED: a.cu.o", "nvcc -c a.cu", "[3/9] Building b.o", "Killed"});
  ASSERT_EQ(failed.events.size(), 1u);
  EXPECT_FALSE(failed.events[0].fields.has("signal"));
}

}  // namespace
}  // namespace cutopsy
