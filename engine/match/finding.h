// A rule's signature that matched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/rule/rule.h"
#include "parsers/event.h"

namespace cutopsy {

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
  std::uint64_t record = 0;
  Place because;  ///< line of the event that caused it, if a parser saw that
  std::uint64_t count = 1;
  std::string text;                ///< the first line, as evidence
  std::vector<Evidence> more;      ///< repeats that told something new, bounded
  bool cleared = false;            ///< taken back by a later match (`clears:`)
  bool quoted = false;             ///< stands inside quotes of an INFO or DEBUG line: talked about, not happening
  std::vector<std::string> ranks;  ///< of all repeats, in order of appearance, bounded
};

/// The rule's id, or the event's kind where no rule knows it.
inline std::string name_of(const Finding& finding) {
  return std::string(finding.rule ? finding.rule->id : finding.kind);
}

}  // namespace cutopsy
