#include "engine/report/differing_facts.h"

#include <algorithm>

#include "engine/match/fact_equality.h"
#include "parsers/fact_names.h"

namespace cutopsy {
namespace {

void add_name(std::vector<std::string>& names, const std::string& name) {
  const bool known = name.empty() || std::find(names.begin(), names.end(), name) != names.end();
  if (!known && names.size() < kMaxDifferingValues) names.push_back(name);
}

void add_value(DifferingFact& fact, const Fact& said) {
  auto value = std::find_if(fact.values.begin(), fact.values.end(),
                            [&](const auto& known) { return say_the_same(fact.name, known.text, said.value); });
  if (value == fact.values.end()) {
    if (fact.values.size() >= kMaxDifferingValues) return;
    value = fact.values.insert(value, {said.value, said.where, {}, {}, {}});
  }
  add_name(value->hosts, said.envelope.host);
  add_name(value->ranks, said.envelope.rank);
  add_name(value->gpus, said.gpu);
}

bool are_apart(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return !a.empty() && !b.empty() && std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) == a.end();
}

}  // namespace

std::vector<DifferingFact> differing_facts(std::span<const Fact> facts) {
  std::vector<DifferingFact> found;
  for (const Fact& said : facts) {
    auto fact = std::find_if(found.begin(), found.end(), [&](const auto& known) { return known.name == said.name; });
    if (fact == found.end()) fact = found.insert(fact, {said.name, {}});
    add_value(*fact, said);
  }
  std::erase_if(found, [](const DifferingFact& fact) { return fact.values.size() < 2; });
  return found;
}

bool divides_the_job(const DifferingFact& fact) {
  const FactName* name = find_fact_name(fact.name);
  if (!name || !name->uniform) return false;
  const auto& first = fact.values.front();
  return std::any_of(fact.values.begin() + 1, fact.values.end(), [&](const auto& value) {
    return are_apart(first.hosts, value.hosts) || are_apart(first.ranks, value.ranks);
  });
}

}  // namespace cutopsy
