// Runs the rules over what the reader hands on, and folds repeats.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/match/event_matcher.h"
#include "engine/match/fact_store.h"
#include "engine/match/finding.h"
#include "engine/match/finding_store.h"
#include "engine/match/rule_index.h"
#include "engine/match/signature_match.h"
#include "engine/match/storm.h"
#include "parsers/reader.h"

namespace cutopsy {

/// All that one input gave.
struct MatchResult {
  std::vector<Finding> findings;  ///< in order of first appearance
  std::vector<Fact> facts;        ///< each once for its writer, in order of first appearance, at the last line of it
  std::vector<Event> progress;    ///< events of how far a rank came, for the comparison of ranks
  std::uint64_t findings_merged = 0;       ///< beyond the bounds of FindingStore
  std::uint64_t facts_dropped = 0;         ///< beyond the bounds of FactStore
  std::uint64_t combinations_dropped = 0;  ///< beyond Matcher::kMaxPartial
};

/// One per input: give it to the input's Reader. Not thread-safe.
class Matcher : public LineObserver, public EventSink {
 public:
  /// With `scan` only the parsers and rules whose literals stand in a line see it; without, all do. `hits`, if given,
  /// may know them already. `on_finding` sees each finding before repeats fold.
  Matcher(const RuleIndex& index, bool scan, const ChunkHits* hits = nullptr,
          std::function<void(const Finding&)> on_finding = {});

  ParserInterest interest(const Line& line) override;
  void on_line(const Line& line) override;
  void on_event(Event event) override;
  void on_fact(Fact fact) override;

  /// How many lines so far held a literal of a parser or rule.
  std::uint64_t lines_of_interest() const { return lines_of_interest_; }
  /// Call once, after the last line: settles what needs the whole input (`not:`), and gives the result.
  MatchResult finish();

  static constexpr std::size_t kMaxProgress = 4096;  ///< events; ranks beyond are not compared
  /// Rules with all: or sequence: of which some signatures were seen, and others are awaited: per value of `same:`.
  static constexpr std::size_t kMaxPartial = 128;

 private:
  // Signatures of an all:/sequence: rule seen so far, for one value of its `same:` scope.
  struct Partial {
    std::vector<Finding> seen;  // by position
    std::vector<bool> present;
    std::uint64_t touched = 0;  // grows with every use
  };
  using PartialKey = std::pair<const Rule*, std::string>;

  void find_candidates(ParserInterest& interest);
  bool counts_as_repeat(const Line& line);
  void handle(const SignatureRef& ref, Finding& finding);
  void combine(const SignatureRef& ref, Finding finding);
  Partial& partial(PartialKey key);
  void add(const Finding& finding, std::uint16_t position);

  const RuleIndex& index_;
  const bool scan_;
  const ChunkHits* const hits_;
  const std::function<void(const Finding&)> on_finding_;
  std::vector<LiteralId> literals_;
  std::vector<SignatureRef> candidates_;  // line signatures that the current line can interest
  EventMatcher event_matcher_;
  FindingStore findings_;
  const bool counts_storms_;
  Storm storm_;
  FactStore facts_;
  std::map<PartialKey, Partial> partial_;
  std::uint64_t partial_uses_ = 0;
  std::set<const Rule*> ruled_out_;  // rules whose `not:` matched
  std::uint64_t lines_of_interest_ = 0;
  MatchResult result_;
};

}  // namespace cutopsy
