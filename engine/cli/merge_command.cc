#include "engine/cli/merge_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "engine/cli/option_value.h"
#include "engine/cli/output.h"
#include "engine/cli/report_options.h"
#include "engine/cli/rule_options.h"
#include "engine/report/message.h"
#include "engine/report/report_document.h"
#include "engine/report/report_lines_reader.h"
#include "engine/report/statistics.h"
#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kMostFaults = 5;  // told of one input: it may be no report at all

struct Request {
  std::vector<std::string> inputs;
  ReportOptions report;
  std::string fail_on = "never";
};

po::options_description visible_options(Request& request) {
  request.report.format = "jsonl";
  po::options_description options("Options");
  request.report.add_to(options);
  options.add_options()("fail-on", po::value(&request.fail_on)->value_name("fatal|error|warning|never"),
                        "exit with 1 from this severity on (default: never)");
  return options;
}

std::string help() {
  Request request;
  std::ostringstream options;
  options << visible_options(request);
  return fmt::format(
      "usage: cutopsy merge [OPTIONS] FILE...\n\n"
      "Reads what cutopsy --format jsonl wrote, here or elsewhere (- is standard input), and makes one row of all\n"
      "incidents of a fingerprint: how many cases, which, when first and last, one sample. What it writes it also "
      "reads:\n"
      "files may be merged in any order and grouping, the result is the same, byte for byte.\n\n{}",
      options.str());
}

std::optional<Request> parse(const std::vector<std::string>& arguments) {
  Request request;
  po::options_description all;
  all.add(visible_options(request));
  all.add_options()("input", po::value(&request.inputs));
  po::positional_options_description positional;
  positional.add("input", -1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    print_message("cutopsy merge: {}; see cutopsy merge --help\n", error.what());
    return std::nullopt;
  }
  if (!request.report.prepare() || !is_one_of("fail-on", request.fail_on, kFailOnValues)) return std::nullopt;
  if (request.inputs.empty()) {
    if (isatty(STDIN_FILENO)) {
      print_message("cutopsy merge: nothing to read; name files that cutopsy --format jsonl wrote\n");
      return std::nullopt;
    }
    request.inputs.push_back("-");
  }
  return request;
}

struct Merged {
  IncidentRows rows;
  Json statistics;
  bool is_complete = true;
};

Merged read_all(const std::vector<std::string>& inputs) {
  Merged merged;
  const auto see = [&](Json line) {
    const bool is_incident = !text_in(line, "fingerprint").empty() && !text_in(line, "rule").empty();
    if (is_incident) {
      merged.rows.add(std::move(line));
    } else if (line.contains("statistics")) {
      add_statistics(merged.statistics, object_in(line, "statistics"));
    } else {
      return false;
    }
    return true;
  };
  std::size_t faults = 0;  // of one input
  const auto complain = [&](const std::string& message) {
    if (++faults <= kMostFaults) print_message("cutopsy merge: {}\n", message);
    merged.is_complete = false;
  };
  for (const std::string& input : inputs) {
    faults = 0;
    try {
      read_report_lines(input, see, complain);
    } catch (const SourceError& error) {
      complain(error.what());
    }
    if (faults > kMostFaults)
      print_message("cutopsy merge: {}: {} more lines like these\n", input, faults - kMostFaults);
  }
  return merged;
}

}  // namespace

int run_merge_command(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
    return print_result(help(), 0);
  const auto request = parse(arguments);
  if (!request) return 2;
  RuleSet rules;
  if (!load_rule_options(request->report.rules, rules)) return 2;
  Merged merged = read_all(request->inputs);
  Json document = merged_document(merged.rows, std::move(merged.statistics), rules);
  request->report.finish(document);
  const bool files_written = request->report.write_files(document, rules);
  const int printed = print_result(request->report.render(document, rules, STDOUT_FILENO), 0);
  if (printed != 0) return printed;
  if (!merged.is_complete || !files_written) return 2;
  return is_reached(request->fail_on, document) ? 1 : 0;
}

}  // namespace cutopsy
