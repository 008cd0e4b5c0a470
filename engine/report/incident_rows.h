// Incidents of the same fingerprint as one row over many cases.
//
// A row is an incident, as JSON Lines have it, with what is known of all its cases:
//   cases                   how many cases it was found in, a sum
//   case_names              the first few of their names in the order of the alphabet
//   count                   how often it was printed, a sum
//   severity                the worst
//   first_seen, last_seen   the earliest and the latest
// and all other members from one sample: the incident whose place comes first in the order of input and line. An
// incident of one case is a row of one case, so rows merge with rows: in any order and any grouping to the same.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/report/json.h"

namespace cutopsy {

inline constexpr std::size_t kMaxCaseNames = 20;
inline constexpr const char* kUnknownRule = "unknown";  ///< `rule` of a row for a failure that no rule knows

struct IncidentRow {
  Json incident;
  std::size_t origin = 0;  ///< what add() was told of the sample
};

class IncidentRows {
 public:
  /// `line` has a fingerprint; members of another type than theirs count as missing.
  void add(Json line, std::size_t origin = 0);
  /// What rules know first; then those that broke most cases, the worst, the most frequent.
  std::vector<IncidentRow> sorted() const;

 private:
  std::map<std::string, IncidentRow, std::less<>> rows_;  // by fingerprint
};

/// Severity by its name in a report; -1 for a word that is none.
int severity_rank(std::string_view name);

}  // namespace cutopsy
