// Which signatures an event matches, remembered for events that ask the same again.
//
// Of an event the rules read some fields only: the condition of a device assert, but not its thread. Events that agree
// in these match the same signatures with the same captures.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/match/rule_index.h"
#include "parsers/event.h"

namespace cutopsy {

struct EventMatch {
  SignatureRef signature;
  Fields captures;
};

/// One per input. Not thread-safe.
class EventMatcher {
 public:
  explicit EventMatcher(const RuleIndex& index) : index_(index) {}

  /// What an event matches: signatures that are not generic, and only where none of these is a rule's own, the generic
  /// ones. Valid until the next call.
  const std::vector<EventMatch>& matches(std::string_view kind, std::string_view emitter, const Fields& fields);

  static constexpr std::size_t kRemembered = 64;  ///< events
  static constexpr std::size_t kMaxKeyBytes = 2048;

 private:
  // An event seen once is known by its hash only; seen twice, with what it matches.
  struct Known {
    std::size_t hash = 0;
    std::string key;  // "" until then
    std::vector<EventMatch> matches;
  };

  void make_key(const SignatureTable& table, std::string_view kind, std::string_view emitter, const Fields& fields);
  void compare(const SignatureTable& table, std::string_view emitter, const Fields& fields,
               std::vector<EventMatch>& matches);

  const RuleIndex& index_;
  std::string key_;  // of the event that is asked for; keeps its memory
  std::vector<SignatureRef> candidates_;
  std::vector<EventMatch> matches_;  // of an event that is not remembered
  std::array<Known, kRemembered> known_;
};

}  // namespace cutopsy
