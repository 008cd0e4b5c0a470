// An incident seen as a hypothesis about a machine: what its checks answered, and what follows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutopsy {

enum class Verdict : std::uint8_t {
  not_run,       ///< nobody asked, or no check could run
  confirmed,     ///< a check found the fault
  refuted,       ///< a check of a lasting state found that it is not there
  inconclusive,  ///< what was seen proves neither
};

/// The spelling of the report: "not-run" and so on.
std::string_view to_string(Verdict verdict);

enum class CheckAnswer : std::uint8_t { yes, no, unknown };

/// One check's answer, as far as the report tells it.
struct Tested {
  std::string check;
  std::string question = {};
  CheckAnswer answer = CheckAnswer::unknown;
  bool could_not_run = false;    ///< the answer is unknown since the check had no chance
  bool is_state = false;         ///< a no can refute; of what passes or comes and goes it cannot
  bool supports = true;          ///< a yes speaks for the hypothesis; false: against it
  std::string check_class = {};  ///< "state", "transient", "stochastic"
  std::string detail = {};
  std::string advice = {};
  std::string gpu = {};  ///< index or UUID, "" for the whole machine
  std::vector<std::pair<std::string, std::string>> measurements = {};
  std::string lacks = {};  ///< what it should have been asked with, and neither log nor user tells: "port"; or ""
};

/// Whether the log is this machine's.
struct SameMachine {
  enum class Is : std::uint8_t { yes, unknown, no };
  Is is = Is::unknown;
  bool rebooted_since = false;  ///< it started again after the log's time
  std::string detail;           ///< what tells: "the log's host node7 is not this one, node8"
};

struct Hypothesis {
  Verdict verdict = Verdict::not_run;
  std::string reason;  ///< one sentence
  std::vector<Tested> checks;
};

/// What follows from the answers. A pure function.
///
/// - On another machine nothing follows: inconclusive.
/// - A supporting check's yes confirms, unless a contradicting one says yes as well.
/// - A no refutes when every supporting check says no, all of them ask for states and were asked with what the log
/// tells
///   of its case, and the log is known to be of this machine, which has not been started again since. A contradicting
///   check's yes refutes under the same conditions.
/// - When no check could run, the verdict is not_run; in every other case inconclusive.
Hypothesis judge(std::vector<Tested> checks, const SameMachine& machine);

}  // namespace cutopsy
