// From bytes to a diagnosis: reads the inputs of one case and runs every stage on them.
#pragma once

#include <string>
#include <vector>

#include "engine/explain/incident.h"
#include "engine/match/matcher.h"
#include "engine/match/rule_index.h"
#include "engine/source/byte_source.h"

namespace cutopsy {

struct InputSummary {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t candidate_lines = 0;  ///< lines that held a literal of a parser or rule (with scan)
  std::string error;                  ///< why reading stopped early, or ""
};

/// Bounds that were reached, by name; empty when none was.
struct LimitsReached {
  std::uint64_t records_cut = 0;
  std::uint64_t records_stale = 0;
  std::uint64_t lanes_evicted = 0;
  std::uint64_t findings_dropped = 0;
  std::uint64_t facts_dropped = 0;
};

/// Everything known of one case.
struct Analysis {
  std::vector<InputSummary> inputs;
  std::vector<Finding> findings;
  std::vector<Fact> facts;  ///< all values of all writers; diagnosis.facts has the first of each
  Diagnosis diagnosis;
  LimitsReached limits;
};

/// One case: inputs that belong to the same job. Add them all, then finish once. Not thread-safe; several cases may
/// share an index.
class Case {
 public:
  struct Options {
    bool scan = true;  ///< false: show every line to every parser and rule; must give the same analysis
  };
  explicit Case(const RuleIndex& index) : Case(index, Options{}) {}
  Case(const RuleIndex& index, Options options);

  /// Reads `source` to its end. A read error ends the input and is kept in its summary.
  void add(const std::string& name, ByteSource& source);
  Analysis finish();

 private:
  const RuleIndex& index_;
  Options options_;
  Matcher matcher_;
  Analysis analysis_;
};

}  // namespace cutopsy
