// Runs the rules over what the reader hands on, and folds repeats.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/match/finding.h"
#include "engine/match/rule_index.h"
#include "engine/match/signature_match.h"
#include "parsers/reader.h"

namespace cutopsy {

/// All that one input gave.
struct MatchResult {
  std::vector<Finding> findings;  ///< in order of first appearance
  std::vector<Fact> facts;
  std::vector<Event> progress;         ///< events of how far a rank came, for the comparison of ranks
  std::uint64_t findings_dropped = 0;  ///< beyond Matcher::kMaxFindings
  std::uint64_t facts_dropped = 0;     ///< beyond Matcher::kMaxFacts
};

/// One per input: give it to the input's Reader. Not thread-safe.
class Matcher : public LineObserver, public EventSink {
 public:
  /// With `scan` only the parsers and rules whose literals stand in a line see it; without, all do.
  Matcher(const RuleIndex& index, bool scan) : index_(index), scan_(scan) {}

  ParserInterest interest(const Line& line) override;
  void on_line(const Line& line) override;
  void on_event(Event event) override;
  void on_fact(Fact fact) override;

  /// How many lines so far held a literal of a parser or rule.
  std::uint64_t lines_of_interest() const { return lines_of_interest_; }
  /// Call once, after the last line: settles what needs the whole input (`not:`), and gives the result.
  MatchResult finish();

  static constexpr std::size_t kMaxFindings = 4096;
  static constexpr std::size_t kMaxFacts = 1024;
  static constexpr std::size_t kMaxProgress = 4096;  ///< events; ranks beyond are not compared
  static constexpr std::size_t kMaxRanksListed = 64;

 private:
  // Signatures of an all:/sequence: rule seen so far, for one value of its `same:` scope.
  struct Partial {
    std::vector<Finding> seen;  // by position
    std::vector<bool> present;
  };

  void handle(const SignatureRef& ref, Finding finding);
  void combine(const SignatureRef& ref, Finding finding);
  void add(Finding finding, std::uint16_t position);
  void clear_earlier(const Finding& by);

  const RuleIndex& index_;
  const bool scan_;
  LiteralScanner::Scratch scratch_;
  std::vector<LiteralId> literals_;
  std::vector<SignatureRef> candidates_;                 // line signatures that the current line can interest
  std::unordered_map<std::string, std::size_t> folded_;  // fold key -> index in findings
  std::map<std::pair<const Rule*, std::string>, Partial> partial_;
  std::vector<const Rule*> ruled_out_;  // rules whose `not:` matched
  std::uint64_t lines_of_interest_ = 0;
  MatchResult result_;
};

}  // namespace cutopsy
