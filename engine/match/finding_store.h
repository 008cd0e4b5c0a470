// The findings of one input: repeats folded, and bounded whatever the log holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/match/finding.h"

namespace cutopsy {

class FindingStore {
 public:
  /// Keeps what was `seen`, or counts it as a repeat of an equal one (fold_key). `position`: of its signature in the
  /// rule: then gives the index of that one, if it learns nothing from further repeats.
  std::optional<std::size_t> add(const Finding& seen, std::uint16_t position);
  /// The line at `where`, logged at `at`, repeats what such findings tell; it stands for `count` lines.
  void count_again(const std::vector<std::size_t>& findings, Place where, Clock at, std::uint64_t count);
  /// Takes back what `by`'s rule clears of the same writer, and what was told in general words of the same line.
  void clear_earlier(const Finding& by);

  /// All findings, in order of first appearance. The store is empty afterwards.
  std::vector<Finding> take();

  /// How many were counted with another finding of their rule, since a bound was reached: their own fields, places and
  /// ranks are lost.
  std::uint64_t merged() const { return merged_; }

  /// Findings of one rule (with one role, severity and level) that are told apart. A bound of its own for each rule
  /// keeps a noisy one from crowding out the others; the first of a rule is always kept.
  static constexpr std::size_t kMaxOfRule = 256;
  static constexpr std::size_t kMaxFindings = 4096;   ///< of all rules together
  static constexpr std::size_t kMaxBytes = 16 << 20;  ///< of the texts of all
  static constexpr std::size_t kMaxTextBytes = 4096;  ///< of a line kept as evidence: reports show no more of it
  static constexpr std::size_t kMaxRanks = 64;        ///< named by one finding: more would not be read
  static constexpr std::uint64_t kRepeatsRead = 16;   ///< later repeats hardly tell anything new
  static constexpr std::size_t kMaxMoreEvidence = 3;  ///< further lines: evidence shown, not all there is

 private:
  struct Group {
    std::size_t first = 0;  // index in findings_
    std::size_t size = 0;
  };

  void clear_generic_at(std::uint64_t line);
  void fold_into(Finding& first, const Finding& repeat);
  void merge_into(Finding& first, const Finding& other);

  std::vector<Finding> findings_;
  std::unordered_map<std::string, std::size_t> folded_;  // fold key -> index in findings_
  std::string key_;                                      // of the finding that is added; keeps its memory
  std::unordered_map<std::string, Group> groups_;        // group key -> the findings of one rule
  std::size_t bytes_ = 0;
  std::uint64_t merged_ = 0;
};

}  // namespace cutopsy
