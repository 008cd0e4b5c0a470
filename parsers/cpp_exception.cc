#include "parsers/cpp_exception.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "parsers/error_message.h"
#include "parsers/native_frame.h"
#include "parsers/process_group.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTerminate = "terminate called";
constexpr std::string_view kAbi = "libc++abi";
constexpr std::string_view kRaisedFrom = "Exception raised from ";
constexpr std::string_view kCheckFailed = "Check failed: ";
constexpr std::string_view kSocketFailed = " failed on SocketImpl(";
constexpr std::string_view kUnhandled = "Unhandled exception";
constexpr std::string_view kUnhandledTitle = "Unhandled Exception";
constexpr std::string_view kInTest = "exception with description \"";
constexpr std::string_view kWhat = "what():";
constexpr std::string_view kTriggers[] = {
    kTerminate, kAbi, kRaisedFrom, kCheckFailed, kSocketFailed, kUnhandled, kUnhandledTitle, kInTest, kWhat};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// `text` after the first `mark`; nothing when it is not there.
std::optional<std::string_view> after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + mark.size());
}

// What an opening line tells: any of it may be missing.
struct Opening {
  std::string_view type;
  std::string_view what;
  std::string_view file;
  std::string_view line;
  bool has_what = false;     // the message starts in this line
  bool awaits_what = false;  // it starts in a line of its own
  bool managed = false;      // .NET
  bool terminates = false;   // the process ends by it: what it prints may name several places
};

// libstdc++: terminate called after throwing an instance of 'c10::Error' (the message follows after "  what():  ").
std::optional<Opening> read_terminate(std::string_view text) {
  const auto rest = after(text, kTerminate);
  if (!rest) return std::nullopt;
  Opening opening;
  opening.awaits_what = opening.terminates = true;
  if (const auto type = after(*rest, "throwing an instance of '")) {
    opening.type = type->substr(0, type->find('\''));
  } else if (rest->starts_with(" recursively") || rest->starts_with(" without an active exception")) {
    opening.what = text.substr(text.find(kTerminate));
  } else {
    return std::nullopt;
  }
  return opening;
}

std::string_view trimmed_front(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

// The message of a process whose "terminate called" stands apart: several die at once and nothing tells their lines
// apart.
std::optional<Opening> read_what(std::string_view text) {
  text = trimmed_front(text);
  if (!text.starts_with(kWhat)) return std::nullopt;
  Opening opening;
  opening.has_what = opening.terminates = true;
  opening.what = trimmed_front(text.substr(kWhat.size()));
  if (opening.what.empty()) return std::nullopt;
  return opening;
}

// libc++: libc++abi: terminating due to uncaught exception of type std::runtime_error: message
std::optional<Opening> read_abi(std::string_view text) {
  const auto rest = after(text, kAbi);
  if (!rest || !contains(*rest, "terminating")) return std::nullopt;
  Opening opening;
  opening.has_what = true;
  opening.what = rest->substr(rest->find("terminating"));
  if (const auto type = after(*rest, "exception of type ")) {
    const std::size_t end = std::min(type->find(": "), type->size());
    opening.type = type->substr(0, end);
    opening.what = end + 2 < type->size() ? type->substr(end + 2) : std::string_view{};
  }
  return opening;
}

// "executor.cc:99" split; nothing when `text` does not end in a place in a source file.
std::optional<std::pair<std::string_view, std::string_view>> read_source_place(std::string_view text) {
  text = text.substr(text.rfind(' ') + 1);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return std::nullopt;
  const std::string_view line = text.substr(colon + 1);
  if (line.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return std::pair(text.substr(0, colon), line);
}

// glog, TensorFlow, dmlc: executor.cc:99] Check failed: status == 0 (700 vs. 0)
std::optional<Opening> read_check(const Line& line) {
  const std::size_t at = line.text.find(kCheckFailed);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = line.text.substr(0, at);
  if (contains(before, "NVRM: ")) return std::nullopt;  // the driver's log of a call that returned an error
  if (!before.empty() && !before.ends_with("] ") && !before.ends_with(": ")) return std::nullopt;
  Opening opening;
  opening.type = "CheckFailed";
  opening.has_what = true;
  opening.what = line.text.substr(at);
  const std::string_view head =
      before.empty() ? std::string_view(line.envelope.application) : before.substr(0, before.size() - 2);
  if (const auto place = read_source_place(head)) std::tie(opening.file, opening.line) = *place;
  return opening;
}

// c10d, torch/csrc/distributed/c10d/TCPStore.cpp: [c10d] recvValue failed on SocketImpl(...): failed to recv, got 0
// bytes
std::optional<Opening> read_socket_failure(std::string_view text) {
  if (!text.starts_with("[c10d] ") || !contains(text, kSocketFailed)) return std::nullopt;
  Opening opening;
  opening.has_what = true;
  opening.what = text;
  return opening;
}

// GoogleTest: C++ exception with description "message" thrown in the test body.
std::optional<Opening> read_test_body(std::string_view text) {
  const auto message = after(text, kInTest);
  if (!message) return std::nullopt;
  Opening opening;
  opening.has_what = true;
  opening.what = message->substr(0, message->rfind("\" thrown in "));
  return opening;
}

// Windows: Unhandled exception at 0x00007FF8 (KernelBase.dll) in a.exe: Microsoft C++ exception: T at memory location
// .. .NET: Unhandled exception. System.DllNotFoundException: Unable to load ...
std::optional<Opening> read_unhandled(std::string_view text) {
  if (!text.starts_with(kUnhandled) && !text.starts_with(kUnhandledTitle)) return std::nullopt;
  std::string_view rest = text.substr(kUnhandled.size());
  Opening opening;
  opening.has_what = true;
  if (rest.starts_with(" at 0x")) {
    opening.what = rest.substr(std::min(rest.find(": "), rest.size() - 2) + 2);
    if (const auto type = after(rest, "Microsoft C++ exception: ")) opening.type = type->substr(0, type->find(' '));
    return opening;
  }
  if (!rest.starts_with(". ") && !rest.starts_with(": ")) return std::nullopt;
  rest.remove_prefix(2);
  opening.managed = true;
  const std::size_t end = rest.find(": ");
  opening.type = rest.substr(0, rest.find(' ') < end ? 0 : end);
  opening.what = opening.type.empty() || end == std::string_view::npos ? rest : rest.substr(end + 2);
  return opening;
}

std::optional<Opening> read_opening(const Line& line) {
  const std::string_view text = line.text;
  if (auto opening = read_terminate(text)) return opening;
  if (auto opening = read_abi(text)) return opening;
  if (auto opening = read_what(text)) return opening;
  if (read_raised_from(text)) return Opening{};
  if (auto opening = read_check(line)) return opening;
  if (auto opening = read_socket_failure(text)) return opening;
  if (auto opening = read_test_body(text)) return opening;
  return read_unhandled(text);
}

// The emitter behind an exception class.
std::string_view emitter_of(std::string_view type, std::string_view file) {
  if (type.starts_with("c10") || type.starts_with("at::") || contains(file, "torch") || contains(file, "c10")) {
    return "torch";
  }
  if (type.starts_with("thrust::")) return "thrust";
  if (type.starts_with("cv::")) return "opencv";
  if (type.starts_with("tensorrt_llm")) return "tensorrt-llm";
  if (contains(file, "tensorflow") || contains(file, "xla")) return "tensorflow";
  return "c++";
}

class CppRecord : public Record {
 public:
  CppRecord(const Line& opener, const Opening& opening)
      : number_(opener.record), type_(opening.type), file_(opening.file), line_(opening.line) {
    begin_ = opener.where;
    decide(opener);
    awaits_what_ = opening.awaits_what;
    managed_ = opening.managed;
    terminates_ = opening.terminates;
    what_ = opening.has_what || !opening.what.empty() ? ErrorMessage(opening.what, opener.text) : ErrorMessage::none();
    if (const auto raised = read_raised_from(opener.text)) set_raised_from(*raised);
  }

  Step feed(const Line& line) override;
  void finish(EventSink& sink) override;

 private:
  void decide(const Line& line) {
    where_ = line.where;
    envelope_ = line.envelope;
    if (envelope_.rank.empty()) envelope_.rank = labelled_rank(line);
    text_ = line.text;
  }
  void set_raised_from(const RaisedFrom& raised);
  void set_raised_from_suffix();
  void add_frame(std::string_view name);

  static constexpr std::size_t kMaxFramesBytes = 2048;  // the innermost are kept: they come first
  static constexpr std::size_t kMaxNameBytes = 200;
  static constexpr int kMaxBlanks = 3;

  const std::uint64_t number_;
  std::string type_, raised_from_, file_, line_, frames_, text_;
  ErrorMessage what_;
  bool awaits_what_ = false;
  bool managed_ = false;
  bool terminates_ = false;
  bool in_frames_ = false;
  int blanks_ = 0;
  Place begin_, where_;
  Envelope envelope_;
};

void CppRecord::set_raised_from(const RaisedFrom& raised) {
  in_frames_ = true;
  awaits_what_ = false;
  if (!raised_from_.empty()) return;  // an error that was caught and thrown again: the first place counts
  raised_from_ = raised.function;
  file_ = raised.file;
  line_ = raised.line;
}

// PyTorch before 1.5 prints the place behind the message: "... (insert_events at /x/CUDACachingAllocator.cpp:569)".
void CppRecord::set_raised_from_suffix() {
  std::string_view message = what_.first_line();
  const std::size_t open = message.rfind(" (");
  if (!message.ends_with(')') || open == std::string_view::npos) return;
  message = message.substr(open + 2, message.size() - open - 3);
  const std::size_t at = message.rfind(" at ");
  const auto place = read_source_place(message);
  if (at == std::string_view::npos || !place) return;
  set_raised_from({message.substr(0, at), place->first, place->second});
}

void CppRecord::add_frame(std::string_view name) {
  in_frames_ = true;
  name = name.substr(0, kMaxNameBytes);
  if (name.empty() || frames_.size() + name.size() + 3 > kMaxFramesBytes) return;
  if (!frames_.empty()) frames_ += " > ";
  frames_ += name;
}

Record::Step CppRecord::feed(const Line& line) {
  const std::string_view text = line.text;
  if (text.empty()) {
    what_.offer(text, false);
    return ++blanks_ <= kMaxBlanks ? Step::taken : Step::refused;
  }
  blanks_ = 0;
  const auto what = after(text, kWhat);
  if (what && awaits_what_) {
    const std::string_view message = trimmed_front(*what);
    decide(line);
    what_ = ErrorMessage(message, text);
    awaits_what_ = false;
    set_raised_from_suffix();
    return Step::taken;
  }
  if (terminates_ && read_what(text)) return Step::refused;  // of another process
  // Threads that die together print their first lines one after the other.
  if (contains(text, kTerminate)) return awaits_what_ && !in_frames_ ? Step::taken : Step::refused;
  if (const auto raised = read_raised_from(text)) {
    // What terminate() prints can hold several, an error thrown again; frames that stand alone are one error each.
    if (!terminates_ && type_.empty() && !raised_from_.empty()) return Step::refused;
    set_raised_from(*raised);
    return Step::taken;
  }
  if (const auto frame = read_native_frame(text, managed_)) {
    add_frame(*frame);
    return Step::taken;
  }
  if (announces_native_frames(text)) {
    in_frames_ = true;
    return Step::taken;
  }
  // glog's signal handler prints frames of its own.
  if (text.starts_with("*** ") || text.starts_with("PC: @")) return Step::taken;
  if (text.starts_with("Aborted") || text.starts_with("Abort trap")) return Step::last;
  if (in_frames_ || awaits_what_) return Step::refused;
  return what_.offer(text, lane_names_writer(line.lane)) ? Step::taken : Step::refused;
}

void CppRecord::finish(EventSink& sink) {
  Event event;
  event.kind = "cpp.exception";
  event.emitter = emitter_of(type_, file_);
  event.fields.set("type", type_);
  event.fields.set("what", what_.text());
  event.fields.set("raised_from", raised_from_);
  event.fields.set("file", file_);
  event.fields.set("line", line_);
  event.fields.set("frames", frames_);
  event.envelope = envelope_;
  event.where = where_;
  event.begin = begin_;
  event.text = text_;
  event.record = number_;
  sink.on_event(std::move(event));
}

std::unique_ptr<Record> open_record(const Line& opener) {
  const auto opening = read_opening(opener);
  return opening ? std::make_unique<CppRecord>(opener, *opening) : nullptr;
}

}  // namespace

const RecordParser kCppExceptionParser = {"cpp_exception", kTriggers, open_record};

}  // namespace cutopsy
