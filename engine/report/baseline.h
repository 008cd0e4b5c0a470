// Incidents that are known already: what stands in an earlier report does not fail a build again.
#pragma once

#include <set>
#include <string>

#include "engine/report/json.h"

namespace cutopsy {

class Baseline {
 public:
  /// Reads an earlier report, JSON or JSON Lines. Throws SourceError, which says what to do, for a file that cannot be
  /// read or is neither.
  explicit Baseline(const std::string& path);

  /// Gives each incident, each unknown failure and each row a member "known".
  void mark(Json& document) const;

 private:
  std::set<std::string, std::less<>> fingerprints_;
};

/// The worst severity among what is not known from a baseline; "" when there is nothing. What no rule knows is an
/// error.
std::string_view worst_new(const Json& document);

}  // namespace cutopsy
