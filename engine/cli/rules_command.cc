#include "engine/cli/rules_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>

#include "engine/cli/output.h"
#include "engine/cli/rule_examples.h"
#include "engine/cli/rule_json.h"
#include "engine/cli/rule_options.h"
#include "engine/cli/rule_page.h"
#include "engine/rule/lint.h"
#include "engine/rule/loader.h"
#include "engine/rule/nearest.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr int kGood = 0, kFound = 1, kUsage = 2;

constexpr std::string_view kHelp =
    "usage: cutopsy rules list [--family F] [--format text|json]   every rule: id, severity, title\n"
    "       cutopsy rules show ID...                               what rules say and what they match\n"
    "       cutopsy rules lint [PATH...] [--format text|json]      mistakes in rule files, with their place\n"
    "       cutopsy rules test [ID|FILE...]                        run the examples of rules (all without a name)\n\n"
    "  --rules PATH   add the rules of a file or folder; they replace built-in ones of the same id (repeatable)\n\n"
    "An ID may be a glob: 'driver/*'. Exit status: 0 all well, 1 lint or test found something, 2 usage error.\n";

struct Request {
  std::vector<std::string> names;  ///< what follows the options
  std::vector<std::string> rules;
  std::string format = "text";
  std::string family;
};

template <typename... Values>
int refuse(fmt::format_string<Values...> message, Values&&... values) {
  fmt::print(stderr, "cutopsy rules: {}\n", fmt::format(message, std::forward<Values>(values)...));
  return kUsage;
}

/// The rules whose id is `name` or matches it as a glob; says so on stderr when there are none.
std::vector<const Rule*> select(const RuleSet& rules, const std::string& name) {
  std::vector<const Rule*> selected;
  std::vector<std::string_view> ids;
  for (const Rule& rule : rules.rules()) {
    if (id_matches(name, rule.id)) selected.push_back(&rule);
    ids.push_back(rule.id);
  }
  if (selected.empty()) {
    constexpr std::size_t kSuggestions = 5;
    const auto near = nearest(name, ids, kSuggestions);
    refuse("no rule is '{}'; {}", name,
           near.empty() ? "`cutopsy rules list` names all" : fmt::format("near it: {}", fmt::join(near, ", ")));
  }
  return selected;
}

std::string_view family_of(const Rule& rule) {
  return rule.id.substr(0, rule.id.find('/'));
}

int list(const Request& request) {
  RuleSet rules;
  if (!load_rule_options(request.rules, rules)) return kUsage;
  std::vector<const Rule*> selected;
  std::vector<std::string_view> families;
  std::size_t width = 0;
  for (const Rule& rule : rules.rules()) {
    if (families.empty() || families.back() != family_of(rule)) families.push_back(family_of(rule));
    if (!request.family.empty() && family_of(rule) != request.family) continue;
    selected.push_back(&rule);
    width = std::max(width, rule.id.size());
  }
  if (selected.empty() && !request.family.empty()) {
    return refuse("--family: no rules in '{}'; families: {}", request.family, fmt::join(families, ", "));
  }
  std::string text;
  Json json = Json::array();
  for (const Rule* rule : selected) {
    text += fmt::format("{:{}}  {:7}  {}\n", rule->id, width, to_string(rule->severity), rule->title);
    json.push_back({{"id", rule->id},
                    {"severity", to_string(rule->severity)},
                    {"title", rule->title},
                    {"place", place_of(*rule)}});
  }
  return print_result(request.format == "json" ? as_text(json) : text, kGood);
}

int show(const Request& request) {
  if (request.names.empty()) return refuse("show: name a rule, e.g. cutopsy rules show assert/label-out-of-range");
  RuleSet rules;
  if (!load_rule_options(request.rules, rules)) return kUsage;
  std::string text;
  int status = kGood;
  for (const std::string& name : request.names) {
    const std::vector<const Rule*> selected = select(rules, name);
    if (selected.empty()) status = kUsage;
    for (const Rule* rule : selected) text += (text.empty() ? "" : "\n") + rule_page(*rule);
  }
  return print_result(text, status);
}

int lint(const Request& request) {
  std::vector<std::filesystem::path> paths(request.names.begin(), request.names.end());
  paths.insert(paths.end(), request.rules.begin(), request.rules.end());
  const LoadedRules loaded = paths.empty() ? LoadedRules{RuleSet::built_in(), {}} : load_rules(paths);
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
  return print_result(request.format == "json" ? as_text(json) : text, problems.empty() ? kGood : kFound);
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// The rules to test; the names that are files add theirs to `rules`. Nothing after a message on stderr.
std::optional<std::vector<const Rule*>> rules_to_test(const Request& request, RuleSet& rules) {
  std::vector<std::string> ids;
  std::vector<std::string> files;
  for (const std::string& name : request.names) (is_there(name) ? files : ids).push_back(name);
  std::vector<std::string> all_files = request.rules;
  all_files.insert(all_files.end(), files.begin(), files.end());
  if (!load_rule_options(all_files, rules)) return std::nullopt;

  std::map<std::string_view, const Rule*> chosen;
  for (const std::string& id : ids) {
    const std::vector<const Rule*> selected = select(rules, id);
    if (selected.empty()) return std::nullopt;
    for (const Rule* rule : selected) chosen.emplace(rule->id, rule);
  }
  const LoadedRules of_files = load_rules({files.begin(), files.end()});
  for (const Rule& rule : of_files.rules.rules()) {
    const Rule* same = rules.find(rule.id);
    chosen.emplace(same->id, same);
  }
  std::vector<const Rule*> result;
  for (const auto& [id, rule] : chosen) result.push_back(rule);
  if (request.names.empty()) {
    for (const Rule& rule : rules.rules()) result.push_back(&rule);
  }
  return result;
}

int test(const Request& request) {
  RuleSet rules;
  const auto selected = rules_to_test(request, rules);
  if (!selected) return kUsage;
  const RuleIndex index(rules);
  std::string text;
  std::size_t examples = 0, failures = 0;
  for (const Rule* rule : *selected) {
    const ExampleRun run = run_examples(*rule, index);
    examples += run.examples;
    failures += run.failures.size();
    for (const std::string& failure : run.failures) text += failure + "\n";
  }
  text += fmt::format("{} examples of {} rules, {} failed\n", examples, selected->size(), failures);
  return print_result(text, failures == 0 ? kGood : kFound);
}

struct Action {
  std::string_view name;
  int (*run)(const Request&);
  bool has_format;
  bool has_family;
  bool has_names;
};

constexpr Action kActions[] = {{"list", list, true, true, false},
                               {"show", show, false, false, true},
                               {"lint", lint, true, false, true},
                               {"test", test, false, false, true}};

std::optional<Request> parse(const Action& action, const std::vector<std::string>& arguments) {
  Request request;
  po::options_description options;
  auto add = options.add_options();
  add("rules", po::value(&request.rules));
  if (action.has_format) add("format", po::value(&request.format));
  if (action.has_family) add("family", po::value(&request.family));
  po::positional_options_description positional;
  if (action.has_names) {
    add("name", po::value(&request.names));
    positional.add("name", -1);
  }
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(options).positional(positional).style(style).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    refuse("{}: {}; see cutopsy rules --help", action.name, error.what());
    return std::nullopt;
  }
  if (request.format != "text" && request.format != "json") {
    refuse("--format: '{}' is not one of text, json", request.format);
    return std::nullopt;
  }
  return request;
}

}  // namespace

int run_rules_command(const std::vector<std::string>& arguments) {
  const bool wants_help = std::any_of(arguments.begin(), arguments.end(),
                                      [](const std::string& word) { return word == "--help" || word == "-h"; });
  if (wants_help) return print_result(std::string(kHelp), kGood);
  if (arguments.empty()) {
    fmt::print(stderr, "{}", kHelp);
    return kUsage;
  }
  const auto action = std::find_if(std::begin(kActions), std::end(kActions),
                                   [&](const Action& known) { return known.name == arguments.front(); });
  if (action == std::end(kActions)) {
    std::vector<std::string_view> names;
    for (const Action& known : kActions) names.push_back(known.name);
    return refuse("'{}' is no action{}", arguments.front(), suggestion(arguments.front(), names));
  }
  const auto request = parse(*action, {arguments.begin() + 1, arguments.end()});
  return request ? action->run(*request) : kUsage;
}

}  // namespace cutopsy
