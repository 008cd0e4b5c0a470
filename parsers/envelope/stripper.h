// Takes the wrapping off a physical line: timestamps, CI and container prefixes, rank labels, syslog heads, JSON
// payloads, colour codes, progress bars, in any nesting.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/envelope/json_line.h"
#include "parsers/envelope/wrappings.h"
#include "parsers/line.h"

namespace cutopsy {

/// Stateless but for scratch buffers: the same bytes always give the same lines. One per thread.
class Stripper {
 public:
  /// Calls `sink` for each logical line in `raw` (a physical line without its '\n', at most kMaxLineBytes): one,
  /// or more where lone '\r', "#012" or a JSON "\n" separates lines. Views in the Line are valid during the call.
  void strip(std::string_view raw, Place where, const std::function<void(const Line&)>& sink);

  /// Colour codes and escapes of JSON and of the journal can hide a word from a search of the raw bytes. Every line
  /// with such a word holds one of these texts, or one of the bytes in hiding_bytes(): it must be stripped before
  /// anything is searched in it.
  static std::span<const std::string_view> hiding_marks();
  static std::string_view hiding_bytes();

  static constexpr std::size_t kMaxLineBytes = 64 * 1024;  ///< longer lines are cut by the caller
  /// Envelopes removed from one line: what is inside deeper ones is still searched, as text.
  static constexpr int kMaxNesting = 12;

 private:
  using Sink = std::function<void(const Line&)>;

  // A JSON payload is one level deeper than the line that it stands in. Where a level holds several lines, all are
  // the first one's writer's: what the first says of him counts for the others too.
  struct Level {
    std::string clean;  // the level's bytes without terminal codes
    JsonLine json;      // the object that one of its lines is
    bool has_writer = false;
    Envelope writer;
    std::string writer_lane;
  };
  static constexpr std::size_t kMaxLevels = 3;  // deeper objects stay as they are printed

  void split(std::string_view bytes, std::size_t level, const Sink& sink);
  void read_line(std::string_view text, std::size_t level, bool last, const Sink& sink);
  bool read_json(std::string_view text, std::size_t level, const Sink& sink);
  bool read_quoted(std::string_view text, std::size_t level, const Sink& sink);
  void emit(std::string_view text, const Sink& sink);

  std::string_view peel(std::string_view text);
  std::string_view peel_as_writer(std::string_view text, const Level& level);
  void keep_writer(Level& level);
  std::size_t find_end_of_line(std::string_view text) const;
  void apply(const Wrapping& wrapping, std::string_view text);
  void apply_part(const WrappingPart& part);
  void apply_time(const Timestamp& time);

  Line line_;
  WrappingMatch match_;     // the wrapping that is being taken off
  bool is_quoted_ = false;  // the last wrapping taken off says that a quoted field follows
  std::string lane_;
  std::size_t writer_lane_ = 0;  // how much of lane_ stands before the first logger's head
  std::string writer_level_;     // the level before that head
  std::string label_;            // the line's outermost wrapping, if it names a process
  int year_ = 0;                 // that a timestamp of the line named
  std::array<Level, kMaxLevels> levels_;
};

}  // namespace cutopsy
