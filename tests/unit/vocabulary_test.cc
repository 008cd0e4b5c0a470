// Parsers speak only of the kinds, fields and facts that event_kinds() and fact_names() list: rules cannot ask for
// others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "parsers/event_kinds.h"
#include "parsers/fact_names.h"
#include "tests/unit/escapes.h"
#include "tests/unit/reading.h"

namespace cutopsy {
namespace {

std::set<std::string> words_not_listed(const std::string& log) {
  const Reading reading(log, true);
  std::set<std::string> words;
  for (const Event& event : reading.events) {
    const EventKind* kind = find_event_kind(event.kind);
    if (!kind) words.insert(std::string(event.kind));
    for (const auto& [name, value] : event.fields) {
      if (kind && std::ranges::find(kind->fields, name) == kind->fields.end())
        words.insert(std::string(event.kind) + '.' + name);
    }
  }
  for (const Fact& fact : reading.facts) {
    if (!find_fact_name(fact.name)) words.insert(std::string(fact.name));
  }
  return words;
}

// A file of logs, one a row; those of tables stand in the last column.
std::string logs_in(const std::string& name) {
  std::ifstream file(std::string(CUTOPSY_TEST_DATA) + "/" + name);
  std::string logs;
  for (std::string row; std::getline(file, row);) {
    const std::size_t tab = row.rfind('\t');
    logs += unescape(std::string_view(row).substr(tab == row.npos ? 0 : tab + 1)) + '\n';
  }
  return logs;
}

class Vocabulary : public ::testing::TestWithParam<const char*> {};

TEST_P(Vocabulary, ListsWhatParsersSay) {
  const std::string logs = logs_in(GetParam());
  ASSERT_FALSE(logs.empty());
  EXPECT_THAT(words_not_listed(logs), ::testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Tables, Vocabulary,
                         ::testing::Values("forms/log_formats.tsv", "forms/driver_lines.txt", "forms/xid_samples.yaml",
                                           "coverage/status_codes_runtime.tsv", "coverage/other_runtimes.tsv",
                                           "coverage/profilers.tsv", "coverage/sanitizers.tsv",
                                           "coverage/distributed.tsv"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '/' || c == '.'; }, '_');
                           return name;
                         });

// What few messages name: the caller, the kernel, the GPU's index, the board.
TEST(Vocabulary, ListsWhatFewMessagesName) {
  const std::string logs =
      "OpenCV(4.8.0) /opt/opencv/modules/dnn/src/cuda4dnn/csl/cublas.hpp:75: error: (-217:Gpu API call) "
      "CUBLAS_STATUS_NOT_INITIALIZED in function 'UniqueHandle'\n"
      "Error: unspecified launch failure launching kernel kCalculatePMEForces\n"
      "onnxruntime::CudaCall CUDA failure 2: out of memory ; GPU=3 ; hostname=node ; expr=cudaMalloc(&p, size);\n"
      "[  101.123456] NVRM: GPU Board Serial Number: 1320123456789\n";
  const Reading reading(logs, true);
  std::set<std::string> names;
  for (const Event& event : reading.events) {
    for (const auto& [name, value] : event.fields) names.insert(std::string(event.kind) + '.' + std::string(name));
  }
  for (const Fact& fact : reading.facts) names.insert(std::string(fact.name));
  EXPECT_THAT(names, ::testing::IsSupersetOf({"cuda.status.function", "cuda.status.kernel", "cuda.status.gpu"}));
  EXPECT_THAT(names, ::testing::Contains("gpu_serial"));
  EXPECT_THAT(words_not_listed(logs), ::testing::IsEmpty());
}

}  // namespace
}  // namespace cutopsy
