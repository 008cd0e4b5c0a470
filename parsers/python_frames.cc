#include "parsers/python_frames.h"
#include "parsers/trim.h"

#include <algorithm>

namespace cutopsy {
namespace {

// "file:function", or "file"; the end of a path tells more than its start.
std::string name_of(const traceback::Frame& frame) {
  constexpr std::size_t kMax = PythonFrames::kMaxNameBytes;
  const std::string file(frame.file.substr(frame.file.size() - std::min(frame.file.size(), kMax)));
  return frame.function.empty() ? file : file + ":" + std::string(frame.function.substr(0, kMax));
}

}  // namespace

void PythonFrames::set_innermost(const traceback::Frame& frame) {
  file_ = frame.file.substr(0, kMaxSourceBytes);
  line_ = frame.line;
  function_ = frame.function.substr(0, kMaxNameBytes);
  source_.clear();
}

void PythonFrames::add(const traceback::Frame& frame) {
  set_innermost(frame);
  frames_.push_back(name_of(frame));
  if (frames_.size() > kMaxFrames) frames_.pop_front();
}

void PythonFrames::add_outer(const traceback::Frame& frame) {
  if (frames_.empty()) set_innermost(frame);
  if (frames_.size() < kMaxFrames) frames_.push_front(name_of(frame));
}

void PythonFrames::add_source(std::string_view text) {
  text = trim(text);
  constexpr std::string_view kExchook = "line: ";  // RETURNN's better_exchook labels the source line
  if (source_.empty() && text.starts_with(kExchook)) text.remove_prefix(kExchook.size());
  if (source_.size() + text.size() + 1 > kMaxSourceBytes) return;
  if (!source_.empty()) source_.push_back(' ');
  source_.append(text);
}

void PythonFrames::point_at(const traceback::PointedLine& pointed) {
  line_ = pointed.line;
  source_ = pointed.source.substr(0, kMaxSourceBytes);
}

bool PythonFrames::source_is_open() const {
  return std::count_if(source_.begin(), source_.end(), [](char c) { return c == '(' || c == '[' || c == '{'; }) >
         std::count_if(source_.begin(), source_.end(), [](char c) { return c == ')' || c == ']' || c == '}'; });
}

void PythonFrames::describe(Fields& fields, bool asserted) const {
  if (asserted) fields.set("assert", traceback::asserted_condition(source_));
  fields.set("file", file_);
  fields.set("line", line_);
  fields.set("function", function_);
  fields.set("source", source_);
  std::string joined;
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (joined.size() + frame->size() + 3 > Fields::kMaxValueBytes) break;
    joined.insert(0, joined.empty() ? *frame : *frame + " > ");
  }
  fields.set("frames", joined);
}

}  // namespace cutopsy
