#include "parsers/phrase.h"

#include <re2/re2.h>

#include <array>
#include <cassert>
#include <mutex>

namespace cutopsy {

struct PhraseBook::Compiled {
  std::once_flag once;
  std::unique_ptr<const re2::RE2> regex;
};

PhraseBook::PhraseBook(std::span<const Phrase> phrases)
    : phrases_(phrases), compiled_(std::make_unique<Compiled[]>(phrases.size())) {}

PhraseBook::~PhraseBook() = default;

bool PhraseBook::read(std::size_t index, std::string_view text, const PairFilter& pairs, Fields& fields) const {
  const Phrase& phrase = phrases_[index];
  if (!pairs.may_hold(phrase.literal) || text.find(phrase.literal) == text.npos) return false;

  Compiled& compiled = compiled_[index];
  std::call_once(compiled.once, [&] {
    re2::RE2::Options options(re2::RE2::Latin1);  // log bytes need not be UTF-8
    options.set_max_mem(1 << 20);
    compiled.regex = std::make_unique<const re2::RE2>(phrase.pattern, options);
  });
  const re2::RE2& regex = *compiled.regex;
  assert(regex.ok());

  std::array<re2::StringPiece, 12> groups;  // the whole match and the captures
  const int count = regex.NumberOfCapturingGroups() + 1;
  assert(count <= static_cast<int>(groups.size()));
  const re2::StringPiece subject(text.data(), text.size());
  if (!regex.Match(subject, 0, subject.size(), re2::RE2::UNANCHORED, groups.data(), count)) return false;
  for (const auto& [number, name] : regex.CapturingGroupNames())
    fields.set_if_absent(name, std::string_view(groups[number].data(), groups[number].size()));
  if (!phrase.implies.name.empty()) fields.set_if_absent(phrase.implies.name, phrase.implies.value);
  return true;
}

const Phrase* PhraseBook::find(std::string_view text, Fields& fields) const {
  const PairFilter pairs(text);
  for (std::size_t i = 0; i < phrases_.size(); ++i)
    if (read(i, text, pairs, fields)) return &phrases_[i];
  return nullptr;
}

void PhraseBook::collect(std::string_view text, Fields& fields) const {
  const PairFilter pairs(text);
  for (std::size_t i = 0; i < phrases_.size(); ++i) read(i, text, pairs, fields);
}

}  // namespace cutopsy
