// The text of an error that runs over several lines: which of the following lines still belong to it.
//
// Nothing marks the end of such a message, so lines are taken that known messages go on with, that are indented,
// that the line before leaves open, or (where the lane names their writer) that do not look like the start of
// something else. When in doubt the message ends: every line is shown to the line parsers anyway.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cutopsy {

/// True when a lane says who wrote its lines (a rank, a pod, a logger), not only where they went.
bool lane_names_writer(std::string_view lane);

class ErrorMessage {
 public:
  ErrorMessage() = default;
  /// A message whose first line is `first_line`, which stands in the line `printed`; an empty one says that the
  /// text starts on the next line.
  ErrorMessage(std::string_view first_line, std::string_view printed);
  /// The message of an exception that was printed without one: only known continuations follow.
  static ErrorMessage none();

  /// Offers the line that follows. True when it belongs to the message; after false the message is over.
  bool offer(std::string_view text, bool writer_known);
  /// Takes `text` whatever it looks like, unless a bound is reached.
  void append(std::string_view text, char separator = '\n');
  /// Says that the printer wrapped lines at `columns`, so that a line that could not hold the next word goes on.
  void set_width(std::size_t columns) { width_ = columns; }

  /// True when the last line announces more: it ends in a colon, or opens a quotation.
  bool announces_more() const;
  /// True when the line before was blank: only lines that are known to go on with a message can follow.
  bool after_blank() const { return blanks_ > 0; }
  /// All lines, joined by '\n'; without native frames.
  const std::string& text() const { return text_; }
  /// Without its indentation.
  std::string_view first_line() const;

  // What a bound cuts off is not lost: the line parsers see every line.
  static constexpr std::size_t kMaxBytes = 4096;
  static constexpr int kMaxBlanks = 4;         ///< blank lines in a row
  static constexpr int kMaxLines = 40;         ///< lines that are not known continuations, where the writer is known
  static constexpr int kMaxLinesUnknown = 16;  ///< the same where it is not

 private:
  enum class Take { no, line, wrapped, silently };
  Take judge(std::string_view text, bool writer_known);
  Take judge_plain(std::string_view text, bool writer_known) const;
  bool quotes_below() const;
  bool goes_on(std::string_view text) const;

  std::string text_;
  std::string last_;  // the last line taken, cut
  std::size_t last_columns_ = 0;
  std::size_t width_ = 0;
  int blanks_ = 0;
  int lines_ = 0;
  bool wordy_ = false;          // quotes the output of a tool, known to be long
  bool native_frames_ = false;  // after the line that announces them
  bool banner_ = false;         // inside torchrun's block between two rules
};

}  // namespace cutopsy
