// The lines of a printed Python traceback: heads, frames, exceptions and the sentences that chain them.
//
// Formats: CPython's traceback module (Lib/traceback.py, 2.7 to 3.14), IPython's ultratb, rich.traceback, loguru's
// formatter, RETURNN's better_exchook.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutopsy::traceback {

enum class Style : std::uint8_t {
  plain,    ///< CPython and everything that prints like it
  group,    ///< exception groups: a margin of '|' and '+'
  ipython,  ///< "RuntimeError      Traceback (most recent call last)"
  rich,     ///< a box
};

/// "Traceback (most recent call last):", alone or glued to what was printed before.
struct Head {
  Style style = Style::plain;
  bool inner = false;       ///< "Original Traceback", "Traceback of TorchScript": belongs to a message
  std::string_view type;    ///< IPython names the class here
  std::size_t indent = 0;   ///< white space before the head: all its lines have it
  std::size_t columns = 0;  ///< rich: the width of the box
};
std::optional<Head> read_head(std::string_view text);

/// The name in "Exception in thread Thread-2 (worker):" or "Process SpawnProcess-1:", which precede a head.
std::optional<std::string_view> read_thread_head(std::string_view text);

/// "Exception ignored in: <function Pool.__del__ at 0x7f>", which precedes an error that Python printed and went on
/// from, since nobody could have caught it: in a finalizer, at exit.
bool is_ignored_head(std::string_view text);

struct Frame {
  std::string_view file;
  std::string_view line;
  std::string_view function;  ///< "" when the frame names none
};
/// 'File "train.py", line 3, in main' with any indentation, also after loguru's "> ".
std::optional<Frame> read_frame(std::string_view text);
/// 'Cell In[3], line 1', 'File /x.py:305, in f()', '~/x.py in f(a)', '<ipython-input-5-abc> in <module>'.
std::optional<Frame> read_ipython_frame(std::string_view text);
/// '/x.py:31 in main' inside a box.
std::optional<Frame> read_rich_frame(std::string_view text);

/// The line that IPython ("--> 305     raise x") and rich ("❱ 31 │   raise x") point at.
struct PointedLine {
  std::string_view line;
  std::string_view source;
};
std::optional<PointedLine> read_pointed_line(std::string_view text);

/// A line of a box: what stands inside; "" for its borders. Nothing when `text` is no line of a box.
std::optional<std::string_view> read_box(std::string_view text);

/// "type: message" or "type" alone.
struct Raised {
  std::string_view type;
  std::string_view message;
  bool has_message = false;  ///< a colon follows the type, though the message may start on the next line
};
std::optional<Raised> read_raised(std::string_view text);

/// The sentence between two tracebacks: how the first led to the second.
enum class Link : std::uint8_t { none, cause, context };
Link read_link(std::string_view text);

/// The margin of an exception group.
struct Margin {
  std::size_t column = 0;     ///< of the '|' or '+', 0: no margin
  std::string_view text;      ///< what follows
  bool opens_member = false;  ///< "+-+---- 1 ----": the next exception of the group follows
};
Margin read_margin(std::string_view text);

/// A line of only spaces, '^' and '~', which points at a part of the line above.
bool is_marker(std::string_view text);

/// "[Previous line repeated 995 more times]" in place of frames.
bool is_repeat_note(std::string_view text);

/// "boxes.shape[1] == 5" of "assert boxes.shape[1] == 5, message"; "" when `source` is no assert statement.
std::string_view asserted_condition(std::string_view source);

}  // namespace cutopsy::traceback
