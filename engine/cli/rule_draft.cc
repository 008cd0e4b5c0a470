#include "engine/cli/rule_draft.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "engine/explain/error_words.h"
#include "engine/pipeline.h"
#include "engine/report/printable.h"
#include "engine/source/input.h"
#include "engine/source/input_lines.h"
#include "parsers/envelope/control_codes.h"
#include "parsers/envelope/stripper.h"
#include "parsers/trim.h"

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

struct Mask {
  RE2 what;
  std::string_view pattern;  ///< that stands for it
};

/// A regex that finds `text` again when its numbers and paths are others.
std::string pattern_for(std::string_view text) {
  // What is different when a message is printed again.
  static const Mask masks[] = {
      {R"(https?://\S+)", R"(\S+)"},
      {R"(0x[0-9a-fA-F]+)", "0x[0-9a-fA-F]+"},
      {R"(\d+(?:\.\d+)*)", R"([\d.]+)"},
      {R"((?:/[\w.+-]+){2,}/?)", R"(\S+)"},
      {R"(\t+)", R"(\s+)"},
  };
  static const RE2 beyond_ascii(R"(([^\x20-\x7e]+))", RE2::Latin1);
  std::string pattern;
  re2::StringPiece rest(text.data(), text.size());
  while (!rest.empty() && pattern.size() < kPatternBytes) {
    const auto mask = std::ranges::find_if(masks, [&](const Mask& known) { return RE2::Consume(&rest, known.what); });
    if (mask != std::end(masks)) {
      pattern += mask->pattern;
    } else if (std::string word; RE2::Consume(&rest, beyond_ascii, &word)) {
      pattern += printable(word, word.size()) == word ? word : ".+";
    } else {
      if (std::string_view(R"(\.+*?()|[]{}^$)").find(rest[0]) != std::string_view::npos) pattern += '\\';
      pattern += rest[0];
      rest.remove_prefix(1);
    }
  }
  return pattern;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (char c : printable(text, Fields::kMaxValueBytes)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

/// `text` as a heading: of paths only the last part, no braces (they would be placeholders), cut at a word's end.
std::string title_of(std::string_view text) {
  constexpr std::size_t kBytes = 80;
  static const RE2 link(R"(\s*\w+://\S+)"), folders(R"((?:[A-Za-z]:)?[/\\]?(?:[\w.+@=-]+[/\\])+([\w.+@=-]+))");
  std::string title(text);
  RE2::GlobalReplace(&title, link, "");
  RE2::GlobalReplace(&title, folders, R"(\1)");
  std::ranges::replace(title, '{', '(');
  std::ranges::replace(title, '}', ')');
  if (title.size() <= kBytes) return title;
  const std::size_t end = title.rfind(' ', kBytes);
  return title.substr(0, end == title.npos ? kBytes : end) + " ...";
}

std::string slug_of(std::string_view text) {
  static const RE2 path(R"(\S*[/\\]\S*)"), word(R"(([A-Za-z]{3,20}))");
  std::string prose(text);
  RE2::GlobalReplace(&prose, path, " ");
  std::string slug;
  std::size_t words = 0;
  re2::StringPiece rest(prose);
  for (std::string found; words < kSlugWords && RE2::FindAndConsume(&rest, word, &found); ++words) {
    std::ranges::transform(found, found.begin(), [](unsigned char c) { return std::tolower(c); });
    slug += (slug.empty() ? "" : "-") + found;
  }
  return slug.empty() ? "unnamed" : slug;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// The lines of the mapping that matches the fault.
std::vector<std::string> signature_of(const Fault& fault) {
  if (fault.kind == "line") return {"line: " + quoted(pattern_for(fault.text))};
  std::vector<std::string> lines = {fmt::format("event: {}", fault.kind), "where:"};
  for (std::string_view name : kTellingFields) {
    const std::string pattern = pattern_for(first_line(fault.fields.get(name)));
    if (!pattern.empty())
      lines.push_back(fmt::format("  {}: {}", name, quoted(name == "python_type" ? "^" + pattern + "$" : pattern)));
  }
  if (lines.back() == "where:") lines.pop_back();
  return lines;
}

class Draft {
 public:
  /// `faults`: one, or several that come one after the other.
  Draft(std::span<const Fault> faults, std::vector<std::string> record) : faults_(faults), record_(std::move(record)) {}

  std::string write() const {
    const Fault& last = faults_.back();
    const std::string_view said = last.fields.has("message") ? first_line(last.fields.get("message")) : last.text;
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
        slug_of(said), quoted("TODO: " + title_of(said)), match(), record_.front().starts_with(' ') ? "2" : "",
        example(), fields());
  }

 private:
  std::string match() const {
    if (faults_.size() > 1) return sequence();
    const std::vector<std::string> lines = signature_of(faults_.front());
    if (lines.size() == 1) return fmt::format("  match: {{ {} }}\n", lines.front());
    return fmt::format("  match:\n    {}\n", fmt::join(lines, "\n    "));
  }

  std::string sequence() const {
    constexpr std::uint64_t kFewLines = 10;
    std::string text = "  match:\n    sequence:\n";
    for (const Fault& fault : faults_)
      text += fmt::format("      - {}\n", fmt::join(signature_of(fault), "\n        "));
    const std::uint64_t lines = faults_.back().end - faults_.front().end;
    return text + fmt::format("    within: {}\n", std::max(kFewLines, 2 * lines));
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
    for (const auto& [name, value] : faults_.front().fields) {
      const bool is_plain = value.size() <= kShort && printable(value, kShort) == value;
      if (is_plain && shown++ < kShown) text += fmt::format("        {}: {}\n", name, quoted(value));
    }
    return text.empty() ? "" : "      fields:\n" + text;
  }

  const std::span<const Fault> faults_;
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

/// Lines `begin` to `end` of a log, without what was meant for a terminal; the middle of a long stretch is left out.
std::vector<std::string> stretch(const std::string& log, std::uint64_t begin, std::uint64_t end) {
  std::vector<std::string> lines;
  std::string clean;
  for_each_line(log, [&](std::uint64_t number, std::string_view raw) {
    const bool first = number < begin + kExampleLines / 2;
    const bool last = number + kExampleLines / 2 > end;
    if (number < begin || number > end || !(first || last)) return;
    clean_text(raw, clean);
    std::istringstream parts(printable_lines(clean, Fields::kMaxValueBytes));
    for (std::string part; std::getline(parts, part);) lines.push_back(part);
  });
  return lines;
}

/// The line of that number, or without one the last that looks like an error; below a heading ("Fatal error:") what it
/// is the heading of.
std::optional<Fault> line_of(const std::string& log, std::optional<std::uint64_t> wanted) {
  std::optional<Fault> found;
  bool is_heading = false;
  Stripper stripper;
  for_each_line(log, [&](std::uint64_t number, std::string_view raw) {
    if (wanted && number != *wanted) return;
    stripper.strip(raw, {0, number}, [&](const Line& line) {
      const std::string_view text = trim(line.text, " \t");
      if (is_heading && !text.empty()) {
        found = Fault{"line", {}, std::string(text), found->begin, number};
        is_heading = false;
      } else if (wanted || looks_like_error(line)) {
        found = Fault{"line", {}, std::string(text), number, number};
        is_heading = !wanted && text.ends_with(':');
      }
    });
  });
  return found;
}

}  // namespace

std::string draft_rule(const RuleIndex& index, const std::string& log, std::span<const std::uint64_t> lines) {
  const auto source = open_input(log);
  const Reading reading = read_input(index, log, *source);
  std::vector<std::optional<std::uint64_t>> wanted(lines.begin(), lines.end());
  if (wanted.empty()) wanted.emplace_back();
  std::vector<Fault> faults;
  for (const auto& line : wanted) {
    if (line && *line > reading.summary.lines)
      throw SourceError(fmt::format("{} has {} lines; name one of them as {}:LINE", log, reading.summary.lines, log));
    std::optional<Fault> fault;
    if (const Finding* finding = choose(reading.findings, line)) fault = fault_of(*finding);
    if (!fault) fault = line_of(log, line);
    if (!fault || fault->text.empty())
      throw SourceError(
          line ? fmt::format("line {} of {} is empty; name one that says what broke", *line, log)
               : fmt::format("{} holds no fault that is without a rule; name the line to draft from as {}:LINE", log,
                             log));
    faults.push_back(std::move(*fault));
  }
  return Draft(faults, stretch(log, faults.front().begin, faults.back().end)).write();
}

}  // namespace cutopsy
