// One root cause, what it explains, and how sure that is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/confirm/hypothesis.h"
#include "engine/explain/node.h"
#include "engine/rule/advice.h"

namespace cutopsy {

/// A link of the chain: `rule` at `where` explains `explains` at `explained`.
struct Because {
  std::string rule;
  Place where;
  std::string explains;
  Place explained;
  Basis basis = Basis::role;
};

inline constexpr std::size_t kMaxAlternatives = 4;  ///< of an incident: more say that nothing is known

struct Alternative {
  std::string rule;
  double confidence = 0;
  Hypothesis hypothesis = {};  ///< tested only when the incident's own fell
};

struct Symptom {
  std::string rule;  ///< rule id, or "" for an event that no rule knows
  std::string title;
  std::uint64_t count = 1;
  Place where;
};

struct Incident {
  std::string rule;  ///< rule id; "other/python-exception" and the like for generic events
  std::string title;
  Role role = Role::cause;  ///< of its root
  Severity severity = Severity::error;
  double confidence = 0;
  std::uint64_t count = 1;
  std::optional<double> repeats_lasted;  ///< seconds from the first to the last, where the log tells
  double first_seen = 0;                 ///< Unix seconds of its first line with a date, 0 without any
  double last_seen = 0;                  ///< of its last
  std::string fingerprint;               ///< stable over runs: rule and identifying fields, numbers masked
  Fields fields;
  Place where;
  Envelope envelope;
  std::vector<std::string> ranks;          ///< that had the fault
  std::vector<std::string> waiting_ranks;  ///< that only waited for those, or lost them
  std::vector<Evidence> evidence;
  std::vector<Because> because;
  std::vector<Alternative> alternatives;
  std::vector<Symptom> symptoms;
  Hypothesis hypothesis;
  const Rule* definition = nullptr;      ///< the rule behind it
  std::shared_ptr<const Advice> advice;  ///< of that rule, for reports
};

/// Something that failed and that no rule knows.
struct Unknown {
  std::string signature;  ///< numbers, addresses, paths and ranks masked
  std::uint64_t count = 1;
  Place where;
  std::string text;
};

enum class Outcome { clean, warning, failure };

struct Diagnosis {
  Outcome outcome = Outcome::clean;
  std::vector<Incident> incidents;  ///< most important first
  std::vector<Unknown> unknown;
  Fields facts;
  std::uint64_t findings_not_compared = 0;  ///< beyond kMaxNodes
};

}  // namespace cutopsy
