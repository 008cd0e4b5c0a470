#include "engine/match/rule_index.h"

#include <re2/re2.h>

#include "engine/rule/pattern.h"
#include "parsers/registry.h"

namespace cutopsy {

RuleIndex::RuleIndex(RuleSet rules) : rules_(std::move(rules)) {
  index_parsers();
  index_rules();
  scanner_ = std::make_unique<LiteralScanner>(std::move(literals_));
}

RuleIndex::~RuleIndex() = default;

void RuleIndex::add_literal(std::string_view literal, LiteralId& id) {
  auto [entry, added] = ids_.try_emplace(literal, static_cast<LiteralId>(literals_.size()));
  if (added) {
    literals_.emplace_back(literal);
    parsers_.emplace_back();
    line_signatures_.emplace_back();
  }
  id = entry->second;
}

void RuleIndex::index_parsers() {
  LiteralId id = 0;
  for (std::string_view mark : Stripper::hiding_marks()) add_literal(mark, id);  // of no interest, but to be read
  for (std::size_t i = 0; i < line_parsers().size(); ++i) {
    all_parsers_.line_parsers.set(i);
    for (std::string_view literal : line_parsers()[i].triggers) {
      add_literal(literal, id);
      parsers_[id].line_parsers.set(i);
    }
  }
  for (std::size_t i = 0; i < record_parsers().size(); ++i) {
    all_parsers_.record_parsers.set(i);
    for (std::string_view literal : record_parsers()[i].triggers) {
      add_literal(literal, id);
      parsers_[id].record_parsers.set(i);
    }
  }
}

void RuleIndex::index_rules() {
  std::unordered_map<std::string_view, std::vector<SignatureRef>> by_kind;
  auto index = [&](const Rule& rule, std::span<const Signature> signatures, bool absent) {
    for (std::size_t i = 0; i < signatures.size(); ++i) {
      SignatureRef ref{&rule, &signatures[i], static_cast<std::uint16_t>(i), absent};
      if (!signatures[i].event.empty()) {
        by_kind[signatures[i].event].push_back(ref);
        continue;
      }
      all_line_signatures_.push_back(ref);
      LiteralId id = 0;
      for (std::string_view literal : signatures[i].triggers) {
        add_literal(literal, id);
        line_signatures_[id].push_back(ref);
      }
    }
  };
  for (const Rule& rule : rules_.rules()) {
    index(rule, rule.signatures, false);
    index(rule, rule.absent, true);
  }
  for (auto& [kind, signatures] : by_kind) by_kind_.emplace(kind, std::move(signatures));
}

const SignatureTable* RuleIndex::signatures_for_kind(std::string_view kind) const {
  auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? nullptr : &found->second;
}

const re2::RE2& RuleIndex::regex(std::string_view pattern) const {
  std::lock_guard lock(mutex_);
  auto& regex = regexes_[pattern.data()];
  if (!regex) regex = std::make_unique<RE2>(pattern, pattern_options());
  return *regex;
}

std::shared_ptr<const Advice> RuleIndex::advice(const Rule& rule) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = advice_.find(&rule); known != advice_.end()) return known->second;
  }
  auto advice = std::make_shared<const Advice>(parse_advice(rule));  // threads may read others meanwhile
  const std::lock_guard lock(mutex_);
  return advice_.try_emplace(&rule, std::move(advice)).first->second;
}

}  // namespace cutopsy
