// A run over all the inputs that a command line names: reads each, groups them into cases, explains each case.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/batch_reading.h"
#include "engine/explain/grouping.h"
#include "engine/pipeline.h"
#include "engine/source/input_list.h"

namespace cutopsy {

/// What a run is reported from.
struct Batch {
  std::vector<Analysis> cases;                 ///< in the order of their first inputs; their findings are dropped
  std::map<std::string, std::size_t> skipped;  ///< files in folders and archives that are no logs, by reason
  std::vector<std::string> errors;             ///< inputs that could not be read, or not to their end
};

struct BatchOptions {
  BatchReadOptions
      reading;  ///< `on_finding` sees the findings of all inputs, in one thread at a time with one job only
  Grouping grouping = Grouping::automatic;
};

/// An input that cannot be read becomes an error; the others are analysed all the same. The result depends on the
/// inputs only, not on the number of jobs.
Batch analyse_inputs(const RuleIndex& index, const InputList& list, const BatchOptions& options = {});

/// What the worst of the cases came to; clean without any.
Outcome outcome_of(const Batch& batch);

}  // namespace cutopsy
