// What a person can ask `cutopsy explain` about, and the rules that know it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/match/rule_index.h"
#include "parsers/event.h"

namespace cutopsy {

/// One reading of a query: 79 is an Xid, and also a status of the CUDA runtime.
struct Subject {
  std::string kind;  ///< "rule", "Xid", "SXid", "exit status", "exception", "message", or a family of statuses
  std::string name;  ///< as its makers spell it: cudaErrorAssert, Xid 79
  std::string says;  ///< what the library prints for it, or ""
  std::vector<const Rule*> rules;  ///< the likeliest first; none for a status that reports no fault
  Fields fields;                   ///< what a pasted message told, for the texts of its rule
};

/// All readings of `query`, the likeliest first: a rule id or a glob of them, a number, "xid 79", "exit 137", the name
/// of a status or what it prints, an exception's class, any line of a log, or words of rules' titles. Readings that no
/// rule knows are left out.
std::vector<Subject> find_subjects(std::string_view query, const RuleIndex& index);

/// Names that `query` may be a misspelling of.
std::vector<std::string_view> near_subjects(std::string_view query, const RuleSet& rules);

}  // namespace cutopsy
