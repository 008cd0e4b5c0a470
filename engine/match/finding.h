// A rule's signature that matched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/rule/rule.h"
#include "parsers/event.h"

namespace cutopsy {

/// When a line was logged, for measuring how long repeats went on.
struct Clock {
  double seconds = 0;       ///< 0: unknown
  bool since_boot = false;  ///< a kernel log without dates: no point in time
};

/// The clock of a line; of an application's own clock times without a date nothing is known.
Clock clock_of(const Envelope& envelope);

/// Seconds between the two; nothing when one is unknown or they are of different kinds.
std::optional<double> seconds_between(const Clock& first, const Clock& last);

/// A line that shows a finding.
struct Evidence {
  Place where;
  std::string text;
};

/// Repeats of one finding (same rule, role, severity, input, host, rank, pid and fields that identify the fault)
/// fold into `count`; place, time and text are those of the first, fields the union of the first few.
struct Finding {
  const Rule* rule = nullptr;  ///< null for a generic event that no rule knows
  Role role = Role::cause;
  Severity severity = Severity::error;
  std::string_view kind;  ///< event kind, or "line"
  std::string_view emitter;
  Fields fields;      ///< event fields or named groups
  Envelope envelope;  ///< of the first
  Place where;        ///< of the first
  Place begin;        ///< first line of its record
  Place last;         ///< of the last repeat
  Clock first_at;     ///< when the first was logged
  Clock last_at;      ///< when the last repeat was
  std::uint64_t record = 0;
  Place because;  ///< line of the event that caused it, if a parser saw that
  std::uint64_t count = 1;
  std::string text;                ///< the first line, as evidence
  std::vector<Evidence> more;      ///< other lines of a combination, and repeats that told something new, bounded
  bool cleared = false;            ///< taken back by a later match (`clears:`)
  bool quoted = false;             ///< stands inside quotes of an INFO or DEBUG line: talked about, not happening
  std::vector<std::string> ranks;  ///< of all repeats, in order of appearance, bounded
};

/// The rule's id, or the event's kind where no rule knows it.
inline std::string name_of(const Finding& finding) {
  return std::string(finding.rule ? finding.rule->id : finding.kind);
}

}  // namespace cutopsy
