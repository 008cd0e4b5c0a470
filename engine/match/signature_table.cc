#include "engine/match/signature_table.h"

#include <algorithm>
#include <set>

#include "engine/match/signature_match.h"
#include "engine/match/spelled_out.h"
#include "parsers/pair_filter.h"

namespace cutopsy {
namespace {

std::string_view value_of(std::string_view emitter, const Fields& fields, std::string_view name) {
  return name == "emitter" ? emitter : fields.get(name);
}

// The values that a condition allows, if it names them.
std::vector<std::string> allowed_values(const Predicate& predicate) {
  if (predicate.op == Predicate::Op::equal) return {std::string(predicate.text)};
  if (predicate.op == Predicate::Op::in) return {predicate.values.begin(), predicate.values.end()};
  return predicate.op == Predicate::Op::search ? spelled_out(predicate.text) : std::vector<std::string>();
}

template <typename Group>
Group& group_for(std::vector<Group>& groups, std::string_view field) {
  const auto known = std::ranges::find(groups, field, &Group::field);
  if (known != groups.end()) return *known;
  groups.emplace_back().field = field;
  return groups.back();
}

}  // namespace

SignatureTable::SignatureTable(std::vector<SignatureRef> signatures) : signatures_(std::move(signatures)) {
  std::unordered_map<std::string_view, std::set<std::string, std::less<>>> asked;
  for (const SignatureRef& ref : signatures_) {
    for (const Predicate& predicate : ref.signature->where) {
      asked[predicate.field];
      for (std::string& value : allowed_values(predicate)) asked[predicate.field].insert(std::move(value));
      asked[predicate.field].insert(predicate.literals.begin(), predicate.literals.end());
    }
  }
  Fineness fineness;
  for (const auto& [field, texts] : asked) {
    fineness[field] = texts.size();
    fields_.emplace_back(field);
  }
  for (std::uint32_t i = 0; i < signatures_.size(); ++i) arrange(i, fineness);
}

void SignatureTable::arrange(std::uint32_t index, const Fineness& fineness) {
  const Predicate* value = nullptr;
  const Predicate* search = nullptr;
  for (const Predicate& predicate : signatures_[index].signature->where) {
    const auto is_finer_than = [&](const Predicate* best) {
      return !best || fineness.at(predicate.field) > fineness.at(best->field);
    };
    if (!allowed_values(predicate).empty() && is_finer_than(value)) value = &predicate;
    if (!predicate.literals.empty() && is_finer_than(search)) search = &predicate;
  }
  if (value) {
    auto& by_value = group_for(values_, value->field).by_value;
    for (const std::string& allowed : allowed_values(*value)) {
      Indexes& indexes = by_value[value_key(allowed)];
      if (indexes.empty() || indexes.back() != index) indexes.push_back(index);
    }
  } else if (search) {
    group_for(searches_, search->field).searches.push_back({index, search->literals});
  } else {
    others_.push_back(index);
  }
}

void SignatureTable::candidates(std::string_view emitter, const Fields& fields,
                                std::vector<SignatureRef>& found) const {
  Indexes indexes = others_;
  for (const Values& values : values_) {
    const std::string_view value = value_of(emitter, fields, values.field);
    if (value.empty()) continue;
    const auto asking = values.by_value.find(value_key(value));
    if (asking != values.by_value.end()) indexes.insert(indexes.end(), asking->second.begin(), asking->second.end());
  }
  for (const Searches& group : searches_) {
    const std::string_view value = value_of(emitter, fields, group.field);
    if (value.empty()) continue;
    const PairFilter pairs(value);
    for (const Search& search : group.searches) {
      const auto may_stand = [&](std::string_view literal) { return pairs.may_hold(literal); };
      if (std::ranges::any_of(search.literals, may_stand)) indexes.push_back(search.index);
    }
  }
  std::ranges::sort(indexes);
  found.clear();
  for (std::uint32_t index : indexes) found.push_back(signatures_[index]);
}

}  // namespace cutopsy
