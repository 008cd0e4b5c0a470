#include "engine/explain/version_comparison.h"

#include <map>
#include <string>

#include "engine/match/fact_equality.h"

namespace cutopsy {
namespace {

constexpr std::string_view kCompared[] = {"nccl_version", "driver_version"};

// What a host says first counts: later lines may speak of other machines. Hosts that are named are compared with each
// other only.
std::map<std::string, const Fact*> versions_of(std::span<const Fact> facts, std::string_view name,
                                               std::span<const std::string> inputs) {
  std::map<std::string, const Fact*> by_host;
  std::map<std::string, const Fact*> by_input;
  for (const Fact& fact : facts) {
    if (fact.name != name) continue;
    const std::string& host = fact.envelope.host;
    if (host.empty()) {
      by_input.try_emplace("the machine of " + inputs[fact.where.input], &fact);
    } else {
      by_host.try_emplace(host, &fact);
    }
  }
  return by_host.size() > 1 ? by_host : by_input;
}

}  // namespace

std::vector<Event> compare_versions(std::span<const Fact> facts, std::span<const std::string> inputs) {
  std::vector<Event> conflicts;
  for (std::string_view name : kCompared) {
    const auto versions = versions_of(facts, name, inputs);
    if (versions.empty()) continue;
    const auto& [first, said] = *versions.begin();
    for (const auto& [other, says] : versions) {
      if (say_the_same(name, says->value, said->value)) continue;
      Event event;
      event.kind = "job.version_conflict";
      event.emitter = "comparison";
      event.envelope = says->envelope;
      event.where = event.begin = says->where;
      event.text = std::string(name) + " " + says->value + " on " + other + ", " + said->value + " on " + first;
      event.fields.set("what", name.substr(0, name.find('_')));
      event.fields.set("version", says->value);
      event.fields.set("on", other);
      event.fields.set("other_version", said->value);
      event.fields.set("other_on", first);
      conflicts.push_back(std::move(event));
      break;
    }
  }
  return conflicts;
}

}  // namespace cutopsy
