#include "engine/cli/rule_draft.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "engine/explain/error_words.h"
#include "engine/pipeline.h"
#include "engine/report/printable.h"
#include "engine/source/input.h"
#include "engine/source/input_lines.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

constexpr std::size_t kExampleLines = 40;  // of a record; the middle of longer ones is left out
constexpr std::size_t kSlugWords = 5;
constexpr std::size_t kPatternBytes = 160;

// The fields that tell one fault from another, in the order in which they make a rule.
constexpr std::string_view kTellingFields[] = {"python_type", "message", "name", "condition", "what", "text", "code"};

/// What a draft is made from.
struct Fault {
  std::string_view kind;  ///< an event's, or "line"
  Fields fields;
  std::string text;  ///< the deciding line without its wrapping
  std::uint64_t begin = 0, end = 0;
};

/// A regex that finds `text` again when its numbers and paths are others.
std::string pattern_for(std::string_view text) {
  std::string pattern;
  while (!text.empty() && pattern.size() < kPatternBytes) {
    re2::StringPiece rest(text.data(), text.size());
    if (RE2::Consume(&rest, R"(0x[0-9a-fA-F]+)")) {
      pattern += "0x[0-9a-fA-F]+";
    } else if (RE2::Consume(&rest, R"(\d+(?:\.\d+)*)")) {
      pattern += R"([\d.]+)";
    } else if (RE2::Consume(&rest, R"((?:/[\w.+-]+){2,}/?)")) {
      pattern += R"(\S+)";
    } else {
      if (std::string_view(R"(\.+*?()|[]{}^$)").find(text.front()) != std::string_view::npos) pattern += '\\';
      pattern += text.front();
      rest.remove_prefix(1);
    }
    text = {rest.data(), rest.size()};
  }
  return pattern;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : printable(text, Fields::kMaxValueBytes)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

std::string slug_of(std::string_view text) {
  std::string slug;
  std::size_t words = 0;
  static const RE2 word(R"(([A-Za-z]{3,}))");
  re2::StringPiece rest(text.data(), text.size());
  for (std::string found; words < kSlugWords && RE2::FindAndConsume(&rest, word, &found); ++words) {
    std::ranges::transform(found, found.begin(), [](unsigned char c) { return std::tolower(c); });
    slug += (slug.empty() ? "" : "-") + found;
  }
  return slug.empty() ? "unnamed" : slug;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

class Draft {
 public:
  Draft(const Fault& fault, std::vector<std::string> record) : fault_(fault), record_(std::move(record)) {}

  std::string write() const {
    const std::string_view said = fault_.fields.has("message") ? first_line(fault_.fields.get("message")) : fault_.text;
    return fmt::format(
        "- id: mine/{}\n"
        "  title: {}\n"
        "  severity: error\n"
        "{}"
        "  cause: >-\n"
        "    TODO: what is wrong, and why it shows up like this.\n"
        "  fix:\n"
        "    - {{ do: 'TODO: the likeliest remedy.', run: 'TODO: a command that can be copied, or drop run:' }}\n"
        "  references: [ 'https://TODO' ]\n"
        "  examples:\n"
        "    - log: |{}\n{}{}"
        "    - not: 'TODO: a line that only looks like it'\n",
        slug_of(said), quoted(said), match(), record_.front().starts_with(' ') ? "2" : "", example(), fields());
  }

 private:
  std::string match() const {
    if (fault_.kind == "line") return fmt::format("  match: {{ line: {} }}\n", quoted(pattern_for(fault_.text)));
    std::string where;
    for (std::string_view name : kTellingFields) {
      const std::string pattern = pattern_for(first_line(fault_.fields.get(name)));
      if (!pattern.empty())
        where += fmt::format("      {}: {}\n", name, quoted(name == "python_type" ? "^" + pattern + "$" : pattern));
    }
    return fmt::format("  match:\n    event: {}\n{}", fault_.kind, where.empty() ? "" : "    where:\n" + where);
  }

  std::string example() const {
    std::string text;
    for (const std::string& line : record_) text += "        " + line + "\n";
    return text;
  }

  std::string fields() const {
    constexpr std::size_t kShown = 4, kShort = 60;
    std::string text;
    std::size_t shown = 0;
    for (const auto& [name, value] : fault_.fields) {
      if (value.size() > kShort || value.find('\n') != std::string::npos || shown++ >= kShown) continue;
      text += fmt::format("        {}: {}\n", name, quoted(value));
    }
    return text.empty() ? "" : "      fields:\n" + text;
  }

  const Fault& fault_;
  std::vector<std::string> record_;
};

Fault fault_of(const Finding& finding) {
  return {finding.kind, finding.fields, finding.text, finding.begin.line, finding.where.line};
}

/// The finding that decides at `line`, or without a line the first that no rule knows; null when there is none.
const Finding* choose(const std::vector<Finding>& findings, std::optional<std::uint64_t> line) {
  const auto wanted = [&](const Finding& finding) {
    if (finding.kind == "line") return false;
    if (line) return finding.begin.line <= *line && *line <= finding.where.line;
    return !finding.rule || finding.role == Role::generic;
  };
  const auto found = std::ranges::find_if(findings, wanted);
  return found == findings.end() ? nullptr : &*found;
}

/// Lines `begin` to `end` of a log, printable; the middle of a long stretch is left out.
std::vector<std::string> stretch(const std::string& log, std::uint64_t begin, std::uint64_t end) {
  std::vector<std::string> lines;
  for_each_line(log, [&](std::uint64_t number, std::string_view raw) {
    const bool first = number < begin + kExampleLines / 2;
    const bool last = number + kExampleLines / 2 > end;
    if (number >= begin && number <= end && (first || last)) lines.push_back(printable(raw, Fields::kMaxValueBytes));
  });
  return lines;
}

/// The line of that number, or without one the last that looks like an error.
std::optional<Fault> line_of(const std::string& log, std::optional<std::uint64_t> wanted) {
  std::optional<Fault> found;
  Stripper stripper;
  for_each_line(log, [&](std::uint64_t number, std::string_view raw) {
    if (wanted && number != *wanted) return;
    stripper.strip(raw, {0, number}, [&](const Line& line) {
      if (wanted || looks_like_error(line)) found = Fault{"line", {}, std::string(line.text), number, number};
    });
  });
  return found;
}

}  // namespace

std::string draft_rule(const RuleIndex& index, const std::string& log, std::optional<std::uint64_t> line) {
  const auto source = open_input(log);
  const Reading reading = read_input(index, log, *source);
  if (line && *line > reading.summary.lines)
    throw SourceError(fmt::format("{} has {} lines; name one of them as {}:LINE", log, reading.summary.lines, log));
  std::optional<Fault> fault;
  if (const Finding* finding = choose(reading.findings, line)) fault = fault_of(*finding);
  if (!fault) fault = line_of(log, line);
  if (!fault || fault->text.empty())
    throw SourceError(
        fmt::format("{} holds no fault that is without a rule; name the line to draft from as {}:LINE", log, log));
  return Draft(*fault, stretch(log, fault->begin, fault->end)).write();
}

}  // namespace cutopsy
