#include "engine/batch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/worker_threads.h"

namespace cutopsy {
namespace {

// Readings that belong to one case only are taken; a kernel log of a folder may belong to several.
Analysis analyse_case(const RuleIndex& index, BatchReadings& all, std::vector<CaseInput> inputs) {
  std::stable_sort(inputs.begin(), inputs.end(), [&](const CaseInput& a, const CaseInput& b) {
    return all.readings[a.input].summary.name < all.readings[b.input].summary.name;
  });
  Case job(index);
  for (const CaseInput& input : inputs) {
    Reading& reading = all.readings[input.input];
    if (is_shared_out(all.folders[input.input], reading.identity)) {
      job.add(reading, input.findings);
    } else {
      job.add(std::exchange(reading, {}));
    }
  }
  Analysis analysis = job.finish();
  analysis.findings = {};
  return analysis;
}

}  // namespace

Batch analyse_inputs(const RuleIndex& index, const InputList& list, const BatchOptions& options) {
  BatchReadings all = read_batch(index, list, options.reading);
  std::vector<GroupedInput> grouped;
  for (std::size_t i = 0; i < all.readings.size(); ++i) {
    const Reading& reading = all.readings[i];
    grouped.push_back({reading.summary.name, all.folders[i], &reading.identity, reading.findings});
  }
  const std::vector<std::vector<CaseInput>> cases = group_inputs(grouped, options.grouping);
  Batch batch;
  batch.skipped = std::move(all.skipped);
  batch.errors = std::move(all.errors);
  batch.cases.resize(cases.size());
  std::vector<std::size_t> numbers(cases.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  constexpr std::size_t kCasesForAThread = 16;  // most are explained before a thread has started
  const auto jobs =
      static_cast<unsigned>(std::min<std::size_t>(options.reading.jobs, 1 + cases.size() / kCasesForAThread));
  for_each_item(numbers, jobs, [&](std::size_t i) { batch.cases[i] = analyse_case(index, all, cases[i]); });
  return batch;
}

Outcome outcome_of(const Batch& batch) {
  Outcome worst = Outcome::clean;
  for (const Analysis& analysis : batch.cases) worst = std::max(worst, analysis.diagnosis.outcome);
  return worst;
}

}  // namespace cutopsy
