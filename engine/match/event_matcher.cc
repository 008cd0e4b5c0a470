#include "engine/match/event_matcher.h"

#include <cstdint>
#include <functional>
#include <utility>

#include "engine/match/signature_match.h"

namespace cutopsy {

const std::vector<EventMatch>& EventMatcher::matches(std::string_view kind, std::string_view emitter,
                                                     const Fields& fields) {
  matches_.clear();
  const SignatureTable* table = index_.signatures_for_kind(kind);
  if (!table) return matches_;
  make_key(*table, kind, emitter, fields);
  const std::size_t hash = std::hash<std::string>()(key_);
  Known& known = known_[hash % known_.size()];
  if (known.hash == hash && known.key == key_) return known.matches;
  compare(*table, emitter, fields, matches_);
  if (known.hash == hash && key_.size() <= kMaxKeyBytes) {
    known.key = key_;
    known.matches = matches_;
  } else {
    known.hash = hash;
    known.key.clear();
  }
  return matches_;
}

// All that decides what the event matches.
void EventMatcher::make_key(const SignatureTable& table, std::string_view kind, std::string_view emitter,
                            const Fields& fields) {
  key_.clear();
  const auto append = [this](std::string_view part) {
    const auto size = static_cast<std::uint32_t>(part.size());
    key_.append(reinterpret_cast<const char*>(&size), sizeof size).append(part);
  };
  append(kind);
  append(emitter);
  for (const std::string& field : table.fields()) append(fields.get(field));
}

void EventMatcher::compare(const SignatureTable& table, std::string_view emitter, const Fields& fields,
                           std::vector<EventMatch>& matches) {
  table.candidates(emitter, fields, candidates_);
  bool known = false;
  for (const bool generic : {false, true}) {  // what no rule knows is generic
    if (generic && known) break;
    for (const SignatureRef& ref : candidates_) {
      if ((ref.signature->role == Role::generic) != generic) continue;
      auto match = match_event(index_, *ref.signature, emitter, fields);
      if (!match) continue;
      known = known || !ref.absent;
      matches.push_back({ref, std::move(match->captures)});
    }
  }
}

}  // namespace cutopsy
