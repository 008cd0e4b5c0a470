// Format (Kitware/CMake, Source/cmMessenger.cxx, cmDocumentationFormatter.cxx): paragraphs are wrapped and indented by
// two blanks more than the opener; lines that the author indented keep their shape.
//   CMake Error at cmake/public/cuda.cmake:66 (message):
//     FindCUDA says CUDA version is 12.4 (usually determined by nvcc), but the
//     CUDA headers say the version is 11.5.
//   Call Stack (most recent call first):
//     CMakeLists.txt:2 (project)
//   CMake Error: CMAKE_CUDA_COMPILER not set, after EnableLanguage
#include "parsers/cmake_message.h"

#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kOpeners[] = {
    {"CMake Error at ", R"(^(?P<indent>.*?)CMake Error at (?P<file>[^()]+?):(?P<line>\d+) \((?P<command>\w+)\):$)"},
    {"CMake Error in ", R"(^(?P<indent>.*?)CMake Error in (?P<file>[^()]+?):$)"},
    {"CMake Error: ", R"(^(?P<indent>.*?)CMake Error: (?P<message>\S.*)$)"},
};
constexpr auto kTriggers = triggers_of(kOpeners);

std::size_t indent_of(std::string_view text) {
  return std::min(text.find_first_not_of(' '), text.size());
}

class CmakeMessage : public Record {
 public:
  explicit CmakeMessage(Event event, std::size_t indent) : event_(std::move(event)), indent_(indent) {}

  Step feed(const Line& line) override {
    const std::size_t indent = indent_of(line.text);
    const bool is_blank = indent == line.text.size();
    if (!is_blank && indent <= indent_) return Step::refused;
    if (is_blank) {
      paragraph_ends_ = !message_.empty();
    } else {
      add(line, indent > indent_ + kBodyIndent);
    }
    return message_.size() < Fields::kMaxValueBytes ? Step::taken : Step::last;
  }

  void finish(EventSink& sink) override {
    event_.fields.set("message", message_);
    sink.on_event(std::move(event_));
  }

 private:
  static constexpr std::size_t kBodyIndent = 2;

  void add(const Line& line, bool keeps_shape) {
    if (message_.empty()) {
      event_.where = line.where;
      event_.text = line.text;
    } else {
      message_ += paragraph_ends_ || keeps_shape ? '\n' : ' ';
    }
    message_ += line.text.substr(indent_of(line.text));
    paragraph_ends_ = keeps_shape;
  }

  Event event_;
  std::size_t indent_;
  std::string message_;
  bool paragraph_ends_ = false;
};

// An error that stands on its own line: nothing follows it.
class WholeMessage : public Record {
 public:
  explicit WholeMessage(Event event) : event_(std::move(event)) {}
  Step feed(const Line&) override { return Step::refused; }
  void finish(EventSink& sink) override { sink.on_event(std::move(event_)); }

 private:
  Event event_;
};

std::unique_ptr<Record> open(const Line& opener) {
  static const PhraseBook openers(kOpeners);
  Fields found;
  if (!openers.find(opener.text, found)) return nullptr;
  Event event = line_event(opener, "build.configure_error", "cmake");
  for (std::string_view name : {"file", "line", "command", "message"}) event.fields.set(name, found.get(name));
  if (event.fields.has("message")) return std::make_unique<WholeMessage>(std::move(event));
  return std::make_unique<CmakeMessage>(std::move(event), found.get("indent").size());
}

}  // namespace

constinit const RecordParser kCmakeMessageParser{"cmake message", kTriggers, open, true};

}  // namespace cutopsy
