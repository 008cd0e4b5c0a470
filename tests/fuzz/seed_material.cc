// What seeds are made from that only the program knows.
//
//   seed_material literals       the texts that the scan looks for, one a line, as libFuzzer quotes them in
//   dictionaries
//                                (https://llvm.org/docs/LibFuzzer.html#dictionaries): chance does not come upon them
//   seed_material report FILE..  the report on the files as JSON Lines, each a case of its own
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/batch.h"
#include "engine/report/json_report.h"
#include "engine/report/report_document.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

std::string quoted(std::string_view literal) {
  std::string text = "\"";
  for (const unsigned char c : literal) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\x%02x" : "%c", c);
    text += escaped;
  }
  return text + '"';
}

void print_literals(const RuleIndex& index) {
  for (const std::string& literal : index.scanner().literals()) std::puts(quoted(literal).c_str());
  for (const std::string_view mark : Stripper::hiding_marks()) std::puts(quoted(mark).c_str());
}

void print_report(const RuleIndex& index, const std::vector<std::string>& files) {
  const Batch batch = analyse_inputs(index, list_inputs(files), {.grouping = Grouping::separate});
  std::fputs(json_lines_report(report_document(batch, index.rules()), true).c_str(), stdout);
}

}  // namespace
}  // namespace cutopsy

int main(int argc, char** argv) {
  using namespace cutopsy;
  const RuleIndex index(RuleSet::built_in());
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"literals"}) {
    print_literals(index);
  } else if (arguments.size() > 1 && arguments.front() == "report") {
    print_report(index, {arguments.begin() + 1, arguments.end()});
  } else {
    std::fputs("usage: seed_material literals | report FILE...\n", stderr);
    return 2;
  }
}
