// From bytes to a diagnosis: reads the inputs of one case and runs every stage on them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/explain/incident.h"
#include "engine/explain/input_identity.h"
#include "engine/explain/scope.h"
#include "engine/match/matcher.h"
#include "engine/match/rule_index.h"
#include "engine/source/byte_source.h"

namespace cutopsy {

class ScanCrew;

struct InputSummary {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t candidate_lines = 0;  ///< lines that held a literal of a parser or rule (with scan)
  std::string error;                  ///< why reading stopped early, or ""
};

/// How often each bound was reached that may lose something; engine/report/limits.h says what.
struct LimitsReached {
  std::uint64_t records_cut = 0;
  std::uint64_t records_stale = 0;
  std::uint64_t lanes_evicted = 0;
  std::uint64_t findings_merged = 0;
  std::uint64_t facts_dropped = 0;
  std::uint64_t combinations_dropped = 0;
  std::uint64_t findings_not_compared = 0;
  std::uint64_t lines_cut = 0;

  LimitsReached& operator+=(const LimitsReached& more);
};

/// What one input gave.
struct Reading {
  InputSummary summary;
  std::vector<Finding> findings;  ///< their places name input 0
  std::vector<Fact> facts;
  std::vector<Event> progress;  ///< of ranks, as MatchResult::progress
  LimitsReached limits;
  InputIdentity identity;
  std::optional<Evidence> last_error;  ///< of a job that ended badly, see last_words.h
  std::uint64_t steady_since = 0;      ///< see steady_end.h
};

struct ReadOptions {
  bool scan = true;  ///< false: show every line to every parser and rule; must give the same findings
  /// Sees each finding when it is found, repeats too; a later line may still take it back.
  std::function<void(const Finding&)> on_finding = {};
  ScanCrew* crew = nullptr;  ///< threads that help to scan, if any
};

/// Reads `source` to its end. A read error ends the input and is kept in its summary. Thread-safe: several inputs may
/// share an index.
Reading read_input(const RuleIndex& index, const std::string& name, ByteSource& source, ReadOptions options = {});

/// Everything known of one case.
struct Analysis {
  std::vector<InputSummary> inputs;
  std::vector<Finding> findings;
  std::vector<Fact> facts;  ///< all values of all writers; diagnosis.facts has the first of each
  Diagnosis diagnosis;
  LimitsReached limits;
};

/// One case: inputs that belong to the same job. Add them all, in the order of their names so that nothing depends on
/// the order in which they were given, then finish once. Not thread-safe.
class Case {
 public:
  explicit Case(const RuleIndex& index) : index_(index) {}
  /// Adds an input's reading; with `chosen` only the findings of these indices.
  void add(Reading reading);
  void add(const Reading& reading, const std::vector<std::size_t>& chosen);
  Analysis finish();

 private:
  void compare();

  const RuleIndex& index_;
  std::vector<Event> progress_;
  std::vector<InputTraits> traits_;
  Analysis analysis_;
};

/// Reads and explains one source as a case of its own.
Analysis analyse(const RuleIndex& index, const std::string& name, ByteSource& source, ReadOptions options = {});

}  // namespace cutopsy
