// Whether two findings can speak of the same process, GPU, host or rank, and whether one can have led to the other in
// time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/explain/node.h"
#include "engine/match/finding.h"

namespace cutopsy {

/// What is known of an input besides its findings.
struct InputTraits {
  std::uint64_t lines = 0;
  double first_seconds = 0;  ///< Unix time of its earliest known line, 0 if unknown
  double last_seconds = 0;
  bool kernel_clock = false;                ///< its times are the kernel's
  std::optional<Evidence> last_error = {};  ///< see last_words.h; only of inputs whose job ended badly
  std::uint64_t steady_since = 0;           ///< see steady_end.h; 0 for those
};

/// True unless both sides name what the scope asks for and it differs. Process ids of a container's log and of the
/// kernel's differ for one process; there the processes' names decide. GPUs are told apart as gpu_map.h says.
bool may_share(Scope scope, const Node& node, const Node& other);

/// When the case's job ran, by the inputs that are not the kernel's.
class JobTime {
 public:
  explicit JobTime(std::span<const InputTraits> inputs);
  /// True for a finding of a kernel log that lies more than a day before the job's first known time, or more than an
  /// hour behind its last: it has nothing to do with the job.
  bool excludes(const Finding& finding) const;

 private:
  double first_ = 0;
  double last_ = 0;
};

/// False when both clocks are known and `cause` is later than `effect` by more than the clocks may differ, or earlier
/// by more than a day.
bool may_precede(const Finding& cause, const Finding& effect);

}  // namespace cutopsy
