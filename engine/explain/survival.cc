#include "engine/explain/survival.h"

#include <algorithm>

namespace cutopsy {
namespace {

// Kernel logs and sanitizers report facts; a job that ends well does not take them back.
bool stands_whatever_follows(const Finding& finding) {
  return finding.envelope.kernel || finding.kind.starts_with("kernel.") || finding.kind.starts_with("sanitizer.");
}

bool says_itself_no_error(const Finding& finding) {
  const std::string& level = finding.envelope.level;
  return level == "warning" || ((level == "info" || level == "debug") && finding.record == 0);
}

// The last line of `input` that says that the job ended well, 0 if none does.
std::uint64_t last_good_word(std::span<const Fact> facts, std::uint32_t input) {
  std::uint64_t line = 0;
  for (const Fact& fact : facts) {
    if (fact.where.input == input && fact.name == "outcome" && fact.value == "ok")
      line = std::max(line, fact.where.line);
  }
  return line;
}

bool bad_word_after(std::span<const Fact> facts, std::uint32_t input, std::uint64_t line) {
  return std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) {
    return fact.where.input == input && fact.where.line > line && fact.name == "exit_code" && fact.value != "0";
  });
}

bool is_failure_after(const Node& node, const Finding& finding, std::uint64_t line) {
  return node.finding != &finding && node.finding->where.input == finding.where.input &&
         node.finding->last.line > line && is_failure(node);
}

bool failure_after(const std::vector<Node>& nodes, const Finding& finding, std::uint64_t line) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const Node& node) { return is_failure_after(node, finding, line); });
}

bool goes_on(const InputTraits& input, std::uint64_t line) {
  return input.lines > line + kLinesThatShowSurvival || input.steady_since > line;
}

// Ranks of a job that is done leave one by one, and those still there lose their peers: "Connection closed".
bool is_of_shutdown(const std::vector<Node>& nodes, const Finding& finding, std::span<const Fact> facts,
                    std::uint64_t good) {
  if (finding.role != Role::effect || good == 0 || finding.where.line <= good) return false;
  if (bad_word_after(facts, finding.where.input, good)) return false;
  return std::none_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    return is_failure_after(node, finding, good) && node.finding->role != Role::effect;
  });
}

// A fault of the machine on another day, beside a failure of the job itself, is worth a look and no more.
void lower_what_lies_outside(std::vector<Node>& nodes) {
  const bool job_failed =
      std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return !node.outside_job && is_failure(node); });
  if (!job_failed) return;
  for (Node& node : nodes) {
    if (node.outside_job) node.severity = std::min(node.severity, Severity::warning);
  }
}

}  // namespace

void lower_what_was_survived(std::vector<Node>& nodes, std::span<const Fact> facts,
                             std::span<const InputTraits> inputs) {
  for (Node& node : nodes) {
    bool of_kernel = stands_whatever_follows(*node.finding);
    if (!of_kernel && says_itself_no_error(*node.finding)) node.severity = std::min(node.severity, Severity::warning);
  }
  for (Node& node : nodes) {
    const Finding& finding = *node.finding;
    if (stands_whatever_follows(finding) || !is_failure(node)) continue;
    std::uint64_t good = last_good_word(facts, finding.where.input);
    bool ended_well = good > finding.last.line && !bad_word_after(facts, finding.where.input, good) &&
                      !failure_after(nodes, finding, good);
    bool went_on = finding.role == Role::generic && finding.where.input < inputs.size() &&
                   goes_on(inputs[finding.where.input], finding.last.line) &&
                   !bad_word_after(facts, finding.where.input, finding.last.line) &&
                   !failure_after(nodes, finding, finding.last.line);
    node.survived = ended_well || went_on || is_of_shutdown(nodes, finding, facts, good);
    if (node.survived) node.severity = std::min(node.severity, Severity::warning);
  }
  lower_what_lies_outside(nodes);
}

}  // namespace cutopsy
