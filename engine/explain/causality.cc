#include "engine/explain/causality.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/explain/relation_table.h"
#include "engine/explain/scope.h"
#include "engine/match/signature_match.h"

namespace cutopsy {
namespace {

std::pair<std::uint32_t, std::uint64_t> place_of(const Finding& finding) {
  return {finding.where.input, finding.where.line};
}

// A rank as a number, so that 10 follows 9.
std::uint64_t rank_number(const Finding& finding) {
  std::uint64_t number = 0;
  for (char c : finding.envelope.rank) {
    if (c >= '0' && c <= '9' && number < 1'000'000) number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

// What the log itself tells first: by time, then by line; content decides between equals.
auto order_in_log(const Node& node) {
  const Finding& finding = *node.finding;
  return std::tuple(node.placed_at, finding.where.line, finding.rule ? finding.rule->id : finding.kind,
                    rank_number(finding), std::string_view(finding.text));
}

// From the last repeat of `a` that can stand before `b`: between the first and the last there may be others.
std::uint64_t lines_between(const Finding& a, const Finding& b) {
  return b.where.line - std::min(a.last.line, b.where.line);
}

// Without clocks, lines tell the order: writers that share a log print late, but not by thousands of lines. A kernel's
// log is often put behind the job's.
bool comes_too_late(const Finding& cause, const Finding& effect) {
  const bool has_clocks = cause.envelope.seconds > 0 && effect.envelope.seconds > 0;
  return !has_clocks && !cause.envelope.kernel && cause.where.input == effect.where.input &&
         cause.where.line > effect.last.line + kLinesThatAnEffectRunsAhead;
}

class Linker {
 public:
  Linker(const RuleIndex& index, std::vector<Node>& nodes)
      : index_(index), nodes_(nodes), relations_(rules_of(nodes)) {}

  void link() {
    link_exception_chains();
    link_previous_xids();
    for (std::size_t effect = 0; effect < nodes_.size(); ++effect) {
      if (nodes_[effect].is_absorbed || nodes_[effect].outside_job) continue;
      for (std::size_t cause = 0; cause < nodes_.size(); ++cause) link_pair(cause, effect);
    }
  }

 private:
  static std::vector<const Rule*> rules_of(const std::vector<Node>& nodes) {
    std::vector<const Rule*> rules;
    for (const Node& node : nodes) {
      if (node.finding->rule) rules.push_back(node.finding->rule);
    }
    return rules;
  }

  void link_pair(std::size_t cause, std::size_t effect) {
    if (cause == effect || nodes_[cause].is_absorbed || nodes_[cause].outside_job) return;
    if (explained_by_log(cause, effect) || explained_by_log(effect, cause)) return;
    const auto basis = explains(nodes_[cause], nodes_[effect]);
    if (!basis) return;
    const bool mutual = explains(nodes_[effect], nodes_[cause]).has_value();
    if (mutual && goes_first(nodes_[effect], nodes_[cause])) return;
    nodes_[effect].explained_by.push_back({cause, *basis});
  }

  // Of two that would explain each other: the higher role, then the earlier.
  static bool goes_first(const Node& a, const Node& b) {
    if (a.finding->role != b.finding->role) return a.finding->role > b.finding->role;
    return order_in_log(a) < order_in_log(b);
  }

  bool explained_by_log(std::size_t cause, std::size_t effect) const { return logged_.count({cause, effect}) > 0; }

  std::optional<Basis> explains(const Node& cause, const Node& effect) {
    if (comes_too_late(*cause.finding, *effect.finding)) return std::nullopt;
    if (lists(cause, effect)) return Basis::rule;
    if (cause.finding->role > effect.finding->role && may_lead_to(cause, effect)) return Basis::role;
    return std::nullopt;
  }

  // Whether the cause's rule lists the effect's, in the scope and under the conditions that it names.
  bool lists(const Node& cause_node, const Node& effect_node) {
    const Finding& cause = *cause_node.finding;
    const Finding& effect = *effect_node.finding;
    if (!cause.rule || !effect.rule) return false;
    const auto relations = relations_.between(*cause.rule, *effect.rule);
    return std::any_of(relations.begin(), relations.end(), [&](const Relation* relation) {
      return may_share(relation->same, cause_node, effect_node) && may_precede(cause, effect) &&
             all_hold(index_, relation->where, effect.emitter, effect.fields);
    });
  }

  // A mere warning explains no failure. But a program may print as a warning what a moment later brings it down.
  static bool may_lead_to(const Node& cause, const Node& effect) {
    if (is_failure(cause) || cause.severity >= effect.severity) return true;
    const Finding& a = *cause.finding;
    const Finding& b = *effect.finding;
    return tells_of_failure(cause) && !cause.survived && a.where.input == b.where.input &&
           a.where.line < b.where.line && lines_between(a, b) <= kLinesThatAWarningReaches &&
           may_share(Scope::rank, cause, effect);
  }

  // A parser saw which exception was raised while another was handled.
  void link_exception_chains() {
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> at;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!nodes_[i].is_absorbed) at.try_emplace(place_of(*nodes_[i].finding), i);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Finding& finding = *nodes_[i].finding;
      if (nodes_[i].is_absorbed || finding.because.line == 0) continue;
      const auto earlier = at.find({finding.because.input, finding.because.line});
      if (earlier == at.end() || earlier->second == i) continue;
      if (nodes_[earlier->second].finding->role >= finding.role) link_as_logged(earlier->second, i);
    }
  }

  // "Ch 00000011 caused by previous Xid 31"
  void link_previous_xids() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Finding& finding = *nodes_[i].finding;
      const std::string_view previous = finding.fields.get("caused_by");
      if (nodes_[i].is_absorbed || previous.empty()) continue;
      for (std::size_t j = 0; j < nodes_.size(); ++j) {
        const Finding& other = *nodes_[j].finding;
        const bool is_it = i != j && !nodes_[j].is_absorbed && other.kind == finding.kind &&
                           other.fields.get("xid") == previous && may_share(Scope::gpu, nodes_[i], nodes_[j]);
        if (is_it) link_as_logged(j, i);
      }
    }
  }

  void link_as_logged(std::size_t cause, std::size_t effect) {
    if (explained_by_log(effect, cause) || !logged_.insert({cause, effect}).second) return;
    nodes_[effect].explained_by.push_back({cause, Basis::log});
  }

  const RuleIndex& index_;
  std::vector<Node>& nodes_;
  const RelationTable relations_;
  std::set<std::pair<std::size_t, std::size_t>> logged_;  // cause and effect, by the log's own word
};

// Nodes that explain each other in a circle have no root; the first of them is as good as any.
void break_circles(std::vector<Node>& nodes, const std::vector<std::size_t>& in_order,
                   std::vector<std::size_t>& found) {
  std::vector<bool> reached = consequences_of(nodes, found);
  for (std::size_t i : in_order) {
    if (reached[i]) continue;
    nodes[i].explained_by.clear();
    found.push_back(i);
    reached = consequences_of(nodes, found);
  }
}

}  // namespace

std::vector<bool> consequences_of(const std::vector<Node>& nodes, std::span<const std::size_t> causes) {
  std::vector<std::vector<std::size_t>> effects(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const Link& link : nodes[i].explained_by) effects[link.cause].push_back(i);
  }
  std::vector<bool> reached(nodes.size(), false);
  std::vector<std::size_t> waiting(causes.begin(), causes.end());
  while (!waiting.empty()) {
    const std::size_t i = waiting.back();
    waiting.pop_back();
    if (reached[i]) continue;
    reached[i] = true;
    waiting.insert(waiting.end(), effects[i].begin(), effects[i].end());
  }
  return reached;
}

bool stands_before(const Node& a, const Node& b) {
  return order_in_log(a) < order_in_log(b);
}

void link_causes(const RuleIndex& index, std::vector<Node>& nodes) {
  Linker(index, nodes).link();
}

std::vector<std::size_t> roots(std::vector<Node>& nodes) {
  std::vector<std::size_t> consequences(nodes.size(), 0);
  for (const Node& node : nodes) {
    for (const Link& link : node.explained_by) ++consequences[link.cause];
  }
  const auto order = [&](std::size_t i) {
    const Finding& finding = *nodes[i].finding;
    const auto below_cause = static_cast<int>(Role::cause) - static_cast<int>(finding.role);
    const std::size_t explained = finding.role == Role::cause ? consequences[i] : 0;
    return std::tuple(!is_failure(nodes[i]), nodes[i].outside_job, below_cause,
                      std::numeric_limits<std::size_t>::max() - explained, order_in_log(nodes[i]));
  };
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_absorbed) all.push_back(i);
  }
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
  std::vector<std::size_t> found;
  for (std::size_t i : all) {
    if (!nodes[i].explained_by.empty()) continue;
    const bool first_of_its_kind = std::none_of(
        found.begin(), found.end(), [&](std::size_t root) { return is_failure(nodes[root]) == is_failure(nodes[i]); });
    if (nodes[i].finding->role == Role::cause || first_of_its_kind) {
      found.push_back(i);
    } else {
      nodes[i].explained_by.push_back({found.front(), Basis::role});
    }
  }
  break_circles(nodes, all, found);
  return found;
}

}  // namespace cutopsy
