#include "engine/match/finding_store.h"

#include <algorithm>
#include <utility>

#include "engine/match/fold_key.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

std::size_t bytes_of(const Finding& finding) {
  std::size_t bytes = finding.text.size();
  for (const auto& [name, value] : finding.fields) bytes += name.size() + value.size();
  for (const Evidence& line : finding.more) bytes += line.text.size();
  return bytes;
}

std::string kept(const std::string& text) {
  return text.substr(0, FindingStore::kMaxTextBytes);
}

// Equal for findings that say the same to `explain`: of these one at least is kept.
std::string group_key(const Finding& finding) {
  std::string key(finding.rule ? finding.rule->id : finding.kind);
  key += '\0';
  key += finding.rule ? 'r' : 'k';
  key += static_cast<char>('0' + static_cast<int>(finding.role));
  key += static_cast<char>('0' + static_cast<int>(finding.severity));
  key += finding.quoted ? 'q' : '-';
  return key + finding.envelope.level;
}

void add_rank(Finding& finding, const std::string& rank) {
  std::vector<std::string>& ranks = finding.ranks;
  if (rank.empty() || ranks.size() >= FindingStore::kMaxRanks) return;
  if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
}

// "train-0" and "ml/train-0" are one pod; a finding that names none may be of any.
bool names_another_pod(const Finding& earlier, const Finding& by) {
  const auto pod_of = [](const Finding& finding) {
    const std::string_view pod = finding.fields.get("pod");
    return pod.substr(pod.find('/') + 1);
  };
  return !pod_of(earlier).empty() && !pod_of(by).empty() && pod_of(earlier) != pod_of(by);
}

}  // namespace

std::optional<std::size_t> FindingStore::add(const Finding& seen, std::uint16_t position) {
  make_fold_key(seen, position, key_);
  const auto known = folded_.find(key_);
  if (known != folded_.end() && !findings_[known->second].cleared) {
    Finding& first = findings_[known->second];
    fold_into(first, seen);
    return first.count > kRepeatsRead ? std::optional(known->second) : std::nullopt;
  }
  Finding finding = seen;
  finding.text = kept(seen.text);
  add_rank(finding, finding.envelope.rank);
  const std::size_t bytes = bytes_of(finding);
  if (known != folded_.end()) {  // what was taken back happened again
    bytes_ += bytes - bytes_of(findings_[known->second]);
    findings_[known->second] = std::move(finding);
    return std::nullopt;
  }
  Group& group = groups_[group_key(finding)];
  const bool full = group.size >= kMaxOfRule || findings_.size() >= kMaxFindings || bytes_ + bytes > kMaxBytes;
  if (full && group.size > 0) {
    merge_into(findings_[group.first], finding);
    return std::nullopt;
  }
  if (group.size++ == 0) group.first = findings_.size();
  folded_.emplace(key_, findings_.size());
  bytes_ += bytes + key_.size();
  findings_.push_back(std::move(finding));
  return std::nullopt;
}

void FindingStore::count_again(const std::vector<std::size_t>& findings, Place where, Clock at, std::uint64_t count) {
  for (std::size_t index : findings) {
    Finding& finding = findings_[index];
    finding.count += count;
    finding.last = where;
    finding.last_at = at;
  }
}

// Repeats often tell more: one line of an OOM kill names the limit, the next the process.
void FindingStore::fold_into(Finding& first, const Finding& repeat) {
  first.count += repeat.count;
  first.last = repeat.where;
  first.last_at = repeat.last_at;
  if (first.count > kRepeatsRead || bytes_ > kMaxBytes) return;
  const std::size_t before = first.fields.size();
  bytes_ -= bytes_of(first);
  for (const auto& [name, value] : repeat.fields) first.fields.set_if_absent(name, value);
  const bool told_more = first.fields.size() > before;
  if (told_more && first.more.size() < kMaxMoreEvidence) first.more.push_back({repeat.where, kept(repeat.text)});
  bytes_ += bytes_of(first);
}

void FindingStore::merge_into(Finding& first, const Finding& other) {
  ++merged_;
  first.cleared = false;
  first.count += other.count;
  first.last = other.where;
  first.last_at = other.last_at;
  add_rank(first, other.envelope.rank);
}

void FindingStore::clear_earlier(const Finding& by) {
  if (!by.rule) return;
  for (const Relation& relation : by.rule->clears) {
    for (Finding& earlier : findings_) {
      if (earlier.cleared || !earlier.rule) continue;
      const bool same_writer = earlier.envelope.rank == by.envelope.rank && earlier.envelope.host == by.envelope.host;
      if (!same_writer || names_another_pod(earlier, by) || !id_matches(relation.target, earlier.rule->id)) continue;
      earlier.cleared = true;
      clear_generic_at(earlier.where.line);
    }
  }
}

// The exception that was caught is no failure either.
void FindingStore::clear_generic_at(std::uint64_t line) {
  for (Finding& finding : findings_) {
    if (finding.role == Role::generic && finding.where.line == line) finding.cleared = true;
  }
}

std::vector<Finding> FindingStore::take() {
  folded_.clear();
  groups_.clear();
  bytes_ = 0;
  return std::exchange(findings_, {});
}

}  // namespace cutopsy
