// Reads all inputs of a run, on all cores.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/batch_progress.h"
#include "engine/pipeline.h"
#include "engine/source/input_list.h"

namespace cutopsy {

struct BatchReadOptions {
  ReadOptions read = {};  ///< its crew is the run's own
  unsigned jobs = 1;      ///< threads at most; small inputs get fewer
  /// Opens standard input, where an input is "-"; open_stdin() of byte_source.h if empty.
  std::function<std::unique_ptr<ByteSource>()> open_stdin = {};
  BatchProgress* progress = nullptr;
};

/// What the inputs gave, in the order of the list and, in archives, of their members: the same for any number of jobs.
struct BatchReadings {
  std::vector<Reading> readings;
  std::vector<std::size_t> folders;  ///< of each: as InputName::folder; a named archive is a folder of its own
  std::map<std::string, std::size_t> skipped;
  std::vector<std::string> errors;  ///< of inputs and members that could not be read, or not to their end
};

/// Threads that find no input left help the others with theirs. Memory is bounded by the number of threads, but for
/// what was found.
BatchReadings read_batch(const RuleIndex& index, const InputList& list, const BatchReadOptions& options);

}  // namespace cutopsy
