// The frames of one traceback, as far as an event tells them: the innermost in full, the others by name.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "parsers/event.h"
#include "parsers/python_traceback_grammar.h"

namespace cutopsy {

class PythonFrames {
 public:
  /// A frame further in than all before.
  void add(const traceback::Frame& frame);
  /// A frame further out than all before, for printers that begin with the innermost.
  void add_outer(const traceback::Frame& frame);
  /// A line of source text of the innermost frame; its first line, or the next while the statement is open.
  void add_source(std::string_view text);
  /// The line that the printer points at, which replaces what add_source() collected.
  void point_at(const traceback::PointedLine& pointed);

  bool empty() const { return frames_.empty(); }
  /// True when the innermost frame's statement goes on after what was collected.
  bool source_is_open() const;

  /// Sets file, line, function, source, frames and, if `asserted`, the condition of a failing assert statement.
  void describe(Fields& fields, bool asserted) const;

  // What is cut tells readers little: no rule looks further out, and no report shows longer names.
  static constexpr std::size_t kMaxFrames = 64;  ///< the innermost are kept
  static constexpr std::size_t kMaxNameBytes = 300;
  static constexpr std::size_t kMaxSourceBytes = 1024;

 private:
  void set_innermost(const traceback::Frame& frame);

  std::deque<std::string> frames_;  // "file:function", or "file"
  std::string file_, line_, function_, source_;
};

}  // namespace cutopsy
