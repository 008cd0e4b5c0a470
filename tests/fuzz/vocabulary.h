// Checks that parsers speak the vocabulary that rules are written in.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "parsers/event.h"
#include "parsers/event_kinds.h"
#include "parsers/fact_names.h"
#include "tests/fuzz/property.h"

namespace cutopsy {

/// What was said, for a comparison of two readings.
inline std::string checked(const Event& event) {
  const EventKind* kind = find_event_kind(event.kind);
  require(kind != nullptr, "every event is of a kind in event_kinds()", event.kind);
  std::string said = std::string(event.kind) + '@' + std::to_string(event.where.line) + ' ' + event.text + '\n';
  for (const auto& [name, value] : event.fields) {
    require(std::ranges::find(kind->fields, name) != kind->fields.end(), "every field is one of its kind's",
            std::string(event.kind) + '.' + name);
    require(value.size() <= Fields::kMaxValueBytes, "no field is longer than kMaxValueBytes", name);
    said += "  " + name + '=' + value + '\n';
  }
  return said;
}

inline std::string checked(const Fact& fact) {
  require(find_fact_name(fact.name) != nullptr, "every fact is one of fact_names()", fact.name);
  require(!fact.value.empty(), "no fact is empty", fact.name);
  return std::string(fact.name) + '@' + std::to_string(fact.where.line) + ' ' + fact.value + '\n';
}

/// Checks what one parser is told to say.
class VocabularySink : public EventSink {
 public:
  void on_event(Event event) override { said_ += checked(event); }
  void on_fact(Fact fact) override { said_ += checked(fact); }
  const std::string& said() const { return said_; }

 private:
  std::string said_;
};

/// True when `text` holds one of them.
inline bool holds_one_of(std::string_view text, std::span<const std::string_view> literals) {
  return std::ranges::any_of(literals, [&](std::string_view literal) { return text.find(literal) != text.npos; });
}

}  // namespace cutopsy
