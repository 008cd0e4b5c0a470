// What is taken off each kind of wrapped line, and what that says of the line's writer: the tables
// tests/forms/envelopes.yaml, plain_lines.yaml and driver_lines.txt (lines of NVIDIA's drivers and services, of the
// kernel's PCIe code and of container tools, as their sources print them).
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

using Texts = std::map<std::string, std::string>;

struct Row {
  std::string id;
  std::string raw;
  std::vector<std::string> texts;
  Texts envelope;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.id;
}

struct Stripped {
  std::string text;
  Envelope envelope;
};

std::vector<Stripped> strip(std::string_view raw) {
  Stripper stripper;
  std::vector<Stripped> lines;
  stripper.strip(raw, {}, [&](const Line& line) { lines.push_back({std::string(line.text), line.envelope}); });
  return lines;
}

std::vector<Row> rows_of(const std::string& name) {
  std::vector<Row> rows;
  for (const auto& node : YAML::LoadFile(CUTOPSY_TEST_DATA "/forms/" + name)) {
    Row row{node["id"].as<std::string>(), node["raw"].as<std::string>(), {}, {}};
    if (node["texts"]) {
      row.texts = node["texts"].as<std::vector<std::string>>();
    } else {
      row.texts = {node["text"].as<std::string>("RuntimeError: boom")};
    }
    if (node["envelope"]) row.envelope = node["envelope"].as<Texts>();
    rows.push_back(row);
  }
  return rows;
}

std::string rounded(double seconds) {
  std::ostringstream text;
  text.precision(13);
  text << seconds;
  return text.str();
}

// All fields that are set; seconds only where a row names them.
Texts texts_of(const Envelope& envelope, const Texts& expected) {
  Texts texts = {{"time", envelope.time}, {"level", envelope.level},
                 {"host", envelope.host}, {"rank", envelope.rank},
                 {"pod", envelope.pod},   {"local_rank", envelope.local_rank},
                 {"pid", envelope.pid},   {"application", envelope.application}};
  if (envelope.kernel) texts["kernel"] = "true";
  if (envelope.repeats != 0) texts["repeats"] = std::to_string(envelope.repeats);
  if (expected.contains("seconds")) texts["seconds"] = rounded(envelope.seconds);
  std::erase_if(texts, [](const auto& entry) { return entry.second.empty(); });
  return texts;
}

class EnvelopeForms : public testing::TestWithParam<Row> {};

TEST_P(EnvelopeForms, AreTakenOffAndKept) {
  const Row& row = GetParam();
  const auto lines = strip(row.raw);
  std::vector<std::string> texts;
  for (const Stripped& line : lines) texts.push_back(line.text);
  EXPECT_EQ(texts, row.texts) << row.raw;
  EXPECT_EQ(texts_of(lines.back().envelope, row.envelope), row.envelope) << row.raw;
}

std::string name_of(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.id;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Tools, EnvelopeForms, testing::ValuesIn(rows_of("envelopes.yaml")), name_of);

class PlainLines : public testing::TestWithParam<std::string> {};

TEST_P(PlainLines, LoseNothing) {
  const auto lines = strip(GetParam());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Lookalikes, PlainLines,
    testing::ValuesIn(YAML::LoadFile(CUTOPSY_TEST_DATA "/forms/plain_lines.yaml").as<std::vector<std::string>>()));

std::vector<std::string> driver_lines() {
  std::ifstream file(CUTOPSY_TEST_DATA "/forms/driver_lines.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class DriverLines : public testing::TestWithParam<std::string> {};

TEST_P(DriverLines, ComeWholeOutOfEveryKernelLog) {
  for (const char* wrapping :
       {"", "[ 7421.118204] ", "[ 7421.118204] [  T2977] ", "[Tue Mar 11 09:14:02 2025] ", "[  +0.000316] ",
        "2025-03-11T09:14:02,118204+00:00 ", "kern  :warn  : [ 7421.118204] ", "<4>[ 7421.118204] ",
        "Mar 11 09:14:02 gpu-node-07 kernel: ", "Mar 11 09:14:02 gpu-node-07 kernel: [ 7421.118204] ",
        "2025-03-11T09:14:02+0000 gpu-node-07 kernel: ", "4,1733,7421118204,-;",
        "kernel: ", "gpu-node-07: kern: warning: [2025-03-11T09:14:02.118204Z]: "}) {
    const std::string raw = wrapping + GetParam();
    const auto lines = strip(raw);
    ASSERT_EQ(lines.size(), 1u) << raw;
    EXPECT_EQ(lines[0].text, GetParam()) << raw;
    EXPECT_EQ(lines[0].envelope.kernel, *wrapping != '\0') << raw;
  }
}

INSTANTIATE_TEST_SUITE_P(Nvidia, DriverLines, testing::ValuesIn(driver_lines()));

}  // namespace
}  // namespace cutopsy
