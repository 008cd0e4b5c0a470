#include <re2/re2.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "engine/cli/output.h"
#include "engine/cli/rule_coverage.h"
#include "engine/cli/rule_draft.h"
#include "engine/cli/rule_examples.h"
#include "engine/cli/rule_json.h"
#include "engine/cli/rule_options.h"
#include "engine/cli/rule_selection.h"
#include "engine/cli/rules_actions.h"
#include "engine/report/message.h"
#include "engine/report/printable.h"
#include "engine/rule/lint.h"
#include "engine/rule/loader.h"
#include "engine/source/byte_source.h"

namespace cutopsy::rules_action {
namespace {

using Json = nlohmann::ordered_json;

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// The rules to test; the names that are files add theirs to `rules`. Nothing after a message on stderr.
std::optional<std::vector<const Rule*>> rules_to_test(const RulesRequest& request, RuleSet& rules) {
  std::vector<std::string> ids;
  std::vector<std::string> files;
  for (const std::string& name : request.names) (is_there(name) ? files : ids).push_back(name);
  if (!load_rule_options(request.rules, rules)) return std::nullopt;
  LoadedRules of_files = load_rules({files.begin(), files.end()});
  rules = laid_over(rules, of_files);
  for (const RuleProblem& problem : of_files.problems) print_message("cutopsy rules: {}\n", to_string(problem));
  if (!of_files.problems.empty()) return std::nullopt;

  std::map<std::string_view, const Rule*> chosen;
  for (const std::string& id : ids) {
    const std::vector<const Rule*> selected = select_rules(rules, id);
    if (selected.empty()) return std::nullopt;
    for (const Rule* rule : selected) chosen.emplace(rule->id, rule);
  }
  for (const Rule& rule : of_files.rules.rules()) {
    const Rule* same = rules.find(rule.id);
    if (same) chosen.emplace(same->id, same);
  }
  for (const Amendment& amendment : of_files.amendments) {
    const Rule* grown = rules.find(amendment.target);
    if (grown) chosen.emplace(grown->id, grown);
  }
  std::vector<const Rule*> result;
  for (const auto& [id, rule] : chosen) result.push_back(rule);
  if (request.names.empty()) {
    for (const Rule& rule : rules.rules()) result.push_back(&rule);
  }
  return result;
}

/// The rules of the set that found nothing.
std::vector<std::string_view> silent_rules(const RuleSet& rules, const RuleCoverage& coverage) {
  std::vector<std::string_view> silent;
  for (const Rule& rule : rules.rules())
    if (!coverage.fired.contains(std::string(rule.id))) silent.push_back(rule.id);
  return silent;
}

std::vector<std::pair<std::string, std::size_t>> by_frequency(const RuleCoverage& coverage) {
  std::vector<std::pair<std::string, std::size_t>> fired(coverage.fired.begin(), coverage.fired.end());
  std::ranges::stable_sort(fired, [](const auto& a, const auto& b) { return a.second > b.second; });
  return fired;
}

constexpr std::size_t kMaxTextBytes = 160;

std::string text_of(const RuleCoverage& coverage, const RuleSet& rules) {
  constexpr std::size_t kShownLines = 25;
  std::string text = fmt::format("{} logs, {} of {} rules found something\n\n", coverage.inputs, coverage.fired.size(),
                                 rules.rules().size());
  for (const auto& [id, inputs] : by_frequency(coverage)) text += fmt::format("{:6}  {}\n", inputs, id);
  if (coverage.inputs == 0) return text;
  text += coverage.unexplained.empty() ? "\nEvery line that looks like an error belongs to a rule.\n"
                                       : "\nLines that look like errors and belong to no rule: logs, times, sample\n";
  for (std::size_t i = 0; i < std::min(kShownLines, coverage.unexplained.size()); ++i) {
    const UnexplainedLine& line = coverage.unexplained[i];
    text += fmt::format("{:6} {:7}  {}\n                {}\n", line.inputs, line.count,
                        printable(line.text, kMaxTextBytes), line.sample);
  }
  if (coverage.unexplained.size() > kShownLines)
    text += fmt::format("and {} more kinds; --format json has all\n", coverage.unexplained.size() - kShownLines);
  if (coverage.not_counted > 0)
    text += fmt::format("{} lines more were not counted: more than {} kinds\n", coverage.not_counted, kMaxSignatures);
  if (!coverage.unexplained.empty()) text += "\n`cutopsy rules new --from FILE:LINE` drafts a rule from one of them.\n";
  return text;
}

std::string json_of(const RuleCoverage& coverage, const RuleSet& rules) {
  Json json = {{"inputs", coverage.inputs}, {"fired", Json::object()}, {"unexplained", Json::array()}};
  for (const auto& [id, inputs] : by_frequency(coverage)) json["fired"][id] = inputs;
  for (const UnexplainedLine& line : coverage.unexplained)
    json["unexplained"].push_back({{"signature", line.signature},
                                   {"inputs", line.inputs},
                                   {"count", line.count},
                                   {"sample", line.sample},
                                   {"text", printable(line.text, Fields::kMaxValueBytes)}});
  json["not_counted"] = coverage.not_counted;
  json["silent"] = silent_rules(rules, coverage);
  return as_text(json);
}

/// A log, and up to two of its lines in ascending order.
struct LogLines {
  std::string log;
  std::vector<std::uint64_t> lines;
};

/// "train.log:12" is line 12 of train.log, "train.log:12,30" two of its lines, unless a file has that whole name.
LogLines read_log_lines(const std::string& from) {
  static const RE2 form(R"((?s)(.+):(\d{1,18})(?:,(\d{1,18}))?)");
  LogLines named{from, {}};
  std::string log, second;
  std::uint64_t first = 0;
  if (is_there(from) || !RE2::FullMatch(from, form, &log, &first, &second)) return named;
  named = {log, {first}};
  if (!second.empty() && std::stoull(second) != first) named.lines.push_back(std::stoull(second));
  std::ranges::sort(named.lines);
  return named;
}

/// What the draft needs before it is a rule; "" when it matches the log that it was made from.
std::string doubt_about(const std::string& draft) {
  LoadedRules loaded = load_rules_from_text("draft", draft);
  if (!loaded.problems.empty()) return to_string(loaded.problems.front());
  const RuleSet rules = laid_over(RuleSet::built_in(), loaded);
  const RuleIndex index(rules);
  for (const Rule& rule : loaded.rules.rules()) {
    const ExampleRun run = run_examples(*rules.find(rule.id), index);
    if (!run.failures.empty()) return run.failures.front();
    if (!run.claimed.empty()) return run.claimed.front();
  }
  return "";
}

}  // namespace

int lint(const RulesRequest& request) {
  std::vector<std::filesystem::path> paths(request.names.begin(), request.names.end());
  paths.insert(paths.end(), request.rules.begin(), request.rules.end());
  const LoadedRules loaded = paths.empty() ? LoadedRules{RuleSet::built_in(), {}, {}} : load_rules(paths);
  const std::vector<RuleProblem> problems = lint_loaded(loaded, RuleSet::built_in());
  std::string text;
  Json json = Json::array();
  for (const RuleProblem& problem : problems) {
    text += to_string(problem) + "\n";
    json.push_back({{"code", problem.code},
                    {"file", problem.file},
                    {"line", problem.line},
                    {"column", problem.column},
                    {"message", problem.message}});
  }
  const auto is_unreadable = [](const RuleProblem& problem) { return problem.code == "unreadable"; };
  const int status = problems.empty() ? kGood : std::ranges::any_of(problems, is_unreadable) ? kUsage : kFound;
  return print_plain_result(request.format == "json" ? as_text(json) : text, status);
}

int test(const RulesRequest& request) {
  RuleSet rules;
  const auto selected = rules_to_test(request, rules);
  if (!selected) return kUsage;
  const RuleIndex index(rules);
  std::string text;
  std::size_t examples = 0, failures = 0, gaps = 0, claimed = 0;
  for (const Rule* rule : *selected) {
    const ExampleRun run = run_examples(*rule, index);
    examples += run.examples;
    failures += run.failures.size();
    gaps += run.gaps;
    claimed += run.claimed.size();
    for (const std::string& failure : run.failures) text += failure + "\n";
    for (const std::string& note : run.claimed) text += note + "\n";
  }
  text += fmt::format("{} examples of {} rules, {} failed", examples, selected->size(), failures);
  if (gaps > 0) text += fmt::format(", {} known gaps", gaps);
  if (claimed > 0) text += fmt::format(", {} claimed by another rule", claimed);
  return print_plain_result(text + "\n", failures == 0 ? kGood : kFound);
}

int coverage(const RulesRequest& request) {
  if (request.names.empty())
    return refuse("coverage: name logs, folders or patterns, e.g. cutopsy rules coverage logs/");
  RuleSet rules;
  if (!load_rule_options(request.rules, rules)) return kUsage;
  const RuleIndex index(rules);
  const RuleCoverage coverage = measure_coverage(index, list_inputs(request.names));
  for (const std::string& error : coverage.errors) print_message("cutopsy rules: {}\n", error);
  const int status = coverage.errors.empty() ? kGood : kUsage;
  return print_plain_result(request.format == "json" ? json_of(coverage, rules) : text_of(coverage, rules), status);
}

int draft(const RulesRequest& request) {
  if (request.from.empty())
    return refuse("new: name a log that has the fault: cutopsy rules new --from train.log:120 > mine.yaml");
  RuleSet rules;
  if (!load_rule_options(request.rules, rules)) return kUsage;
  const RuleIndex index(rules);
  try {
    const auto [log, lines] = read_log_lines(request.from);
    const std::string text = draft_rule(index, log, lines);
    if (const std::string doubt = doubt_about(text); !doubt.empty()) print_message("cutopsy rules: {}\n", doubt);
    print_message(
        "cutopsy rules: a draft: write what stands behind TODO, then run `cutopsy rules lint` and `cutopsy rules "
        "test` on the file\n");
    return print_result(text, kGood);
  } catch (const SourceError& error) {
    return refuse("new: {}", error.what());
  }
}

}  // namespace cutopsy::rules_action
