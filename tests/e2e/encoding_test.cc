// Encodings, line ends and escapes, from the bytes of a file to the JSON report.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

std::string utf16(const std::string& ascii, bool little) {
  std::string text;
  for (char c : ascii) {
    if (!little) text += '\0';
    text += c;
    if (little) text += '\0';
  }
  return text;
}

const std::string kTraceback =
    "Traceback (most recent call last):\n"
    "  File \"/home/u/train.py\", line 31, in <module>\n"
    "    model.to('cuda')\n"
    "AssertionError: Torch not compiled with CUDA enabled\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

const std::string kWindows = replaced(kTraceback, "\n", "\r\n");

struct Sample {
  const char* name;
  std::string bytes;
  int line;  // of the exception's message, as an editor counts
};

std::vector<Sample> samples() {
  const std::string long_line = "step 17 of the job that makes this text long enough to tell its encoding";
  return {
      {"Plain", kTraceback, 4},
      {"NoFinalNewline", kTraceback.substr(0, kTraceback.size() - 1), 4},
      {"CarriageReturnNewline", kWindows, 4},
      {"CarriageReturnsOnly", replaced(kTraceback, "\n", "\r"), 4},
      {"CarriageReturnsBeforeNewlines", replaced(kTraceback, "\n", "\r\r\n"), 4},
      {"ProgressBarBefore", " 10%|#  | 1/10\r 20%|## | 2/10\r" + kTraceback, 4},
      {"Utf8Mark", "\xEF\xBB\xBF" + kTraceback, 4},
      {"Utf8MarkInTheMiddle", "epoch 1\n\xEF\xBB\xBF" + kTraceback, 5},
      {"Utf8MarkBehindATimestamp",
       "2026-11-30T10:00:00.1234567Z \xEF\xBB\xBF" + replaced(kTraceback, "\n  ", "\n2026-11-30T10:00:01.1234567Z   "),
       4},
      {"Utf16LittleWithMark", "\xFF\xFE" + utf16(kWindows, true), 4},
      {"Utf16BigWithMark", "\xFE\xFF" + utf16(kWindows, false), 4},
      {"Utf16LittleWithoutMark", utf16(kWindows, true), 4},
      {"Utf16BigWithoutMark", utf16(kWindows, false), 4},
      {"Utf16AppendedToUtf8", long_line + "\r\n" + utf16(kWindows, true), 5},
      {"Utf16WithMarkAppendedToUtf8", long_line + "\r\n\xFF\xFE" + utf16(kWindows, true), 5},
      {"Utf8AppendedToUtf16", "\xFF\xFE" + utf16(long_line + "\r\n", true) + kWindows, 5},
      {"Utf8AppendedToBigUtf16", "\xFE\xFF" + utf16(long_line + "\r\n", false) + kWindows, 5},
      {"Utf8AppendedToAnUnfinishedUtf16Line", "\xFF\xFE" + utf16("abc", true) + "...\n" + kWindows, 5},
      {"CodePage1252",
       "Ger\xE4t f\xFCr \x93"
       "cuda\x94 nicht gefunden\n" +
           kTraceback,
       5},
      {"CodePage936", "\xCF\xD4\xBF\xA8 \xB4\xED\xCE\xF3\n" + kTraceback, 5},
      {"CodePage932", "\x83\x47\x83\x89\x81\x5B \x95\x5C\n" + kTraceback, 5},
      {"InvalidUtf8InTheMessage", replaced(kTraceback, "enabled", "enabled \xE4\xFF\xC3"), 4},
      {"Bell", replaced(kTraceback, "Torch", "\aTorch"), 4},
      {"Nuls", std::string(4096, '\0') + replaced(kTraceback, "Torch", std::string("To\0rch", 6)), 4},
      {"SyslogEscapes",
       "Nov 30 10:00:00 gn21 python3[42]: " + replaced(kTraceback.substr(0, kTraceback.size() - 1), "\n", "#012") +
           "\n",
       1},
      {"SyslogReturnEscapes",
       "Nov 30 10:00:00 gn21 python3[42]: " + replaced(kTraceback.substr(0, kTraceback.size() - 1), "\n", "#015#012"),
       1},
      {"JsonNewlines",
       nlohmann::json{{"log", kTraceback}, {"stream", "stderr"}, {"time", "2026-11-30T10:00:00Z"}}.dump(), 1},
      {"JsonUnicodeEscapes",
       replaced(replaced(nlohmann::json{{"time", "2026-11-30T10:00:00Z"}, {"log", kTraceback}}.dump(), "<", "\\u003c"),
                "A", "\\u0041"),
       1},
      {"JournalBytes",
       [] {
         nlohmann::json bytes = nlohmann::json::array();
         for (unsigned char c : kTraceback) bytes.push_back(c);
         return nlohmann::json{{"MESSAGE", bytes}, {"_HOSTNAME", "gn21"}, {"SYSLOG_IDENTIFIER", "python3"}}.dump();
       }(),
       1},
  };
}

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.name;
}

class Encoding : public ::testing::TestWithParam<Sample> {};

TEST_P(Encoding, ReachesTheReportAsValidJson) {
  const TemporaryFolder folder;
  const Outcome result = run_cutopsy("--format json " + folder.write("train.log", GetParam().bytes));
  const auto report = nlohmann::json::parse(result.out, nullptr, false);

  ASSERT_FALSE(report.is_discarded());
  ASSERT_FALSE(report["incidents"].empty());
  EXPECT_EQ(report["incidents"][0]["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(report["incidents"][0]["where"]["line"], GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(Samples, Encoding, ::testing::ValuesIn(samples()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cutopsy
