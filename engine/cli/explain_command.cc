#include "engine/cli/explain_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/cli/option_value.h"
#include "engine/cli/output.h"
#include "engine/cli/rule_json.h"
#include "engine/cli/rule_options.h"
#include "engine/cli/rule_page.h"
#include "engine/cli/subject.h"
#include "engine/report/message.h"
#include "engine/report/printable.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr int kKnown = 0, kUnknown = 1, kUsage = 2;
constexpr std::size_t kPages = 2;  // of the likeliest reading; further rules are named only

constexpr std::string_view kHelp =
    "usage: cutopsy explain WHAT... [--format text|json] [--rules PATH]\n\n"
    "WHAT is a number (710), a name (cudaErrorAssert, CUBLAS_STATUS_ALLOC_FAILED, torch.OutOfMemoryError), what a\n"
    "program printed ('an illegal memory access was encountered'), xid 79, sxid 20034, exit 137, or the id of a rule\n"
    "(assert/label-out-of-range, 'driver/*'). Several words are one question; without any, or with -, the question is\n"
    "read from standard input.\n\n"
    "Exit status: 0 known, 1 nothing is known of it, 2 usage error.\n";

struct Request {
  std::vector<std::string> words;
  std::vector<std::string> rules;
  std::string format = "text";
};

int refuse(const std::string& message) {
  print_message("cutopsy explain: {}\n", message);
  return kUsage;
}

std::optional<Request> parse(const std::vector<std::string>& arguments) {
  Request request;
  po::options_description options;
  auto add = options.add_options();
  add("rules", po::value(&request.rules));
  add("format", po::value(&request.format));
  add("word", po::value(&request.words));
  po::positional_options_description positional;
  positional.add("word", -1);
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(options).positional(positional).style(style).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    refuse(fmt::format("{}; see cutopsy explain --help; a text that begins with '-' goes behind --", error.what()));
    return std::nullopt;
  }
  return is_one_of("format", request.format, {"text", "json"}) ? std::optional(request) : std::nullopt;
}

/// The question, or nothing after a message on stderr.
std::optional<std::string> question_of(const Request& request) {
  if (!request.words.empty() && request.words != std::vector<std::string>{"-"})
    return fmt::format("{}", fmt::join(request.words, " "));
  if (request.words.empty() && isatty(STDIN_FILENO)) {
    refuse("say what to explain, e.g. cutopsy explain 710; see cutopsy explain --help");
    return std::nullopt;
  }
  constexpr std::size_t kMaxBytes = 64 << 10;  // a message, not a log
  std::string text(kMaxBytes, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  return text;
}

std::string heading(const Subject& subject) {
  std::string text = subject.kind == "rule" ? "" : fmt::format("{}: {}", subject.kind, subject.name);
  if (!subject.says.empty()) text += fmt::format(" (\"{}\")", subject.says);
  return text;
}

std::string text_of(const std::vector<Subject>& subjects, const RuleSet& rules) {
  const Subject& first = subjects.front();
  std::string text = heading(first);
  if (!text.empty()) text += "\n\n";
  if (first.rules.empty()) text += "It reports a state, not a fault; no rule is needed for it.\n";
  const bool is_list = first.kind == "rule" && subjects.size() > 1;
  if (is_list) {
    for (const Subject& subject : subjects) text += fmt::format("{}  {}\n", subject.name, subject.rules.front()->title);
    return text;
  }
  for (std::size_t i = 0; i < first.rules.size(); ++i) {
    if (i < kPages) {
      text += (i > 0 ? "\n" : "") + explain_page(*first.rules[i], rules, i == 0 ? first.fields : Fields());
    } else {
      text += fmt::format("{}{}  {}\n", i == kPages ? "\nIt also reaches these; cutopsy explain ID tells more\n" : "",
                          first.rules[i]->id, first.rules[i]->title);
    }
  }
  for (std::size_t i = 1; i < subjects.size(); ++i)
    text += fmt::format("{}  {}: cutopsy explain {}\n", i == 1 ? "\nIt may also mean\n" : "", heading(subjects[i]),
                        subjects[i].name);
  return text;
}

std::string json_of(const std::string& query, const std::vector<Subject>& subjects, const RuleSet& rules) {
  Json json = {{"schema", "cutopsy/explain/v1"}, {"query", query}, {"subjects", Json::array()}};
  for (const Subject& subject : subjects) {
    Json known = Json::array();
    for (const Rule* rule : subject.rules) known.push_back(rule_json(*rule, rules));
    json["subjects"].push_back(
        {{"kind", subject.kind}, {"name", subject.name}, {"says", subject.says}, {"rules", std::move(known)}});
  }
  json["near"] = subjects.empty() ? near_subjects(query, rules) : std::vector<std::string_view>();
  return as_text(json);
}

}  // namespace

int run_explain_command(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
    return print_result(std::string(kHelp), kKnown);
  const auto request = parse(arguments);
  if (!request) return kUsage;
  RuleSet rules;
  if (!load_rule_options(request->rules, rules)) return kUsage;
  const auto question = question_of(*request);
  if (!question) return kUsage;
  const RuleIndex index(rules);
  const std::vector<Subject> subjects = find_subjects(*question, index);
  const int status = subjects.empty() ? kUnknown : kKnown;
  if (request->format == "json") return print_plain_result(json_of(*question, subjects, rules), status);
  if (!subjects.empty()) return print_plain_result(text_of(subjects, rules), status);
  constexpr std::size_t kShownBytes = 80;
  const auto near = near_subjects(*question, rules);
  print_message("cutopsy explain: nothing is known of '{}'{}\n", printable(*question, kShownBytes),
                near.empty() ? "; `cutopsy rules list` names all that is known"
                             : fmt::format("; near it: {}", fmt::join(near, ", ")));
  return kUnknown;
}

}  // namespace cutopsy
