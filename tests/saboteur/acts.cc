#include "tests/saboteur/acts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace cutopsy::saboteur {

namespace {

// One word of a statement goes into one member of an act.
struct Word {
  const std::string& text;

  std::int64_t number() const {
    char* end = nullptr;
    const auto value = text.starts_with('-') ? std::strtoll(text.c_str(), &end, 0)
                                             : static_cast<std::int64_t>(std::strtoull(text.c_str(), &end, 0));
    if (text.empty() || *end != '\0') refuse("no number: " + text);
    return value;
  }
  std::uint64_t number_or(const char* word, std::uint64_t meaning) const {
    return text == word ? meaning : static_cast<std::uint64_t>(number());
  }
};

using Take = void (*)(Act& act, const Word& word);

void take_subject(Act& act, const Word& word) {
  act.subject = word.text;
}
void take_nth(Act& act, const Word& word) {
  act.nth = word.number_or("every", Act::kEvery);
}
void take_allocation(Act& act, const Word& word) {
  act.allocation = word.number_or("largest", Act::kLargest);
}
void take_offset(Act& act, const Word& word) {
  act.offset = word.number();
}
void take_other(Act& act, const Word& word) {
  act.other = word.number();
}
void take_mask(Act& act, const Word& word) {
  act.mask = static_cast<std::uint64_t>(word.number());
}
void take_number(Act& act, const Word& word) {
  act.number = static_cast<std::uint64_t>(word.number());
}
void take_from(Act& act, const Word& word) {
  act.from = static_cast<int>(word.number());
}
void take_to(Act& act, const Word& word) {
  act.to = static_cast<int>(word.number());
}

struct Statement {
  std::string_view verb;
  Kind kind;
  std::vector<Take> words;
};

const std::array kStatements = {
    Statement{"flip", Kind::flip, {take_subject, take_nth, take_allocation, take_offset, take_mask}},
    Statement{"alias", Kind::alias, {take_subject, take_nth, take_allocation, take_offset, take_other, take_number}},
    Statement{"multiprocessor", Kind::multiprocessor, {take_number, take_mask}},
    Statement{"copy_to_device", Kind::copy_to_device, {take_number, take_nth, take_offset, take_mask}},
    Statement{"copy_to_host", Kind::copy_to_host, {take_number, take_nth, take_offset, take_mask}},
    Statement{"copy_to_peer", Kind::copy_to_peer, {take_from, take_to, take_number, take_nth, take_offset, take_mask}},
    Statement{"fail", Kind::fail, {take_subject, take_nth, take_number}},
    Statement{"delay", Kind::delay, {take_subject, take_nth, take_number}},
    Statement{"sparse", Kind::sparse, {}},
};

Act act_of(const std::vector<std::string>& words) {
  const auto statement =
      std::find_if(kStatements.begin(), kStatements.end(), [&](const Statement& one) { return one.verb == words[0]; });
  if (statement == kStatements.end()) refuse("no such act: " + words[0]);
  if (words.size() != statement->words.size() + 1) refuse("too few or too many words after " + words[0]);
  Act act;
  act.kind = statement->kind;
  for (std::size_t i = 0; i < statement->words.size(); ++i) statement->words[i](act, Word{words[i + 1]});
  return act;
}

}  // namespace

std::vector<Act> parse(std::string_view text) {
  std::vector<Act> acts;
  std::string lines(text);
  std::replace(lines.begin(), lines.end(), ';', '\n');
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);) {
    std::istringstream statement(line);
    std::vector<std::string> words;
    for (std::string word; statement >> word;) words.push_back(word);
    if (!words.empty()) acts.push_back(act_of(words));
  }
  return acts;
}

void log(const std::string& line) {
  const char* const path = std::getenv("CUTOPSY_SABOTEUR_LOG");
  if (!path) return;
  std::FILE* const file = std::fopen(path, "a");
  if (!file) return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fclose(file);
}

void refuse(const std::string& why) {
  std::fprintf(stderr, "saboteur: %s\n", why.c_str());
  log("refused: " + why);
  std::abort();
}

}  // namespace cutopsy::saboteur
