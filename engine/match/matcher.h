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

/// All that one case's inputs gave.
struct MatchResult {
  std::vector<Finding> findings;  ///< in order of first appearance
  std::vector<Fact> facts;        ///< each once for its writer, in order of first appearance, at the last line of it
  std::uint64_t findings_dropped = 0;  ///< beyond Matcher::kMaxFindings
  std::uint64_t facts_dropped = 0;     ///< beyond Matcher::kMaxFacts
};

/// Give it to the Readers of a case's inputs, one input after the other. Not thread-safe.
class Matcher : public LineObserver, public EventSink {
 public:
  /// With `scan` only the parsers and rules whose literals stand in a line see it; without, all do.
  Matcher(const RuleIndex& index, bool scan) : index_(index), scan_(scan) {}

  ParserInterest interest(const Line& line) override;
  void on_line(const Line& line) override;
  void on_event(Event event) override;
  void on_fact(Fact fact) override;

  /// Call after the last line of each input: settles what needs the whole input (`not:`, `all:`).
  void end_input();
  /// How many lines so far held a literal of a parser or rule.
  std::uint64_t lines_of_interest() const { return lines_of_interest_; }
  MatchResult take() { return std::move(result_); }

  static constexpr std::size_t kMaxFindings = 4096;
  static constexpr std::size_t kMaxFacts = 1024;
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
  std::unordered_map<std::string, std::size_t> facts_;   // what a fact says, and of whom -> index in facts
  std::vector<SignatureRef> candidates_;                 // line signatures that the current line can interest
  std::unordered_map<std::string, std::size_t> folded_;  // fold key -> index in findings
  std::map<std::pair<const Rule*, std::string>, Partial> partial_;
  std::vector<const Rule*> ruled_out_;  // rules whose `not:` matched in the current input
  std::size_t input_begin_ = 0;         // first finding of the current input
  std::uint64_t lines_of_interest_ = 0;
  MatchResult result_;
};

}  // namespace cutopsy
