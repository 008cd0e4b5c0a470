#include "engine/report/differing_facts.h"

#include <algorithm>

#include "parsers/fact_names.h"

namespace cutopsy {
namespace {

// The part of `text` before `separator`; `text` loses both.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string_view without_zeros(std::string_view number) {
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

bool is_equal_but_for_blanks(std::string_view a, std::string_view b) {
  while (true) {
    a.remove_prefix(std::min(a.find_first_not_of(' '), a.size()));
    b.remove_prefix(std::min(b.find_first_not_of(' '), b.size()));
    if (a.empty() || b.empty() || a.front() != b.front()) return a.empty() && b.empty();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

// Compares what both say: components of versions by number, the build behind '+' only when both have one.
bool is_same(std::string_view name, std::string_view a, std::string_view b) {
  if (is_equal_but_for_blanks(a, b)) return true;
  if (!name.ends_with("_version") && name != "driver_cuda") return false;
  std::string_view number_a = take_part(a, '+');
  std::string_view number_b = take_part(b, '+');
  while (!number_a.empty() && !number_b.empty()) {
    if (without_zeros(take_part(number_a, '.')) != without_zeros(take_part(number_b, '.'))) return false;
  }
  return a.empty() || b.empty() || a == b;
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  const bool known = name.empty() || std::find(names.begin(), names.end(), name) != names.end();
  if (!known && names.size() < kMaxDifferingValues) names.push_back(name);
}

void add_value(DifferingFact& fact, const Fact& said) {
  auto value = std::find_if(fact.values.begin(), fact.values.end(),
                            [&](const auto& known) { return is_same(fact.name, known.text, said.value); });
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
