// Rules and parsers arranged for matching: which literals interest whom, which rules read which event kind.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/match/signature_table.h"
#include "engine/rule/advice.h"
#include "engine/rule/rule_set.h"
#include "engine/scan/literal_scanner.h"
#include "parsers/reader.h"

namespace re2 {
class RE2;
}

namespace cutopsy {

/// Immutable but for regexes and advice read at first use, which is thread-safe.
class RuleIndex {
 public:
  explicit RuleIndex(RuleSet rules);
  ~RuleIndex();
  RuleIndex(const RuleIndex&) = delete;
  RuleIndex& operator=(const RuleIndex&) = delete;

  const RuleSet& rules() const { return rules_; }
  const LiteralScanner& scanner() const { return *scanner_; }

  /// Whom a line that holds this literal can interest.
  const ParserInterest& parsers_for(LiteralId id) const { return parsers_[id]; }
  std::span<const SignatureRef> line_signatures_for(LiteralId id) const { return line_signatures_[id]; }

  /// Every parser and every line signature: what --no-scan shows each line to.
  const ParserInterest& all_parsers() const { return all_parsers_; }
  std::span<const SignatureRef> all_line_signatures() const { return all_line_signatures_; }

  /// The signatures that read events of `kind`, null when none does.
  const SignatureTable* signatures_for_kind(std::string_view kind) const;

  /// `pattern` must belong to a rule of this index.
  const re2::RE2& regex(std::string_view pattern) const;

  /// What `rule`, one of this index, says to people. Reading it costs half a millisecond, the first time.
  std::shared_ptr<const Advice> advice(const Rule& rule) const;

 private:
  void add_literal(std::string_view literal, LiteralId& id);
  void index_parsers();
  void index_rules();

  RuleSet rules_;
  std::unordered_map<std::string_view, LiteralId> ids_;
  std::vector<std::string> literals_;
  std::unique_ptr<LiteralScanner> scanner_;
  std::vector<ParserInterest> parsers_;                     // by literal
  std::vector<std::vector<SignatureRef>> line_signatures_;  // by literal
  std::vector<SignatureRef> all_line_signatures_;
  ParserInterest all_parsers_;
  std::unordered_map<std::string_view, SignatureTable> by_kind_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<const char*, std::unique_ptr<re2::RE2>> regexes_;  // by the pattern's address
  mutable std::unordered_map<const Rule*, std::shared_ptr<const Advice>> advice_;
};

}  // namespace cutopsy
