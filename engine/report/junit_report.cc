#include "engine/report/junit_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "engine/report/incident_rows.h"
#include "engine/report/incident_text.h"
#include "engine/report/report_document.h"
#include "engine/report/runner_commands.h"
#include "engine/report/shown.h"

namespace cutopsy {
namespace {

struct TestCase {
  std::string name;
  std::vector<Json> findings;  // as lines
};

std::string name_of(const Json& inputs) {
  std::string name;
  for (const Json& input : inputs) {
    const std::string_view text =
        input.is_string() ? std::string_view(input.get_ref<const std::string&>()) : text_in(input, "name");
    name += fmt::format("{}{}", name.empty() ? "" : ", ", text == "-" ? "standard input" : text);
  }
  return name;
}

std::vector<TestCase> test_cases(const Json& document) {
  std::vector<TestCase> cases;
  const bool is_merged = list_in(document, "inputs").empty();
  if (!is_merged && !document.contains("cases")) cases.push_back({name_of(list_in(document, "inputs")), {}});
  for (const Json& part : list_in(document, "cases")) cases.push_back({name_of(list_in(part, "inputs")), {}});
  for (Json& line : report_lines(document)) {
    if (is_merged) {
      cases.push_back({fmt::format("{} {}", text_in(line, "rule"), text_in(line, "fingerprint")), {}});
      cases.back().findings.push_back(std::move(line));
    } else if (const std::uint64_t number = number_in(line, "case"); number < cases.size()) {
      cases[number].findings.push_back(std::move(line));
    }
  }
  return cases;
}

bool is_failure(const Json& finding) {
  return severity_rank(text_in(finding, "severity")) >= severity_rank("error") && !flag_in(finding, "known");
}

std::string text_of(const Json& finding) {
  const TextStyle plain;
  if (text_in(finding, "rule") == kUnknownRule) return unknown_text(finding, plain) + "\n";
  return incident_text(finding, plain);
}

/// Adds a test; returns whether it failed.
bool add_test(pugi::xml_node suite, const TestCase& test) {
  pugi::xml_node node = suite.append_child("testcase");
  node.append_attribute("classname") = "cutopsy";
  node.append_attribute("name") = test.name.c_str();
  bool failed = false;
  std::string output;
  for (const Json& finding : test.findings) {
    if (!is_failure(finding)) {
      output += text_of(finding) + "\n";
      continue;
    }
    failed = true;
    pugi::xml_node failure = node.append_child("failure");
    failure.append_attribute("type") = std::string(text_in(finding, "rule")).c_str();
    failure.append_attribute("message") = std::string(text_in(finding, "title")).c_str();
    failure.text() = text_of(finding).c_str();
  }
  if (!output.empty()) node.append_child("system-out").text() = output.c_str();
  return failed;
}

}  // namespace

std::string junit_report(const Json& document) {
  pugi::xml_document xml;
  pugi::xml_node declaration = xml.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = xml.append_child("testsuites");
  pugi::xml_node suite = root.append_child("testsuite");
  suite.append_attribute("name") = "cutopsy";
  const std::vector<TestCase> tests = test_cases(document);
  pugi::xml_attribute count = suite.append_attribute("tests");
  pugi::xml_attribute failures = suite.append_attribute("failures");
  suite.append_attribute("errors") = "0";
  count.set_value(std::to_string(tests.size()).c_str());
  std::size_t failed = 0;
  for (const TestCase& test : tests) failed += add_test(suite, test) ? 1 : 0;
  failures.set_value(std::to_string(failed).c_str());
  std::ostringstream text;
  xml.save(text, "  ");
  return without_commands(text.str(), kInXml);
}

}  // namespace cutopsy
