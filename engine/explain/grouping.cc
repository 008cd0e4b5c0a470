#include "engine/explain/grouping.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace cutopsy {
namespace {

using Case = std::vector<CaseInput>;

bool intersect(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& value) { return b.count(value) > 0; });
}

// False when both sides name hosts and none of them is the same.
bool hosts_agree(const InputIdentity& a, const InputIdentity& b) {
  return a.hosts.empty() || b.hosts.empty() || intersect(a.hosts, b.hosts);
}

bool knows_time(const InputIdentity& identity) {
  return identity.first_seconds > 0;
}

bool overlap(const InputIdentity& a, const InputIdentity& b) {
  return knows_time(a) && knows_time(b) && a.first_seconds <= b.last_seconds && b.first_seconds <= a.last_seconds;
}

// Small process ids are those of containers, where every job has the same.
bool is_telling_pid(const std::string& pid) {
  constexpr std::size_t kDigits = 4;
  return pid.size() >= kDigits;
}

bool may_share_process(const InputIdentity& a, const InputIdentity& b) {
  const bool same_time = !knows_time(a) || !knows_time(b) || overlap(a, b);
  return same_time && hosts_agree(a, b);
}

bool in_time_of(const Finding& finding, const InputIdentity& job) {
  const double at = finding.envelope.seconds;
  return at > 0 && knows_time(job) && at >= job.first_seconds - kClockSlackSeconds &&
         at <= job.last_seconds + kClockSlackSeconds;
}

// Sets of inputs that are joined, directly or through others.
class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

CaseInput whole(std::size_t input, const GroupedInput& grouped) {
  CaseInput part{input, std::vector<std::size_t>(grouped.findings.size())};
  std::iota(part.findings.begin(), part.findings.end(), std::size_t{0});
  return part;
}

bool is_shared_out(const GroupedInput& input) {
  return cutopsy::is_shared_out(input.folder, *input.identity);
}

class Grouper {
 public:
  explicit Grouper(std::span<const GroupedInput> inputs) : inputs_(inputs), joined_(inputs.size()) {}

  std::vector<Case> group() {
    join_jobs();
    std::map<std::size_t, std::size_t> case_of;  // by the first input
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (is_shared_out(inputs_[i])) continue;
      auto [known, is_new] = case_of.try_emplace(joined_.find(i), cases_.size());
      if (is_new) cases_.emplace_back();
      cases_[known->second].push_back(whole(i, inputs_[i]));
    }
    jobs_ = cases_.size();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (is_shared_out(inputs_[i])) share_out(i);
    }
    std::sort(cases_.begin(), cases_.end(),
              [](const Case& a, const Case& b) { return a.front().input < b.front().input; });
    return std::move(cases_);
  }

 private:
  void join_jobs() {
    using Key = std::pair<std::size_t, std::string>;  // folder, name
    std::map<Key, std::size_t> by_name;
    std::map<Key, std::vector<std::size_t>> by_pid;
    std::map<Key, std::vector<std::size_t>> by_host;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const GroupedInput& input = inputs_[i];
      if (is_shared_out(input)) continue;
      const std::string job = input.folder == 0 ? "named" : job_name_of(input.name);
      if (!job.empty()) joined_.join(by_name.try_emplace({input.folder, job}, i).first->second, i);
      for (const std::string& pid : input.identity->pids) {
        if (is_telling_pid(pid)) by_pid[{input.folder, pid}].push_back(i);
      }
      for (const std::string& host : input.identity->hosts) {
        if (knows_time(*input.identity)) by_host[{input.folder, host}].push_back(i);
      }
    }
    for (auto& [pid, members] : by_pid) join_processes(members);
    for (auto& [host, members] : by_host) join_at_one_time(members);
  }

  void join_processes(const std::vector<std::size_t>& members) {
    for (std::size_t i = 1; i < members.size(); ++i) {
      const std::size_t a = members[i - 1];
      const std::size_t b = members[i];
      if (may_share_process(*inputs_[a].identity, *inputs_[b].identity)) joined_.join(a, b);
    }
  }

  void join_at_one_time(std::vector<std::size_t>& members) {
    auto first = [this](std::size_t i) { return inputs_[i].identity->first_seconds; };
    std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return first(a) < first(b); });
    double end = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0 && first(members[i]) <= end) joined_.join(members[i - 1], members[i]);
      end = std::max(end, inputs_[members[i]].identity->last_seconds);
    }
  }

  void share_out(std::size_t log) {
    std::map<std::size_t, CaseInput> parts;  // by case
    CaseInput rest{log, {}};
    for (std::size_t f = 0; f < inputs_[log].findings.size(); ++f) {
      bool is_taken = false;
      for (std::size_t i : cases_for(log, inputs_[log].findings[f])) {
        CaseInput& part = parts[i];
        part.input = log;
        if (part.findings.size() >= kMostSharedOut) continue;
        part.findings.push_back(f);
        is_taken = true;
      }
      if (!is_taken) rest.findings.push_back(f);
    }
    for (auto& [index, part] : parts) cases_[index].push_back(std::move(part));
    if (!rest.findings.empty() || parts.empty()) cases_.push_back({std::move(rest)});
  }

  // By process where one fits, else by time.
  std::vector<std::size_t> cases_for(std::size_t log, const Finding& finding) const {
    std::vector<std::size_t> by_pid;
    std::vector<std::size_t> by_time;
    for (std::size_t i = 0; i < jobs_; ++i) {
      for (const CaseInput& part : cases_[i]) {
        const GroupedInput& job = inputs_[part.input];
        if (job.folder != inputs_[log].folder || !hosts_agree(*job.identity, *inputs_[log].identity)) continue;
        const std::string pid(finding.fields.get("pid"));
        if (is_telling_pid(pid) && job.identity->pids.count(pid) > 0) by_pid.push_back(i);
        if (in_time_of(finding, *job.identity)) by_time.push_back(i);
      }
    }
    std::vector<std::size_t>& fitting = by_pid.empty() ? by_time : by_pid;
    fitting.erase(std::unique(fitting.begin(), fitting.end()), fitting.end());
    return fitting;
  }

  std::span<const GroupedInput> inputs_;
  Joined joined_;
  std::vector<Case> cases_;
  std::size_t jobs_ = 0;  // cases that jobs' inputs make up; those of kernel logs follow
};

}  // namespace

bool is_shared_out(std::size_t folder, const InputIdentity& identity) {
  return folder != 0 && identity.kernel_log;
}

std::string job_name_of(const std::string& path) {
  // torchrun --log-dir (torch/distributed/elastic/multiprocessing/api.py); Slurm's and PBS's pairs of files.
  static const RE2 kAttempt(R"((attempt_\d+)/\d+/(?:stdout|stderr)\.log$)");
  static const RE2 kRank(R"((?i)(rank|node|worker|host|replica)([-_.=]?)\d+([^/]*)$)");
  static const RE2 kStream(R"((?i)[-_.]?(?:\b|_)(?:stdout|stderr|out|err)(\.log|\.txt)?$)");
  std::string name = path;
  bool told = RE2::Replace(&name, kAttempt, R"(\1/*/*)");
  told = RE2::Replace(&name, kRank, R"(\1\2*\3)") || told;
  told = RE2::Replace(&name, kStream, R"(.*\1)") || told;
  return told ? name : "";
}

std::string rank_of_name(const std::string& path) {
  static const RE2 kRank(R"((?i)(?:^|[^a-z])rank[-_.=]?0*(\d+)(?:-?[^\d/-][^/]*)?(?:/[^/]*)?$)");
  std::string rank;
  return RE2::PartialMatch(path, kRank, &rank) ? rank : "";
}

std::vector<std::vector<CaseInput>> group_inputs(std::span<const GroupedInput> inputs, Grouping grouping) {
  if (grouping == Grouping::automatic) return Grouper(inputs).group();
  std::vector<Case> cases(grouping == Grouping::together && !inputs.empty() ? 1 : 0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (grouping == Grouping::separate) cases.emplace_back();
    cases.back().push_back(whole(i, inputs[i]));
  }
  return cases;
}

}  // namespace cutopsy
