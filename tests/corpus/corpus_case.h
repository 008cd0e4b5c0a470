// The labelled logs below tests/corpus: one folder a case, with its case.json.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/report/json_report.h"
#include "engine/report/report_document.h"

namespace cutopsy::corpus {

struct CorpusCase {
  std::string name;
  std::string cause;                ///< rule that must be the first incident, or "none"
  std::vector<std::string> accept;  ///< other rules that will do
  std::vector<std::string> files;   ///< paths
};

inline std::vector<CorpusCase> all_cases() {
  namespace fs = std::filesystem;
  std::vector<CorpusCase> cases;
  for (const auto& entry : fs::directory_iterator(fs::path(CUTOPSY_TEST_DATA) / "corpus")) {
    std::ifstream file(entry.path() / "case.json");
    if (!file) continue;
    auto json = nlohmann::json::parse(file);
    CorpusCase found{entry.path().filename(), json.at("cause"), json.value("accept", std::vector<std::string>{}), {}};
    for (const std::string name : json.at("files")) found.files.push_back(entry.path() / name);
    cases.push_back(std::move(found));
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

inline Analysis analyse(const RuleIndex& index, const CorpusCase& corpus_case, bool scan) {
  Case job(index);
  for (const std::string& path : corpus_case.files) {
    auto source = open_file(path);
    job.add(read_input(index, path, *source, {.scan = scan}));
  }
  return job.finish();
}

inline std::string report_of(Analysis analysis, const RuleIndex& index) {
  Batch batch;
  batch.cases.push_back(std::move(analysis));
  return json_report(report_document(batch, index.rules()));
}

}  // namespace cutopsy::corpus
