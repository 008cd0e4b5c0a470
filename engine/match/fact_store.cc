#include "engine/match/fact_store.h"

#include <utility>

namespace cutopsy {
namespace {

std::string key_of(const Fact& fact) {
  std::string key(fact.name);
  for (const std::string* part : {&fact.value, &fact.envelope.host, &fact.envelope.rank, &fact.gpu}) {
    key += '\0';
    key += *part;
  }
  return key;
}

}  // namespace

void FactStore::add(Fact fact) {
  if (fact.value.size() > kMaxValueBytes) {
    fact.value.resize(kMaxValueBytes);
    fact.value.shrink_to_fit();
  }
  std::string key = key_of(fact);
  if (const auto known = known_.find(key); known != known_.end()) {
    facts_[known->second].where = fact.where;
    return;
  }
  OfName& of_name = of_name_[fact.name];
  if (of_name.size == kMaxOfName) {  // the latest gives way
    ++dropped_;
    known_.erase(key_of(facts_[of_name.last]));
    known_.emplace(std::move(key), of_name.last);
    facts_[of_name.last] = std::move(fact);
    return;
  }
  ++of_name.size;
  of_name.last = facts_.size();
  known_.emplace(std::move(key), facts_.size());
  facts_.push_back(std::move(fact));
}

std::vector<Fact> FactStore::take() {
  known_.clear();
  of_name_.clear();
  return std::exchange(facts_, {});
}

}  // namespace cutopsy
