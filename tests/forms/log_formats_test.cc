// Every log format of log_formats.tsv, read as a whole: what log_formats.yaml says must come out, and nothing else.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/unit/escapes.h"
#include "tests/unit/reading.h"

namespace cutopsy {
namespace {

struct Sample {
  std::string name;
  std::string text;
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.name;
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> samples = [] {
    std::vector<Sample> rows;
    std::ifstream file(CUTOPSY_TEST_DATA "/forms/log_formats.tsv");
    std::string row;
    std::getline(file, row);  // the columns' names
    while (std::getline(file, row)) {
      const std::size_t tab = row.find('\t');
      rows.push_back({row.substr(0, tab), unescape(std::string_view(row).substr(tab + 1))});
    }
    return rows;
  }();
  return samples;
}

const YAML::Node& expectations() {
  static const YAML::Node expectations = YAML::LoadFile(CUTOPSY_TEST_DATA "/forms/log_formats.yaml");
  return expectations;
}

using Values = std::vector<std::pair<std::string, std::string>>;

Values values_of(const Envelope& envelope) {
  return {{"time", envelope.time},
          {"level", envelope.level},
          {"host", envelope.host},
          {"rank", envelope.rank},
          {"local_rank", envelope.local_rank},
          {"pod", envelope.pod},
          {"pid", envelope.pid},
          {"application", envelope.application},
          {"kernel", envelope.kernel ? "true" : ""}};
}

std::string join(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    if (!value.empty()) text += ' ' + name + '=' + value;
  return text;
}

std::string describe(const Event& event) {
  std::string text = std::string(event.kind) + " at " + std::to_string(event.where.line) + ", emitter '" +
                     std::string(event.emitter) + "', because " + std::to_string(event.because.line) + ",";
  for (const auto& [name, value] : event.fields) text += ' ' + name + '=' + value;
  return text + "\n      envelope:" + join(values_of(event.envelope));
}

std::string text_of(const YAML::Node& node) {
  return node ? node.as<std::string>() : std::string();
}

// How `event` differs from what is expected of it, "" when it does not.
std::string difference(const YAML::Node& expected, const Event& event) {
  std::string text;
  const auto compare = [&](const std::string& name, std::string_view wanted, std::string_view got) {
    if (wanted != got)
      text += "\n    " + name + ": wanted '" + std::string(wanted) + "', got '" + std::string(got) + "'";
  };
  for (const auto& entry : expected) {
    const std::string name = text_of(entry.first);
    if (name == "event" || name == "at") continue;
    if (name == "because") {
      compare(name, text_of(entry.second), std::to_string(event.because.line));
    } else if (name == "emitter") {
      compare(name, text_of(entry.second), event.emitter);
    } else if (name == "envelope") {
      for (const auto& [part, value] : values_of(event.envelope))
        if (entry.second[part]) compare("envelope's " + part, text_of(entry.second[part]), value);
    } else {
      compare(name, text_of(entry.second), event.fields.get(name));
    }
  }
  return text;
}

std::string check_events(const YAML::Node& expected, std::vector<Event> events) {
  std::string misses;
  for (const YAML::Node& wanted : expected) {
    const auto found = std::ranges::find_if(events, [&](const Event& event) {
      return event.kind == text_of(wanted["event"]) && std::to_string(event.where.line) == text_of(wanted["at"]);
    });
    if (found == events.end()) {
      misses += "\n  missing: " + text_of(wanted["event"]) + " at " + text_of(wanted["at"]);
      continue;
    }
    const std::string wrong = difference(wanted, *found);
    if (!wrong.empty()) misses += "\n  wrong: " + text_of(wanted["event"]) + " at " + text_of(wanted["at"]) + wrong;
    events.erase(found);
  }
  for (const Event& event : events) misses += "\n  not expected: " + describe(event);
  return misses;
}

std::string check_facts(const YAML::Node& expected, const std::vector<Fact>& facts) {
  std::string misses;
  for (const auto& entry : expected)
    if (std::ranges::none_of(facts, [&](const Fact& fact) {
          return fact.name == text_of(entry.first) && fact.value == text_of(entry.second);
        }))
      misses += "\n  missing fact: " + text_of(entry.first) + " = " + text_of(entry.second);
  for (const Fact& fact : facts)
    if (text_of(expected[std::string(fact.name)]) != fact.value)
      misses += "\n  fact not expected: " + std::string(fact.name) + " = " + fact.value;
  return misses;
}

std::string check_lines(const YAML::Node& expected, const std::vector<Reading::ReadLine>& lines) {
  std::string misses;
  for (const YAML::Node& wanted : expected) {
    Values values = values_of(Envelope{});
    for (auto& [name, value] : values) value = text_of(wanted[name]);
    const auto fits = [&](const Reading::ReadLine& line) {
      return std::to_string(line.number) == text_of(wanted["at"]) && line.text == text_of(wanted["text"]) &&
             values_of(line.envelope) == values;
    };
    if (std::ranges::any_of(lines, fits)) continue;
    misses += "\n  missing line: '" + text_of(wanted["text"]) + "'" + join(values);
    for (const Reading::ReadLine& line : lines)
      if (std::to_string(line.number) == text_of(wanted["at"]))
        misses += "\n    there is:   '" + line.text + "'" + join(values_of(line.envelope));
  }
  return misses;
}

std::string check(const YAML::Node& expected, const Reading& reading) {
  return check_lines(expected["lines"], reading.lines) + check_events(expected["events"], reading.events) +
         check_facts(expected["facts"] ? expected["facts"] : YAML::Node(YAML::NodeType::Map), reading.facts);
}

class LogFormats : public testing::TestWithParam<Sample> {};

TEST_P(LogFormats, AreReadAsExpected) {
  const YAML::Node expected = expectations()[GetParam().name];
  ASSERT_TRUE(expected) << "log_formats.yaml says nothing of this sample";
  const std::string misses = check(expected, Reading(GetParam().text, false));
  if (expected["todo"]) {
    EXPECT_NE(misses, "") << "is read as expected now: take its todo away";
  } else {
    EXPECT_EQ(misses, "") << misses << "\n\n" << GetParam().text;
  }
}

TEST_P(LogFormats, AreReadAlikeWhenOnlyLinesWithTriggersAreShown) {
  const Reading all(GetParam().text, false);
  const Reading triggered(GetParam().text, true);
  ASSERT_EQ(all.events.size(), triggered.events.size());
  for (std::size_t i = 0; i < all.events.size(); ++i) EXPECT_EQ(describe(all.events[i]), describe(triggered.events[i]));
  EXPECT_EQ(all.facts.size(), triggered.facts.size());
}

std::string test_name(const testing::TestParamInfo<Sample>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, LogFormats, testing::ValuesIn(samples()), test_name);

TEST(LogFormatTable, HasNoExpectationWithoutASample) {
  ASSERT_GT(samples().size(), 100u);
  for (const auto& entry : expectations())
    EXPECT_TRUE(std::ranges::any_of(samples(), [&](const Sample& s) { return s.name == text_of(entry.first); }))
        << text_of(entry.first);
}

}  // namespace
}  // namespace cutopsy
