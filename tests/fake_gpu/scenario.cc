#include "tests/fake_gpu/scenario.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace cutopsy::fake {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "simulated GPU: %s\n", what.c_str());
  std::abort();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") + 1 - from);
}

std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

std::string Scenario::Section::text(std::string_view key, std::string_view otherwise) const {
  const auto found = values.find(key);
  return found == values.end() ? std::string(otherwise) : found->second;
}

std::int64_t Scenario::Section::number(std::string_view key, std::int64_t otherwise) const {
  const auto found = values.find(key);
  if (found == values.end()) return otherwise;
  char* end = nullptr;
  auto number = static_cast<std::int64_t>(std::strtoull(found->second.c_str(), &end, 0));
  if (found->second.starts_with('-')) number = std::strtoll(found->second.c_str(), &end, 0);
  const std::string_view unit = trimmed(end);
  if (unit == "KiB") return number << 10;
  if (unit == "MiB") return number << 20;
  if (unit == "GiB") return number << 30;
  if (!unit.empty()) refuse("no number: " + std::string(key) + " = " + found->second);
  return number;
}

std::vector<std::string> Scenario::Section::words(std::string_view key) const {
  std::vector<std::string> words;
  const std::string all = text(key);
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = trimmed(rest.substr(0, comma));
    if (!word.empty()) words.emplace_back(word);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return words;
}

Scenario Scenario::parse(std::string_view text) {
  Scenario scenario;
  Section* section = &scenario.driver_;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(without_comment(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty()) continue;
    if (line.starts_with("[gpu ") && line.ends_with("]")) {
      section = &scenario.gpus_.emplace_back();
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) refuse("neither [gpu N] nor key = value: " + std::string(line));
    section->values[std::string(trimmed(line.substr(0, equals)))] = trimmed(line.substr(equals + 1));
  }
  return scenario;
}

const Scenario& Scenario::current() {
  static const Scenario scenario = [] {
    const char* path = std::getenv("CUTOPSY_FAKE_GPU");
    if (!path) return parse("[gpu 0]\n");
    std::ifstream file(path);
    if (!file) refuse(std::string("cannot read ") + path);
    return parse(std::string(std::istreambuf_iterator<char>(file), {}));
  }();
  return scenario;
}

}  // namespace cutopsy::fake
