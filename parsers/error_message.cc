#include "parsers/error_message.h"

#include <algorithm>
#include <iterator>

#include "parsers/exception_class.h"
#include "parsers/native_frame.h"
#include "parsers/text_columns.h"

namespace cutopsy {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_alnum(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c);
}

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::string_view (&prefixes)[N]) {
  return std::any_of(std::begin(prefixes), std::end(prefixes), [&](auto prefix) { return text.starts_with(prefix); });
}

template <std::size_t N>
bool contains_any(std::string_view text, const std::string_view (&parts)[N]) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](auto part) { return text.find(part) != std::string_view::npos; });
}

// How lines begin that PyTorch, JAX, TensorFlow, NCCL and pybind11 append to a message, also after a blank line.
constexpr std::string_view kKnownContinuations[] = {
    // c10/cuda/CUDAException.cpp, CUDADeviceAssertionHost.cpp
    "CUDA kernel errors might be", "For debugging consider", "Compile with `TORCH_USE_", "Search for `",
    "For more detailed error information, run with", "Device-side assert", "Looking for device-side assertion",
    "Assertion failure ",
    // NCCL, torch/csrc/distributed/c10d/NCCLUtils.cpp
    "Last error:", "Exception raised from ",
    // torch/_dynamo, torch/fx, torch/jit
    "Set TORCH_LOGS=", "Set TORCHDYNAMO_VERBOSE", "You can suppress this exception",
    "from user code:", "While executing ", "Original traceback:", "The above operation failed",
    // jax/_src/traceback_util.py
    "The stack trace below excludes JAX-internal", "The preceding is the original exception",
    "For simplicity, JAX has removed",
    // TensorFlow
    "Detected at node ", "Node: '", "Original stack trace for", "Hint: If you want to see a list of allocated",
    "0 successful operations", "0 derived errors", "Function call stack:", "Errors may have originated from", "[[",
    // pybind11
    "The following argument types are supported", "Invoked with:"};

bool is_known_continuation(std::string_view text) {
  if (starts_with_any(text, kKnownContinuations) || announces_native_frames(text)) return true;
  if (text == "--------------------") return true;  // JAX, below its notes
  if (text.starts_with("nccl") && text.size() > 4 && is_upper(text[4])) return text.find(':') < 40;
  return text.find(" CUDA device-side assertion failure") != std::string_view::npos;
}

// Messages that quote what a compiler or an importer said.
constexpr std::string_view kWordyMessages[] = {"Error building extension", "Error compiling objects",
                                               "Failed to import "};

// "[1/3] nvcc ...", "FAILED: x.o": ninja's lines.
bool is_build_output(std::string_view text) {
  if (text.starts_with("FAILED: ")) return true;
  return text.size() > 3 && text[0] == '[' && is_digit(text[1]) && text.find('/') < 6;
}

bool starts_with_timestamp(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || digits + 1 >= text.size()) return false;
  const char after = text[digits];
  return (after == '-' || after == '/' || after == ':') && is_digit(text[digits + 1]) && digits <= 4;
}

bool starts_with_glog_head(std::string_view text) {
  if (text.size() < 8 || std::string_view("IWEFVC").find(text[0]) == std::string_view::npos) return false;
  std::size_t digits = 1;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return digits >= 4 && digits <= 9 && digits + 2 < text.size() && text[digits] == ' ' && is_digit(text[digits + 1]);
}

bool starts_with_level(std::string_view text) {
  std::size_t letters = 0;
  while (letters < text.size() && is_upper(text[letters])) ++letters;
  constexpr std::string_view kLevels[] = {"DEBUG", "INFO",     "NOTICE", "WARN",  "WARNING",
                                          "ERROR", "CRITICAL", "FATAL",  "TRACE", "FAILED"};
  const std::string_view word = text.substr(0, letters);
  if (letters < text.size() && (is_alnum(text[letters]) || text[letters] == '_')) return false;
  return std::find(std::begin(kLevels), std::end(kLevels), word) != std::end(kLevels);
}

// "wandb: ", "srun: error: ", "pdsh@head: ": a program that signs its lines.
bool starts_with_program(std::string_view text) {
  if (text.empty() || !is_lower(text.front())) return false;
  const std::size_t length =
      std::find_if_not(text.begin(), text.end(),
                       [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '@' || c == '.'; }) -
      text.begin();
  return text.substr(length).starts_with(": ");
}

bool is_rule(std::string_view text) {
  const std::string_view first = text.substr(0, text.starts_with("\xE2") ? 3 : 1);
  if (first != "=" && first != "-" && first != "*" && first != "#" && first != "_" && first != "\xE2\x94\x80") {
    return false;
  }
  return text.size() >= 5 * first.size() &&
         text.substr(0, 5 * first.size()).find_first_not_of(first) == std::string_view::npos;
}

constexpr std::string_view kOtherStarts[] = {"Traceback (",
                                             "Exception in thread",
                                             "Exception ignored ",
                                             "Process ",
                                             "terminate called",
                                             "Fatal Python error",
                                             "Current thread 0x",
                                             "Thread 0x",
                                             "Aborted",
                                             "Segmentation fault",
                                             "Bus error",
                                             "Killed",
                                             "Killing ",
                                             "Terminated",
                                             "libc++abi",
                                             "*** ",
                                             "##[",
                                             "::",
                                             "Epoch ",
                                             "Step ",
                                             "epoch ",
                                             "step ",
                                             "Primary job",
                                             "Unhandled exception",
                                             "Error in atexit",
                                             ">>> ",
                                             "$ ",
                                             "# ",
                                             "PS ",
                                             "^C",
                                             "{'",
                                             "{\"",
                                             "#0",
                                             "Sending process ",
                                             "Exiting"};

constexpr std::string_view kOtherParts[] = {
    "%|", "it/s]", "s/it]", " NCCL INFO ", " NCCL WARN ", ": block: [", "(most recent call first):"};

// A prompt in front of a command: "user@host:~$ ls", "(base) PS C:\>", "D:\tools>pause".
bool starts_with_prompt(std::string_view text) {
  const std::size_t sign = text.find_first_of("$>#");
  if (sign == std::string_view::npos || sign == 0) return false;
  const std::string_view before = text.substr(0, sign);
  const bool shell = before.find('@') != std::string_view::npos && before.find(':') != std::string_view::npos;
  const bool windows = text[sign] == '>' && before.find(":\\") != std::string_view::npos;
  return (shell || windows) && before.find('"') == std::string_view::npos && before.size() < 100;
}

bool is_python_warning(std::string_view text) {
  const std::size_t path = text.find(".py:");
  return path != std::string_view::npos && text.find("Warning: ", path) != std::string_view::npos;
}

bool is_indented(std::string_view text) {
  return text.front() == ' ' || text.front() == '\t';
}

std::string_view without_indent(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// Whether `text` looks like a line that some other writer starts: a log header, a progress bar, a prompt, ...
bool starts_another_message(std::string_view text) {
  if (text.empty()) return false;
  const std::string_view bare = without_indent(text);
  if (contains_any(text, kOtherParts) || starts_with_timestamp(bare) || starts_with_glog_head(bare)) return true;
  if (starts_with_level(bare) || is_python_warning(text)) return true;
  if (is_indented(text)) return false;
  if (text.front() == '[') return !text.starts_with("[[");
  return starts_with_any(text, kOtherStarts) || starts_with_program(text) || is_rule(text) || starts_with_prompt(text);
}

}  // namespace

bool lane_names_writer(std::string_view lane) {
  return std::any_of(lane.begin(), lane.end(), [](char c) { return is_alnum(c); });
}

ErrorMessage::ErrorMessage(std::string_view first_line, std::string_view printed)
    : text_(first_line.substr(0, kMaxBytes)),
      last_(first_line.substr(0, kMaxBytes)),
      last_columns_(columns_of(printed)),
      wordy_(starts_with_any(first_line, kWordyMessages)) {}

ErrorMessage ErrorMessage::none() {
  ErrorMessage message;
  message.last_ = ".";
  message.lines_ = kMaxLines;
  return message;
}

std::string_view ErrorMessage::first_line() const {
  return without_indent(std::string_view(text_).substr(0, text_.find('\n')));
}

bool ErrorMessage::announces_more() const {
  if (last_.empty()) return true;
  return last_.back() == ':' || last_.ends_with("\"\"\"");
}

// Whether the last line was cut in mid-sentence.
bool ErrorMessage::goes_on(std::string_view text) const {
  const std::size_t word = std::min(text.find(' '), text.size());
  if (width_ > 0) return last_columns_ + 1 + columns_of(text.substr(0, word)) > width_;
  constexpr std::size_t kNarrowestTerminal = 60;
  const char end = last_.empty() ? ' ' : last_.back();
  return last_columns_ >= kNarrowestTerminal && (is_alnum(end) || end == ',') && is_lower(text.front());
}

// Judges a line that no known message goes on with.
ErrorMessage::Take ErrorMessage::judge_plain(std::string_view text, bool writer_known) const {
  if (wordy_ && is_build_output(text)) return Take::line;
  if (starts_another_message(text)) return Take::no;
  if (is_indented(text) || announces_more()) return Take::line;
  if (is_unmistakable_exception(leading_class(text))) return Take::no;
  if (goes_on(text)) return Take::wrapped;
  constexpr std::string_view kOpenEnds = ",([{=;\\";
  const bool open = !last_.empty() && kOpenEnds.find(last_.back()) != std::string_view::npos;
  const bool closes = std::string_view(")]}").find(text.front()) != std::string_view::npos;
  return open || closes || wordy_ || writer_known ? Take::line : Take::no;
}

// Below "Last error:" stands NCCL's last warning, below "Node:" TensorFlow's real message, and ProcessGroupWrapper
// quotes what its barrier threw: any text.
bool ErrorMessage::quotes_below() const {
  if (last_ == "Last error:" || last_.starts_with("Node: '")) return true;
  const std::string_view end = std::string_view(last_).substr(0, last_.find_last_not_of(' ') + 1);
  return end.ends_with(" Error:") && last_.starts_with("ProcessGroupWrapper: ");
}

ErrorMessage::Take ErrorMessage::judge(std::string_view text, bool writer_known) {
  if (native_frames_ && read_native_frame(text)) return Take::silently;
  if (banner_ || quotes_below() || is_known_continuation(without_indent(text))) return Take::line;
  if (last_.empty() && text.starts_with("=====")) return Take::line;
  const bool next_paragraph = last_.empty() || (is_indented(text) && is_indented(last_));
  if (blanks_ > 0 && !next_paragraph) return Take::no;
  if (++lines_ > (writer_known ? kMaxLines : kMaxLinesUnknown)) return Take::no;
  return judge_plain(text, writer_known);
}

bool ErrorMessage::offer(std::string_view text, bool writer_known) {
  if (text.empty()) return ++blanks_ <= kMaxBlanks;
  const Take take = judge(text, writer_known);
  if (take == Take::no) return false;
  blanks_ = 0;
  if (take == Take::silently) return true;
  if (text.starts_with("=====") && (banner_ || last_.empty())) {  // torchrun's block, in a ChildFailedError
    banner_ = !banner_;
    last_ = text.substr(0, 5);
    return true;
  }
  native_frames_ =
      native_frames_ || text.find("Exception raised from ") != std::string_view::npos || announces_native_frames(text);
  append(text, take == Take::wrapped ? ' ' : '\n');
  return true;
}

void ErrorMessage::append(std::string_view text, char separator) {
  last_.assign(text.substr(0, kMaxBytes));
  last_columns_ = columns_of(last_);
  if (text_.size() + 1 >= kMaxBytes) return;
  if (!text_.empty()) text_.push_back(separator);
  text_.append(text.substr(0, kMaxBytes - text_.size()));
}

}  // namespace cutopsy
