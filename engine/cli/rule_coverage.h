// How well rules cover a pile of logs: `cutopsy rules coverage`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/match/rule_index.h"
#include "engine/source/input_list.h"

namespace cutopsy {

/// Lines that look like errors and that no rule knows, alike but for numbers and paths.
struct UnexplainedLine {
  std::string signature;  ///< the line, masked
  std::uint64_t count = 0;
  std::size_t inputs = 0;  ///< in how many inputs it stands
  std::string sample;      ///< "file:line" of the first
  std::string text;        ///< the first, without its wrapping
};

struct RuleCoverage {
  std::size_t inputs = 0;
  std::map<std::string, std::size_t> fired;  ///< inputs in which each rule found something; not those of none
  std::vector<UnexplainedLine> unexplained;  ///< in most inputs first
  std::uint64_t not_counted = 0;             ///< error-looking lines beyond the bound on distinct ones
  std::vector<std::string> errors;           ///< inputs that could not be read
};

/// Reads each input twice: with the rules, then for its words. Memory is bounded: at most kMaxSignatures distinct
/// lines are kept.
RuleCoverage measure_coverage(const RuleIndex& index, const InputList& list);

inline constexpr std::size_t kMaxSignatures = 20'000;

}  // namespace cutopsy
