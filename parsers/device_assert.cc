// Formats: the message of __assertfail as the CUDA runtime prints it (Linux; Windows leaves the function out), and
// PyTorch's macros CUDA_KERNEL_ASSERT, _MSG and _PRINTF.
// https://docs.nvidia.com/cuda/cuda-c-programming-guide/#assertion
// https://github.com/pytorch/pytorch/blob/main/c10/macros/Macros.h
#include "parsers/device_assert.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "parsers/kernel_name.h"
#include "parsers/line_event.h"

namespace cutopsy {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kBlock = ": block: [";
constexpr std::string_view kThread = ", thread: [";
constexpr std::string_view kAssertion = "Assertion `";
constexpr std::string_view kFailed = "` failed";
constexpr std::string_view kPrintfAssertion = ": Assertion failed: `";
constexpr std::string_view kPrintfTag = "[CUDA_KERNEL_ASSERT]";

constexpr std::array<std::string_view, 2> kTriggers = {"block: [", "Assertion "};

struct Assertion {
  std::string_view file, line, kernel, block, thread, condition, message;
  std::size_t end = 0;  // where it ends in the line
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr auto kPathChars = [] {
  std::array<bool, 256> chars{};
  for (int c = 0x80; c < 0x100; ++c) chars[static_cast<std::size_t>(c)] = true;
  for (char c : std::string_view("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-+.~@%#$/\\")) {
    chars[static_cast<unsigned char>(c)] = true;
  }
  return chars;
}();

bool is_path_char(char c) {
  return kPathChars[static_cast<unsigned char>(c)];
}

// True when text[at] is the colon of a Windows drive.
bool is_drive_colon(std::string_view text, std::size_t at) {
  if (at == 0 || at + 1 >= text.size() || text[at] != ':' || !std::isalpha(static_cast<unsigned char>(text[at - 1]))) {
    return false;
  }
  return (text[at + 1] == '\\' || text[at + 1] == '/') &&
         (at == 1 || !std::isalnum(static_cast<unsigned char>(text[at - 2])));
}

// Cuts off what an interrupted writer left in front of a path (half another path, half a condition), and an escaped
// line end.
std::string_view without_torn_prefix(std::string_view path) {
  for (std::size_t i = path.size(); i-- > 1;) {
    const char previous = path[i - 1];
    if (path[i] == '/' && (previous == 'u' || previous == 'h' || previous == 'n')) {
      for (std::string_view end : {".cu", ".cuh", ".h", "\\n"}) {
        if (path.substr(0, i).ends_with(end)) return path.substr(i);
      }
    }
    const bool glued = previous != '/' && previous != '\\';
    if (path[i] == '.' && glued && path.substr(i, 3) == "../") return path.substr(i);
  }
  return path;
}

// The path that `text` ends with.
std::string_view path_at_end(std::string_view text) {
  if (text.ends_with('>')) {  // <frozen runpy>
    const auto open = text.rfind('<');
    return open == npos ? std::string_view{} : text.substr(open);
  }
  std::size_t begin = text.size();
  while (begin > 0 && is_path_char(text[begin - 1])) --begin;
  if (begin > 0 && is_drive_colon(text, begin - 1)) return text.substr(begin - 2);
  const std::string_view path = text.substr(begin);
  if (path.find('\\') != npos) {  // a Windows path with spaces
    for (std::size_t i = begin; i-- > 1;) {
      if (is_drive_colon(text, i)) return text.substr(i - 1);
    }
  }
  return without_torn_prefix(path);
}

// Reads "FILE:LINE: FUNCTION" or "FILE:LINE" from the end of `head`.
void read_head(std::string_view head, Assertion& assertion) {
  for (std::size_t colon = head.rfind(':'); colon != npos && colon > 0; colon = head.rfind(':', colon - 1)) {
    std::size_t end = colon + 1;
    while (end < head.size() && is_digit(head[end])) ++end;
    const std::string_view rest = head.substr(end);
    if (end == colon + 1 || !(rest.empty() || rest.starts_with(": "))) continue;
    assertion.file = path_at_end(head.substr(0, colon));
    assertion.line = head.substr(colon + 1, end - colon - 1);
    if (rest.size() > 2) assertion.kernel = kernel_name(rest.substr(2));
    if (assertion.kernel == "unknown") assertion.kernel = {};  // compiled without line information
    return;
  }
}

// Reads "X,Y,Z]" at `at`, which points behind the opening bracket; gives it with its brackets.
std::string_view read_coordinates(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ',')) ++end;
  const bool whole = end > at && end < text.size() && text[end] == ']';
  return whole ? text.substr(at - 1, end - at + 2) : std::string_view{};
}

// The text in quotes that a condition ends with: a && "index out of bounds".
std::string_view message_in(std::string_view condition) {
  if (!condition.ends_with('"')) return {};
  auto open = condition.rfind("&& \"");
  if (open == npos) open = condition.rfind("|| \"");
  return open == npos ? std::string_view{} : condition.substr(open + 4, condition.size() - open - 5);
}

// Reads "Assertion `CONDITION` failed." at `at`; it ends before `limit`.
bool read_plain(std::string_view text, std::size_t at, std::size_t limit, Assertion& assertion) {
  const std::string_view rest = text.substr(at, limit - at);
  const auto end = rest.find(kFailed, kAssertion.size());
  if (!rest.starts_with(kAssertion) || end == npos) return false;
  assertion.condition = rest.substr(kAssertion.size(), end - kAssertion.size());
  assertion.message = message_in(assertion.condition);
  assertion.end = at + end + kFailed.size();
  if (assertion.end < text.size() && text[assertion.end] == '.') ++assertion.end;
  return true;
}

// Reads ": Assertion failed: `CONDITION`: MESSAGE" at `at`; it ends before `limit`.
bool read_printf(std::string_view text, std::size_t at, std::size_t limit, Assertion& assertion) {
  std::string_view rest = text.substr(at, limit - at);
  rest = rest.substr(0, rest.find(kPrintfTag));
  if (!rest.starts_with(kPrintfAssertion)) return false;
  const auto message = rest.find("`: ", kPrintfAssertion.size());
  const auto end = message == npos ? rest.rfind('`') : message;
  if (end < kPrintfAssertion.size()) return false;
  assertion.condition = rest.substr(kPrintfAssertion.size(), end - kPrintfAssertion.size());
  if (message != npos) assertion.message = rest.substr(message + 3);
  assertion.end = at + rest.size();
  return true;
}

// Reads the assertion whose ": block: [" stands at `at`; its head begins at or after `begin`.
bool read_assertion(std::string_view text, std::size_t begin, std::size_t at, Assertion& assertion) {
  assertion.block = read_coordinates(text, at + kBlock.size());
  if (assertion.block.empty()) return false;
  std::size_t next = at + kBlock.size() - 1 + assertion.block.size();
  if (!text.substr(next).starts_with(kThread)) return false;
  next += kThread.size();
  assertion.thread = read_coordinates(text, next);
  if (assertion.thread.empty()) return false;
  next += assertion.thread.size() - 1;
  const auto limit = std::min(text.find(kBlock, next), text.size());
  const bool plain = next < text.size() && text[next] == ' ' && read_plain(text, next + 1, limit, assertion);
  if (!plain && !read_printf(text, next, limit, assertion)) return false;
  read_head(text.substr(begin, at - begin), assertion);
  return true;
}

std::string_view emitter_of(std::string_view file) {
  for (std::string_view part : {"aten", "ATen", "torch", "THC", "c10"}) {
    if (file.find(part) != npos) return "torch";
  }
  return "";
}

void emit(const Line& line, const Assertion& assertion, EventSink& sink) {
  Event event = line_event(line, "torch.device_assert", emitter_of(assertion.file));
  event.fields.set("file", assertion.file);
  event.fields.set("line", assertion.line);
  event.fields.set("kernel", assertion.kernel);
  event.fields.set("block", assertion.block);
  event.fields.set("thread", assertion.thread);
  event.fields.set("condition", assertion.condition);
  event.fields.set("message", assertion.message);
  sink.on_event(std::move(event));
}

// What a hard wrap leaves of an assertion on a line of its own. The closing backtick tells it from an assert() of the
// host, which glibc closes with an apostrophe.
bool read_bare_condition(std::string_view text, Assertion& assertion) {
  const auto at = text.find(kAssertion);
  const bool begins = at == 0 || (at != npos && at > 1 && text.substr(at - 2, 2) == "] ");
  return begins && read_plain(text, at, text.size(), assertion);
}

void parse(const Line& line, EventSink& sink) {
  const std::string_view text = line.text;
  std::size_t at = text.find(kBlock);
  if (at == npos) {
    Assertion assertion;
    if (read_bare_condition(text, assertion)) emit(line, assertion, sink);
    return;
  }
  for (std::size_t begin = 0; at != npos; at = text.find(kBlock, at + kBlock.size())) {
    Assertion assertion;
    if (!read_assertion(text, begin, at, assertion)) continue;
    emit(line, assertion, sink);
    begin = assertion.end;
  }
}

}  // namespace

const LineParser kDeviceAssertParser = {"device_assert", kTriggers, parse};

}  // namespace cutopsy
