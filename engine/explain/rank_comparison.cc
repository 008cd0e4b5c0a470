#include "engine/explain/rank_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>

namespace cutopsy {
namespace {

constexpr std::size_t kMaxRanks = 65536;              // of a plausible job
constexpr std::size_t kMaxRanksNamed = 16;            // in a field
constexpr std::string_view kWholeJob = "default_pg";  // torch/distributed/distributed_c10d.py

using Ranks = std::set<std::size_t>;

std::optional<std::size_t> number_in(const Fields& fields, std::string_view name) {
  const std::string_view text = fields.get(name);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Where a rank waited.
struct Wait {
  const Event* event = nullptr;
  std::size_t rank = 0;
  std::size_t sequence = 0;
};

// The name of the process group, "" when the log names none. Numbers of groups differ from rank to rank; only the
// first is the same for all.
std::string group_of(const Fields& fields) {
  const std::string_view name = fields.get("pg_name");
  if (!name.empty()) return std::string(name);
  return std::string(fields.get("pg") == "0" ? kWholeJob : fields.get("pg"));
}

std::string what_it_ran(const Event& event) {
  std::string text(event.fields.get("op"));
  for (std::string_view size : {"tensor_shape", "numel_in", "numel_out"}) {
    if (event.fields.has(size)) text += fmt::format(" {}={}", size, event.fields.get(size));
  }
  return text;
}

std::string joined(const Ranks& ranks) {
  std::string text;
  std::size_t named = 0;
  for (std::size_t rank : ranks) {
    if (++named > kMaxRanksNamed) return text + fmt::format(" and {} more", ranks.size() - kMaxRanksNamed);
    text += (text.empty() ? "" : " ") + std::to_string(rank);
  }
  return text;
}

// The waits of each group, the first of each rank.
std::map<std::string, std::map<std::size_t, Wait>> waits_by_group(std::span<const Event> events) {
  std::map<std::string, std::map<std::size_t, Wait>> groups;
  for (const Event& event : events) {
    const auto rank = number_in(event.fields, "rank");
    const auto sequence = number_in(event.fields, "seq");
    if (!rank || !sequence || *rank >= kMaxRanks || !event.fields.has("op")) continue;
    Wait& known = groups[group_of(event.fields)].try_emplace(*rank, Wait{&event, *rank, *sequence}).first->second;
    if (*sequence < known.sequence) known = {&event, *rank, *sequence};
  }
  return groups;
}

Event event_of(std::string_view kind, const Wait& wait, const std::string& group) {
  Event event;
  event.kind = kind;
  event.emitter = "comparison";
  event.envelope = wait.event->envelope;
  event.where = event.begin = wait.event->where;
  event.text = wait.event->text;
  event.fields.set("pg_name", group);
  event.fields.set("seq", std::to_string(wait.sequence));
  event.fields.set("op", wait.event->fields.get("op"));
  return event;
}

// The ranks that did what fewer ranks did; of equal camps the later one.
std::optional<Event> disagreement(std::string_view what, const std::map<std::string, Ranks>& camps,
                                  const std::map<std::size_t, Wait>& waits, const std::string& group) {
  if (camps.size() < 2) return std::nullopt;
  const auto fewer = [](const auto& a, const auto& b) {
    return a.second.size() != b.second.size() ? a.second.size() < b.second.size()
                                              : *a.second.begin() > *b.second.begin();
  };
  const auto minority = std::min_element(camps.begin(), camps.end(), fewer);
  const auto majority = std::max_element(camps.begin(), camps.end(), fewer);
  Event event = event_of("nccl.mismatch", waits.at(*minority->second.begin()), group);
  event.fields.set("what", what);
  event.fields.set("rank", std::to_string(*minority->second.begin()));
  event.fields.set("found", minority->first);
  event.fields.set("other_rank", std::to_string(*majority->second.begin()));
  event.fields.set("expected", majority->first);
  event.fields.set("ranks", joined(minority->second));
  return event;
}

std::optional<Event> mismatch(const std::string& group, const std::map<std::size_t, Wait>& waits) {
  std::map<std::size_t, std::map<std::string, Ranks>> by_sequence;
  std::map<std::string, Ranks> sequences;
  for (const auto& [rank, wait] : waits) {
    by_sequence[wait.sequence][what_it_ran(*wait.event)].insert(rank);
    sequences[fmt::format("sequence number {}", wait.sequence)].insert(rank);
  }
  for (const auto& [sequence, camps] : by_sequence) {
    if (auto event = disagreement("operation", camps, waits, group)) return event;
  }
  return group.empty() ? std::nullopt : disagreement("sequence", sequences, waits, group);
}

// Most of the job waited; who did not?
std::optional<Event> absence(const std::map<std::size_t, Wait>& waits, std::size_t world_size) {
  if (world_size > kMaxRanks || waits.size() >= world_size || waits.size() * 2 < world_size) return std::nullopt;
  Ranks absent;
  for (std::size_t rank = 0; rank < world_size; ++rank) {
    if (waits.count(rank) == 0) absent.insert(rank);
  }
  Event event = event_of("nccl.absent", waits.begin()->second, std::string(kWholeJob));
  event.fields.set("ranks", joined(absent));
  return event;
}

}  // namespace

std::optional<Event> compare_ranks(std::span<const Event> events, std::size_t world_size) {
  const auto groups = waits_by_group(events);
  for (const auto& [group, waits] : groups) {
    if (auto event = mismatch(group, waits)) return event;
  }
  const auto whole = groups.find(std::string(kWholeJob));
  return whole == groups.end() ? std::nullopt : absence(whole->second, world_size);
}

}  // namespace cutopsy
