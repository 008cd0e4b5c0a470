#include "engine/cli/rules_command.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <iterator>
#include <optional>
#include <string_view>

#include "engine/cli/option_value.h"
#include "engine/cli/output.h"
#include "engine/cli/rules_actions.h"
#include "engine/report/message.h"
#include "engine/rule/nearest.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;
using rules_action::kGood, rules_action::kUsage, rules_action::refuse;

// Options of the actions. Every action but schema and events takes --rules.
enum Option : unsigned { kRules = 1, kFormat = 2, kMarkdown = 4, kFilters = 8, kNames = 16, kFrom = 32, kOrigin = 64 };

struct OptionHelp {
  unsigned option;
  std::string_view text;
};

constexpr OptionHelp kOptionHelp[] = {
    {kRules,
     "  --rules PATH     add the rules of a file or folder; they replace built-in ones of the same id (repeatable; "
     "the\n"
     "                   last wins; `disable:`, `append:` and `prepend:` change rules that stand elsewhere)\n"},
    {kFormat, "  --format F       text or json\n"},
    {kMarkdown, "  --format F       text, json or md\n"},
    {kFilters,
     "  --family F       only rules whose id starts with F/\n"
     "  --severity S     only rules of this severity: info, warning, error, fatal\n"
     "  --status S       only rules of this status: stable, experimental, deprecated\n"},
    {kFrom,
     "  --from LOG       the log; LOG:120 names the deciding line, LOG:120,135 lines that come one after the other\n"},
    {kOrigin, "  --origin         which file says what of the rule, the last wins\n"},
};

struct Action {
  std::string_view name;
  int (*run)(const RulesRequest&);
  unsigned options;
  std::string_view operands;
  std::string_view summary;  ///< for the list of actions
  std::string_view details;  ///< what else `cutopsy rules NAME --help` says
};

constexpr Action kActions[] = {
    {"list", rules_action::list, kRules | kMarkdown | kFilters, "[--family F] [--severity S] [--status S]",
     "every rule: id, severity, title", ""},
    {"show", rules_action::show, kRules | kFormat | kNames | kOrigin, "ID... [--origin]",
     "what rules say and what they match",
     "An ID may be a glob: 'driver/*'. Exit status: 0, or 2 for an unknown id.\n"},
    {"lint", rules_action::lint, kRules | kFormat | kNames, "[PATH...]", "mistakes in rule files, with their place",
     "Without a PATH the built-in rules are read. One line for each mistake: FILE:LINE:COLUMN: what is wrong and what "
     "to\n"
     "write instead [code]. Exit status: 0 no mistake, 1 mistakes, 2 a PATH cannot be read.\n"},
    {"test", rules_action::test, kRules | kNames, "[ID|FILE...]", "run the examples of rules (all without a name)",
     "Each log: must match, with its fields:; each not: must not; each todo: is a gap that is known. It says when "
     "another\n"
     "rule claims an example first. Exit status: 0 all hold, 1 one does not, 2 a name is unknown.\n"},
    {"new", rules_action::draft, kRules | kFrom, "--from LOG[:LINE[,LINE]]", "draft a rule from a log",
     "The draft goes to standard output; without a LINE it is of the fault that no rule knows.\n"},
    {"coverage", rules_action::coverage, kRules | kFormat | kNames, "LOG...",
     "which rules fire on logs, and which error lines none explains",
     "LOG is a file, a folder or a pattern. The commonest unexplained lines come first, numbers and paths masked.\n"},
    {"events", rules_action::events, kFormat | kNames, "[KIND...]", "what `event:` may name, with the fields of each",
     "Without a KIND all kinds in one line each; with one, or a glob, its fields too.\n"},
    {"schema", rules_action::schema, 0, "", "the JSON Schema of rule files, for editors", ""},
    {"diff", rules_action::diff, kRules | kMarkdown | kNames, "A B",
     "what changed for users between two files or folders of rules",
     "'built-in' stands for the rules of this program. Exit status: 0 nothing changed, 1 something did.\n"},
};

std::string usage_of(const Action& action) {
  return fmt::format("cutopsy rules {}{}{}", action.name, action.operands.empty() ? "" : " ", action.operands);
}

std::string help() {
  std::string text = "usage: cutopsy rules ACTION\n\n";
  for (const Action& action : kActions) text += fmt::format("  {:9} {}\n", action.name, action.summary);
  return text + "\nEach takes --help. Exit status: 0 all well, 1 lint, test or diff found something, 2 usage error.\n";
}

std::string help_of(const Action& action) {
  std::string text = fmt::format("usage: {}\n\n{}: {}\n", usage_of(action), action.name, action.summary);
  if (!action.details.empty()) text += fmt::format("\n{}", action.details);
  std::string options;
  for (const OptionHelp& option : kOptionHelp)
    if (action.options & option.option) options += option.text;
  return options.empty() ? text : text + "\n" + options;
}

std::optional<RulesRequest> parse(const Action& action, const std::vector<std::string>& arguments) {
  RulesRequest request;
  po::options_description options;
  auto add = options.add_options();
  if (action.options & kRules) add("rules", po::value(&request.rules));
  if (action.options & (kFormat | kMarkdown)) add("format", po::value(&request.format));
  if (action.options & kFilters) {
    add("family", po::value(&request.family));
    add("severity", po::value(&request.severity));
    add("status", po::value(&request.status));
  }
  if (action.options & kFrom) add("from", po::value(&request.from));
  if (action.options & kOrigin) add("origin", po::bool_switch(&request.origin));
  po::positional_options_description positional;
  if (action.options & kNames) {
    add("name", po::value(&request.names));
    positional.add("name", -1);
  }
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(options).positional(positional).style(style).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    refuse("{}: {}; see cutopsy rules {} --help", action.name, error.what(), action.name);
    return std::nullopt;
  }
  std::vector<std::string> formats = {"text", "json"};
  if (action.options & kMarkdown) formats.push_back("md");
  const bool valid = is_one_of("format", request.format, formats) &&
                     is_one_of("severity", request.severity, {"", "info", "warning", "error", "fatal"}) &&
                     is_one_of("status", request.status, {"", "stable", "experimental", "deprecated"});
  return valid ? std::optional(request) : std::nullopt;
}

}  // namespace

int run_rules_command(const std::vector<std::string>& arguments) {
  const auto is_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (arguments.empty()) {
    write_message(help());
    return kUsage;
  }
  if (is_help(arguments.front())) return print_result(help(), kGood);
  const auto action = std::ranges::find(kActions, arguments.front(), &Action::name);
  if (action == std::end(kActions)) {
    std::vector<std::string_view> names;
    for (const Action& known : kActions) names.push_back(known.name);
    return refuse("'{}' is no action{}", arguments.front(), suggestion(arguments.front(), names));
  }
  if (std::ranges::any_of(arguments, is_help)) return print_result(help_of(*action), kGood);
  const auto request = parse(*action, {arguments.begin() + 1, arguments.end()});
  return request ? action->run(*request) : kUsage;
}

}  // namespace cutopsy
