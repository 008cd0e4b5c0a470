#include "engine/rule/rule_set.h"

#include <fmt/format.h>
#include <gcrypt.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/rule/causal_depth.h"

namespace cutopsy {
namespace {

bool by_id(const Rule& left, const Rule& right) {
  return left.id < right.id;
}

/// Sorts by id; of rules with the same id only the last stays. What each says of others is settled.
std::vector<Rule> in_order_of_id(std::vector<Rule> rules) {
  std::reverse(rules.begin(), rules.end());
  std::stable_sort(rules.begin(), rules.end(), by_id);
  auto same_id = [](const Rule& left, const Rule& right) { return left.id == right.id; };
  rules.erase(std::unique(rules.begin(), rules.end(), same_id), rules.end());
  set_causes_above(rules);
  return rules;
}

/// Hashes texts so that no two different lists of texts give the same bytes.
class Sha256 {
 public:
  Sha256() {
    gcry_check_version(nullptr);
    gcry_md_open(&handle_, GCRY_MD_SHA256, 0);
  }
  ~Sha256() { gcry_md_close(handle_); }
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view text) {
    gcry_md_write(handle_, text.data(), text.size());
    gcry_md_putc(handle_, '\0');
  }
  std::string hex() {
    const unsigned char* bytes = gcry_md_read(handle_, GCRY_MD_SHA256);
    return fmt::format("{:02x}", fmt::join(bytes, bytes + gcry_md_get_algo_dlen(GCRY_MD_SHA256), ""));
  }

 private:
  gcry_md_hd_t handle_ = nullptr;
};

}  // namespace

RuleSet::RuleSet(std::vector<Rule> rules, std::shared_ptr<const RuleArena> arena)
    : owned_(std::make_shared<const std::vector<Rule>>(in_order_of_id(std::move(rules)))), arenas_{std::move(arena)} {
  rules_ = *owned_;
}

const Rule* RuleSet::find(std::string_view id) const {
  auto found = std::lower_bound(rules_.begin(), rules_.end(), id,
                                [](const Rule& rule, std::string_view wanted) { return rule.id < wanted; });
  return found != rules_.end() && found->id == id ? &*found : nullptr;
}

RuleSet RuleSet::merged_with(const RuleSet& other) const {
  std::vector<Rule> merged;
  merged.reserve(rules_.size() + other.rules_.size());
  // On equal ids set_union takes the element of its first range.
  std::set_union(other.rules_.begin(), other.rules_.end(), rules_.begin(), rules_.end(), std::back_inserter(merged),
                 by_id);
  RuleSet result(std::move(merged), nullptr);
  result.arenas_ = arenas_;
  result.arenas_.insert(result.arenas_.end(), other.arenas_.begin(), other.arenas_.end());
  return result;
}

RuleSet RuleSet::without(std::string_view target) const {
  std::vector<Rule> kept;
  std::copy_if(rules_.begin(), rules_.end(), std::back_inserter(kept),
               [&](const Rule& rule) { return !names(target, rule); });
  RuleSet result(std::move(kept), nullptr);
  result.arenas_ = arenas_;
  return result;
}

std::string RuleSet::digest() const {
  if (!digest_.empty()) return std::string(digest_);
  Sha256 hash;
  for (const Rule& rule : rules_) {
    hash.add(rule.yaml);
    hash.add(rule.row_yaml);
  }
  return "sha256:" + hash.hex();
}

bool names(std::string_view target, const Rule& rule) {
  constexpr std::string_view kTag = "tag:";
  if (!target.starts_with(kTag)) return id_matches(target, rule.id);
  const std::string_view tag = target.substr(kTag.size());
  return std::find(rule.tags.begin(), rule.tags.end(), tag) != rule.tags.end();
}

bool id_matches(std::string_view pattern, std::string_view id) {
  std::size_t p = 0, i = 0;
  std::size_t star = std::string_view::npos, resume = 0;  // the last '*' seen, and where its text may grow to
  while (i < id.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = i;
    } else if (p < pattern.size() && pattern[p] == id[i]) {
      ++p, ++i;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace cutopsy
