#include "parsers/python_traceback_grammar.h"

#include <algorithm>

#include "parsers/exception_class.h"
#include "parsers/text_columns.h"
#include "parsers/trim.h"

namespace cutopsy::traceback {
namespace {

constexpr std::string_view kLastFirst = "(most recent call last)";
constexpr std::string_view kVertical = "\xE2\x94\x82";    // │
constexpr std::string_view kHorizontal = "\xE2\x94\x80";  // ─
constexpr std::string_view kHeavyArrow = "\xE2\x9D\xB1";  // ❱

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trim_left(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view trim_right(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

bool consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Takes the digits at the start of `text`.
std::string_view consume_digits(std::string_view& text) {
  const std::size_t length = std::find_if_not(text.begin(), text.end(), is_digit) - text.begin();
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::string_view without_arguments(std::string_view function) {
  return trim(function.substr(0, function.find('(')));
}

// "PATH:LINE" split at its last colon.
std::optional<Frame> split_location(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  std::string_view digits = text.substr(colon + 1);
  const std::string_view line = consume_digits(digits);
  if (line.empty() || !digits.empty()) return std::nullopt;
  return Frame{text.substr(0, colon), line, {}};
}

}  // namespace

std::optional<Head> read_head(std::string_view text) {
  const std::size_t tail = text.find(kLastFirst);
  if (tail == std::string_view::npos) return std::nullopt;
  const std::string_view before = trim_right(text.substr(0, tail));
  const std::string_view after = trim(text.substr(tail + kLastFirst.size()));
  Head head;
  if (before.find("Traceback of TorchScript") != std::string_view::npos && after == ":") {
    head.inner = true;
    return head;
  }
  if (!before.ends_with("Traceback")) return std::nullopt;
  if (after.starts_with(kHorizontal) || after.starts_with("--")) {
    head.style = Style::rich;
    head.columns = columns_of(trim(text));
    return head;
  }
  if (after.empty()) {
    const std::string_view type = trim(before.substr(0, before.size() - std::string_view("Traceback").size()));
    if (type.empty() || leading_class(type) != type || !is_exception_class(type)) return std::nullopt;
    head.style = Style::ipython;
    head.type = type;
    return head;
  }
  if (after != ":") return std::nullopt;
  if (before.ends_with("Exception Group Traceback")) head.style = Style::group;
  head.inner = before.ends_with("Original Traceback");
  const std::string_view bare = trim_left(before);
  if (bare == "Traceback" || head.inner || bare.starts_with("traceback")) head.indent = before.size() - bare.size();
  return head;
}

std::optional<std::string_view> read_thread_head(std::string_view text) {
  if (!text.ends_with(':')) return std::nullopt;
  text.remove_suffix(1);
  constexpr std::string_view kThread = "Exception in thread ";
  if (const std::size_t at = text.find(kThread); at != std::string_view::npos) return text.substr(at + kThread.size());
  constexpr std::string_view kProcess = "Process ";
  const std::size_t at = text.rfind(kProcess);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(at + kProcess.size());
  if (name.find_first_of(" \t:\"'") != std::string_view::npos) return std::nullopt;
  const bool usual = name.find("Process-") != std::string_view::npos || name.starts_with("EngineCore") ||
                     name.starts_with("VllmWorker");
  return usual ? std::optional(name) : std::nullopt;
}

// Python/errors.c, write_unraisable_exc_file; Modules/atexitmodule.c before 3.10.
bool is_ignored_head(std::string_view text) {
  return text.find("Exception ignored ") != std::string_view::npos ||
         text.find("Error in atexit._run_exitfuncs:") != std::string_view::npos;
}

std::optional<Frame> read_frame(std::string_view text) {
  text = trim_left(text);
  consume(text, "> ");
  if (!consume(text, "File \"")) return std::nullopt;
  constexpr std::string_view kLine = "\", line ";
  const std::size_t end = text.find(kLine);
  if (end == std::string_view::npos) return std::nullopt;
  Frame frame{text.substr(0, end), {}, {}};
  text.remove_prefix(end + kLine.size());
  frame.line = consume_digits(text);
  if (frame.line.empty()) return std::nullopt;
  if (consume(text, ", in ")) frame.function = trim_right(text);
  return frame;
}

std::optional<Frame> read_ipython_frame(std::string_view text) {
  if (text.starts_with('[')) {  // Colab: [/x.py](https://localhost:8080/#) in f(a)
    const std::size_t link = text.find("](");
    const std::size_t end = text.find(')', link == std::string_view::npos ? text.size() : link);
    if (end == std::string_view::npos) return std::nullopt;
    auto frame = read_ipython_frame(text.substr(1, link - 1));
    if (!frame) frame = Frame{text.substr(1, link - 1), {}, {}};
    text = trim_left(text.substr(end + 1));
    if (consume(text, "in ")) frame->function = without_arguments(text);
    return frame;
  }
  if (text.starts_with("Cell ") || text.starts_with("Input ")) {
    const std::size_t comma = text.find(',');
    Frame frame{text.substr(0, comma), {}, {}};
    if (comma == std::string_view::npos) return frame;
    text = trim_left(text.substr(comma + 1));
    if (consume(text, "line ")) frame.line = consume_digits(text);
    consume(text, ", ");
    if (consume(text, "in ")) frame.function = without_arguments(text);
    return frame;
  }
  if (consume(text, "File ")) {
    const std::size_t in = text.find(", in ");
    auto frame = split_location(text.substr(0, in));
    if (frame && in != std::string_view::npos) frame->function = without_arguments(text.substr(in + 5));
    return frame;
  }
  const std::size_t in = text.find(" in ");
  if (in == std::string_view::npos || in == 0) return std::nullopt;
  const std::string_view file = text.substr(0, in);
  const bool source = file.ends_with(".py") || file.ends_with(".pyx") || file.ends_with(".pxi") ||
                      (file.front() == '<' && file.back() == '>');
  if (!source) return std::nullopt;
  return Frame{file, {}, without_arguments(text.substr(in + 4))};
}

std::optional<Frame> read_rich_frame(std::string_view text) {
  text = trim(text);
  const std::size_t in = text.rfind(" in ");
  if (in == std::string_view::npos) return std::nullopt;
  auto frame = split_location(text.substr(0, in));
  if (frame) frame->function = text.substr(in + 4);
  return frame;
}

std::optional<PointedLine> read_pointed_line(std::string_view text) {
  text = trim_left(text);
  const bool heavy = consume(text, kHeavyArrow) || consume(text, "> ");
  if (!heavy) {
    const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
    if (dashes < 2 || dashes >= text.size() || text[dashes] != '>') return std::nullopt;
    text.remove_prefix(dashes + 1);
  }
  text = trim_left(text);
  PointedLine pointed;
  pointed.line = consume_digits(text);
  if (pointed.line.empty()) return std::nullopt;
  text = trim_left(text);
  while (consume(text, kVertical) || consume(text, "| ")) text = trim_left(text);  // rich's indentation guides
  pointed.source = trim(text);
  return pointed;
}

std::optional<std::string_view> read_box(std::string_view text) {
  text = trim(text);
  const bool ascii_border = text.starts_with("+--") && text.ends_with("-+");
  if (ascii_border || text.starts_with("\xE2\x95\xAD") || text.starts_with("\xE2\x95\xB0")) return std::string_view{};
  if (!consume(text, kVertical) && !consume(text, "| ")) return std::nullopt;
  if (text.ends_with(kVertical)) {
    text.remove_suffix(kVertical.size());
  } else if (text.ends_with(" |")) {
    text.remove_suffix(1);
  }
  return trim(text);
}

std::optional<Raised> read_raised(std::string_view text) {
  consume(text, "^C");
  const std::string_view type = leading_class(text);
  if (type.empty() || !is_exception_class(type)) return std::nullopt;
  text.remove_prefix(type.size());
  Raised raised{type, {}, consume(text, ":")};
  raised.message = trim(text);
  if (class_name(type) == "UnfilteredStackTrace") {  // JAX: the message is the exception itself
    if (auto inner = read_raised(raised.message)) return inner;
  }
  return raised;
}

Link read_link(std::string_view text) {
  text = trim(text);
  if (text == "The above exception was the direct cause of the following exception:") return Link::cause;
  if (text == "During handling of the above exception, another exception occurred:") return Link::context;
  return Link::none;
}

Margin read_margin(std::string_view text) {
  const std::size_t column = text.find_first_not_of(' ');
  if (column == std::string_view::npos || column == 0 || (text[column] != '|' && text[column] != '+')) return {0, text};
  Margin margin{column, text.substr(column + 1)};
  if (text[column] == '|') {
    consume(margin.text, " ");
    return margin;
  }
  if (!margin.text.starts_with('-')) {  // "+ Exception Group Traceback"
    consume(margin.text, " ");
    return margin;
  }
  margin.opens_member = margin.text.find_first_not_of("-+") != std::string_view::npos;
  margin.text = {};
  return margin;
}

bool is_marker(std::string_view text) {
  return !text.empty() && text.find_first_not_of(" \t^~") == std::string_view::npos;
}

bool is_repeat_note(std::string_view text) {
  return trim_left(text).starts_with("[Previous line repeated ");
}

std::string_view asserted_condition(std::string_view source) {
  source = trim(source);
  if (!consume(source, "assert") || source.empty()) return {};
  if (source.front() != ' ' && source.front() != '(') return {};
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (depth == 0 && (c == ',' || c == '#')) {
      return trim(source.substr(0, i));
    }
  }
  return trim(source);
}

}  // namespace cutopsy::traceback
