#include "engine/batch.h"

#include <algorithm>
#include <utility>

#include "engine/source/input.h"

namespace cutopsy {
namespace {

// The readings, with the folder that each input was found in.
struct Readings {
  std::vector<Reading> of;
  std::vector<std::size_t> folders;
};

Readings read_all(const RuleIndex& index, const InputList& list, const BatchOptions& options,
                  std::vector<std::string>& errors) {
  Readings readings;
  for (const InputName& input : list.inputs) {
    try {
      const bool own_stdin = input.path == "-" && options.open_stdin;
      auto source = own_stdin ? unpacked(options.open_stdin(), "standard input") : open_input(input.path);
      readings.of.push_back(read_input(index, input.path, *source, options.read));
      readings.folders.push_back(input.folder);
      if (const std::string& error = readings.of.back().summary.error; !error.empty()) errors.push_back(error);
    } catch (const SourceError& error) {
      errors.push_back(error.what());
    }
  }
  return readings;
}

Analysis analyse_case(const RuleIndex& index, const Readings& readings, std::vector<CaseInput> inputs) {
  std::stable_sort(inputs.begin(), inputs.end(), [&](const CaseInput& a, const CaseInput& b) {
    return readings.of[a.input].summary.name < readings.of[b.input].summary.name;
  });
  Case job(index);
  for (const CaseInput& input : inputs) job.add(readings.of[input.input], input.findings);
  Analysis analysis = job.finish();
  analysis.findings = {};
  return analysis;
}

}  // namespace

Batch analyse_inputs(const RuleIndex& index, const InputList& list, BatchOptions options) {
  Batch batch;
  batch.skipped = list.skipped;
  batch.errors = list.errors;
  const Readings readings = read_all(index, list, options, batch.errors);
  std::vector<GroupedInput> grouped;
  for (std::size_t i = 0; i < readings.of.size(); ++i) {
    const Reading& reading = readings.of[i];
    grouped.push_back({reading.summary.name, readings.folders[i], &reading.identity, reading.findings});
  }
  for (const auto& inputs : group_inputs(grouped, options.grouping)) {
    batch.cases.push_back(analyse_case(index, readings, inputs));
  }
  return batch;
}

Outcome outcome_of(const Batch& batch) {
  Outcome worst = Outcome::clean;
  for (const Analysis& analysis : batch.cases) worst = std::max(worst, analysis.diagnosis.outcome);
  return worst;
}

}  // namespace cutopsy
