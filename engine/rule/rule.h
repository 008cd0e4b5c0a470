// A rule as the engine reads it: which events or lines it matches, and how it relates to other rules.
//
// All views point into static storage (rules built into the binary) or into the RuleSet that loaded them, so the
// matcher and explain work the same way on both. What a rule says to people (cause, fix, ...) is not here: it is
// parsed from `yaml` by parse_advice() (advice.h), only for the rules that are reported.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace cutopsy {

enum class Severity : std::uint8_t { info, warning, error, fatal };

/// How far a rule can be relied on.
enum class RuleStatus : std::uint8_t {
  stable,
  experimental,  ///< its id or what it matches may still change
  deprecated,    ///< kept for those who know its id; `replaced_by` is the one to use
};

/// How a matched signature may stand in the chain of causes; a higher role explains a lower one.
enum class Role : std::uint8_t {
  info,     ///< worth knowing, never a fault
  banner,   ///< a launcher's closing block
  effect,   ///< a consequence by nature: a peer closed, a watchdog, "previous error during capture"
  generic,  ///< an exception that no rule knows
  cause,    ///< the default
};

/// What two findings must share for a relation to hold.
enum class Scope : std::uint8_t { any, pid, gpu, host, rank };

/// A condition on one field of an event.
struct Predicate {
  enum class Op : std::uint8_t { search, equal, above, below, in };
  std::string_view field;
  Op op = Op::search;
  std::string_view text;                     ///< search: an RE2 pattern; equal: the value
  double number = 0;                         ///< above, below
  std::span<const std::string_view> values;  ///< in
  /// search: literals of which at least one stands in every text that the pattern matches; empty: none is known.
  std::span<const std::string_view> literals;
};

/// One pattern: either on an event (`event` not empty) or on a raw line (`line` not empty).
struct Signature {
  std::string_view event;            ///< event kind, or ""
  std::span<const Predicate> where;  ///< all must hold
  std::string_view line;             ///< RE2 pattern searched in a line's text; its named groups become fields
  std::span<const std::string_view> triggers;  ///< for `line`: scan literals, at least one stands in every match
  Role role = Role::cause;
  Severity severity = Severity::error;  ///< the rule's, unless the signature overrides it
};

/// How a rule's signatures combine.
enum class Combine : std::uint8_t { any, all, sequence };

/// "explains": findings of the rules that `target` names are consequences of this rule's findings.
struct Relation {
  std::string_view target;  ///< a rule id, a glob with '*', or "tag:" and a tag
  Scope same = Scope::any;
  std::span<const Predicate> where = {};  ///< on the consequence's fields; all must hold
};

/// A parameter of a check; `value` may hold {field} placeholders.
struct Setting {
  std::string_view name;
  std::string_view value;
};

/// A check that can support or contradict the rule (see validators/).
struct ConfirmBy {
  std::string_view check;
  bool expects_failure = true;  ///< its yes (the fault is there) supports the rule; else its yes contradicts it
  std::span<const Setting> with;
};

struct Rule {
  std::string_view id;  ///< family/slug
  std::string_view title;
  Severity severity = Severity::error;
  RuleStatus status = RuleStatus::stable;
  std::string_view replaced_by;  ///< of a deprecated rule: the id of the rule to use
  std::string_view since;        ///< version of cutopsy that had it first, or ""
  Combine combine = Combine::any;
  std::span<const Signature> signatures;
  std::span<const Signature> absent;       ///< `not:` the rule does not match when one of these did in the same input
  std::uint32_t within_lines = 0;          ///< all/sequence: at most so many lines from first to last, 0: no limit
  Scope same = Scope::any;                 ///< all/sequence: what the matched signatures must share
  std::span<const std::string_view> tags;  ///< names under which relations of other rules reach this one
  std::span<const Relation> explains;
  std::uint32_t causes_above = 0;    ///< length of the longest chain of rules, each explaining the next, that ends here
  std::span<const Relation> clears;  ///< earlier findings of the lane that this rule's match takes back
  std::span<const std::string_view> shows;  ///< facts worth printing with an incident of this rule
  std::span<const ConfirmBy> confirm;
  std::string_view yaml;          ///< the rule's own YAML mapping, without its `table:`
  std::string_view row_yaml;      ///< for a row of a `table:`, the row's YAML mapping, else ""
  std::string_view source;        ///< file that the rule comes from, for messages
  std::uint32_t source_line = 0;  ///< of `yaml` in the file
  std::uint32_t row_line = 0;     ///< of `row_yaml` in the file, 0 without
};

/// "cause" for Role::cause and so on; the spelling of the rule format and of the report.
std::string_view to_string(Severity severity);
std::string_view to_string(RuleStatus status);
std::string_view to_string(Role role);
std::string_view to_string(Scope scope);

}  // namespace cutopsy
