#include "engine/cli/rules_command.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <iterator>
#include <optional>
#include <string_view>

#include "engine/cli/option_value.h"
#include "engine/cli/output.h"
#include "engine/cli/rules_actions.h"
#include "engine/rule/nearest.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;
using rules_action::kGood, rules_action::kUsage, rules_action::refuse;

constexpr std::string_view kHelp =
    "usage: cutopsy rules list [--family F] [--severity S] [--status S]   every rule: id, severity, title\n"
    "       cutopsy rules show ID... [--origin]     what rules say and what they match; where they come from\n"
    "       cutopsy rules lint [PATH...]            mistakes in rule files, with their place\n"
    "       cutopsy rules test [ID|FILE...]         run the examples of rules (all without a name)\n"
    "       cutopsy rules new --from LOG[:LINE]     draft a rule from a log\n"
    "       cutopsy rules coverage LOG...           which rules fire on logs, and which error lines none explains\n"
    "       cutopsy rules schema                    the JSON Schema of rule files, for editors\n"
    "       cutopsy rules diff A B                  what changed for users between two files or folders of rules;\n"
    "                                               'built-in' stands for the rules of this program\n\n"
    "  --rules PATH   add the rules of a file or folder; they replace built-in ones of the same id (repeatable; the\n"
    "                 last wins; `disable:` and `append:` change rules that stand elsewhere)\n"
    "  --format F     text or json; list and diff also md\n\n"
    "An ID may be a glob: 'driver/*'. Exit status: 0 all well, 1 lint, test or diff found something, 2 usage error.\n";

// Options besides --rules.
enum Option : unsigned { kFormat = 1, kMarkdown = 2, kFilters = 4, kNames = 8, kFrom = 16, kOrigin = 32 };

struct Action {
  std::string_view name;
  int (*run)(const RulesRequest&);
  unsigned options;
};

constexpr Action kActions[] = {
    {"list", rules_action::list, kFormat | kMarkdown | kFilters},
    {"show", rules_action::show, kFormat | kNames | kOrigin},
    {"lint", rules_action::lint, kFormat | kNames},
    {"test", rules_action::test, kNames},
    {"new", rules_action::draft, kFrom},
    {"coverage", rules_action::coverage, kFormat | kNames},
    {"schema", rules_action::schema, 0},
    {"diff", rules_action::diff, kFormat | kMarkdown | kNames},
};

std::optional<RulesRequest> parse(const Action& action, const std::vector<std::string>& arguments) {
  RulesRequest request;
  po::options_description options;
  auto add = options.add_options();
  add("rules", po::value(&request.rules));
  if (action.options & kFormat) add("format", po::value(&request.format));
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
    refuse("{}: {}; see cutopsy rules --help", action.name, error.what());
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
  const bool wants_help =
      std::ranges::any_of(arguments, [](const auto& word) { return word == "--help" || word == "-h"; });
  if (wants_help) return print_result(std::string(kHelp), kGood);
  if (arguments.empty()) {
    fmt::print(stderr, "{}", kHelp);
    return kUsage;
  }
  const auto action = std::ranges::find(kActions, arguments.front(), &Action::name);
  if (action == std::end(kActions)) {
    std::vector<std::string_view> names;
    for (const Action& known : kActions) names.push_back(known.name);
    return refuse("'{}' is no action{}", arguments.front(), suggestion(arguments.front(), names));
  }
  const auto request = parse(*action, {arguments.begin() + 1, arguments.end()});
  return request ? action->run(*request) : kUsage;
}

}  // namespace cutopsy
