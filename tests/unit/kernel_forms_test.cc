// What is read from each form of a kernel log line: the tables tests/forms/xid_samples.yaml and sxid_samples.yaml.
// A row with `todo: REASON` is not read yet; it fails when it is.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "parsers/reader.h"
#include "parsers/registry.h"

namespace cutopsy {
namespace {

using Texts = std::map<std::string, std::string>;

struct Row {
  std::string id;
  std::string log;
  std::string kind;
  Texts envelope;
  Texts fields;
  Texts facts;
  std::string todo;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.id;
}

std::string joined(const YAML::Node& node) {
  if (node.IsScalar()) return node.as<std::string>();
  std::string result;
  for (const auto& item : node) result += (result.empty() ? "" : "+") + item.as<std::string>();
  return result;
}

std::vector<Row> rows_of(const std::string& name) {
  std::vector<Row> rows;
  for (const auto& node : YAML::LoadFile(CUTOPSY_TEST_DATA "/forms/" + name)) {
    const auto texts = [&](const char* key) { return node[key] ? node[key].as<Texts>() : Texts(); };
    const auto text = [&](const char* key) { return node[key] ? node[key].as<std::string>() : ""; };
    rows.push_back({joined(node["id"]), text("log"), text("kind"), texts("envelope"), texts("fields"), texts("facts"),
                    text("todo")});
  }
  return rows;
}

// What a reader with all parsers makes of a log.
struct Reading : LineObserver, EventSink {
  ParserInterest interest(const Line&) override {
    ParserInterest all;
    for (std::size_t i = 0; i < line_parsers().size(); ++i) all.line_parsers.set(i);
    for (std::size_t i = 0; i < record_parsers().size(); ++i) all.record_parsers.set(i);
    return all;
  }
  void on_line(const Line& line) override { envelope = line.envelope; }
  void on_event(Event event) override { events.push_back(std::move(event)); }
  void on_fact(Fact fact) override { facts[std::string(fact.name)] = fact.value; }

  Envelope envelope;  // of the last line
  std::vector<Event> events;
  Texts facts;
};

Reading read(const std::string& log) {
  Reading reading;
  Reader reader(reading, reading);
  std::istringstream lines(log);
  std::uint64_t number = 0;
  for (std::string line; std::getline(lines, line);) reader.read(line, Place{0, ++number});
  reader.finish();
  return reading;
}

Texts texts_of(const Envelope& envelope) {
  Texts texts = {{"time", envelope.time}, {"level", envelope.level},
                 {"host", envelope.host}, {"rank", envelope.rank},
                 {"pod", envelope.pod},   {"local_rank", envelope.local_rank},
                 {"pid", envelope.pid},   {"application", envelope.application}};
  if (envelope.kernel) texts["kernel"] = "true";
  if (envelope.seconds != 0) {
    std::ostringstream seconds;
    seconds.precision(13);
    seconds << envelope.seconds;
    texts["seconds"] = seconds.str();
  }
  std::erase_if(texts, [](const auto& entry) { return entry.second.empty(); });
  return texts;
}

Texts texts_of(const Fields& fields) {
  Texts texts;
  for (const auto& [name, value] : fields) texts[name] = value;
  texts.erase("code");
  texts.erase("text");
  return texts;
}

std::string described(const std::string& kind, const Texts& envelope, const Texts& fields, const Texts& facts) {
  std::string result = "kind: " + kind + '\n';
  const auto add = [&](const char* title, const Texts& texts) {
    for (const auto& [name, value] : texts) result += std::string(title) + ' ' + name + ": " + value + '\n';
  };
  add("envelope", envelope);
  add("field", fields);
  add("fact", facts);
  return result;
}

std::string described(const Reading& reading) {
  std::string kinds;
  for (const Event& event : reading.events) kinds += (kinds.empty() ? "" : " ") + std::string(event.kind);
  return described(kinds, texts_of(reading.envelope),
                   reading.events.empty() ? Texts() : texts_of(reading.events[0].fields), reading.facts);
}

class KernelForms : public testing::TestWithParam<Row> {};

TEST_P(KernelForms, GiveTheirEventEnvelopeAndFields) {
  const Row& row = GetParam();
  const std::string expected = described(row.kind, row.envelope, row.fields, row.facts);
  const std::string read_from_log = described(read(row.log));
  if (row.todo.empty()) {
    EXPECT_EQ(read_from_log, expected) << row.log;
  } else {
    EXPECT_NE(read_from_log, expected) << "is read now, though marked: " << row.todo;
  }
}

std::string name_of(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.id;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Gpus, KernelForms, testing::ValuesIn(rows_of("xid_samples.yaml")), name_of);
INSTANTIATE_TEST_SUITE_P(Switches, KernelForms, testing::ValuesIn(rows_of("sxid_samples.yaml")), name_of);

}  // namespace
}  // namespace cutopsy
