// The mini-language in which the wrappings of a line are written, and its matcher.
//
// A pattern describes the beginning of a line: literal text and these words in braces. A match never goes back over
// what a word took, so it costs one walk over the wrapping. A pattern's last space may be missing at the line's end.
//
//   {time}      a timestamp of any form        {local}     one that names no time zone
//   {syslog}    one with a month's name        {ctime}     "Mon Nov 30 10:00:00 2026"
//   {dmesg-iso} "2026-11-30T10:00:00,123456+00:00"
//   {glog}      "1130 10:00:00.123456"         {uptime}    " 7421.118204"      {usec}  "7421118204", the same
//   {reltime}   "Mar11 09:14"                  {epoch}     "1764496800.123456"
//   {level}     a level's word                 {LEVEL}     the same in capitals
//   {letter}    a level's letter               {priority}  a syslog priority, which becomes the level
//   {rank} {local_rank} {pid}    digits        {n}         digits that stay the same in a writer's lines
//   {host} {pod} {app}           names         {node}      a host's name that no other program prints like that
//   {site}      "file.cc:12", the application  {file}      the same, but not kept as the application
//   {machine}   a host's name without digits    {replica} {member} {container}    pods and containers
//   {stream-id} a log stream of CloudWatch      {caller}    "trainer:main:31", the application
//   {service}   a container's name in compose  {module}    "text_generation_router::server"
//   {word}      letters, digits, '_'
//   {letters}   letters                        {stream}    "stdout", "stderr" or "stddiag"
//   {serial}    digits that change from line to line          {seconds}   "146.3"
//   {step-seconds}  the same, and no quantity
//   {flag}      a letter or space that may change from line to line
//   {any}       what stands before the next literal
//   {sp}        spaces and tabs, if any        {=text}     text that must follow but is not part of the wrapping
//   {gap}       a space too many, if any       {output}    what looks_like_output() must follow, likewise
//   {rest}      all that follows, which may change from line to line
//   {{          a brace
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parsers/envelope/timestamp.h"

namespace cutopsy {

/// What a word of a pattern took.
struct WrappingPart {
  enum class Role : std::uint8_t {
    plain,   ///< says nothing
    serial,  ///< changes from line to line
    level,
    priority,
    rank,
    local_rank,
    pid,
    host,
    pod,
    application,
  };
  Role role = Role::plain;
  std::string_view text;   ///< as printed
  std::string_view level;  ///< normalised, for Role::level
};

/// A wrapping at the beginning of a line, cut into its parts (timestamps are parts with Role::serial).
struct WrappingMatch {
  static constexpr std::size_t kMaxParts = 12;
  std::size_t length = 0;
  Timestamp time;  ///< of the last timestamp, length 0 if the wrapping has none
  std::array<WrappingPart, kMaxParts> parts;
  std::size_t part_count = 0;
};

class WrappingPattern {
 public:
  /// `pattern` must be well formed and live as long as this.
  explicit WrappingPattern(std::string_view pattern);

  /// True when `text` begins with this wrapping. `first_time` is what read_timestamp() says of the place where the
  /// pattern's first timestamp would stand, if starts_with_time() or starts_with_bracket_time().
  bool match(std::string_view text, const Timestamp& first_time, WrappingMatch& match) const;

  bool starts_with_time() const { return time_at_ == TimeAt::begin; }
  bool starts_with_bracket_time() const { return time_at_ == TimeAt::bracket; }
  /// False when two bytes are enough to see that `text` does not match. `rest` is what follows the first timestamp if
  /// the pattern begins with one, else all of `text`.
  bool may_match(std::string_view rest) const {
    const auto has = [](const Bytes& bytes, char c) { return bytes[static_cast<unsigned char>(c)]; };
    return rest.size() < 2 || (has(begin_[0], rest[0]) && has(begin_[1], rest[1]));
  }
  /// The bytes that a matching text can begin with, for patterns that begin with no timestamp.
  const std::bitset<256>& first_bytes() const { return begin_[0]; }

  struct Word;  ///< what a word in braces stands for

 private:
  using Bytes = std::bitset<256>;
  // A word, or literal text.
  struct Step {
    const Word* word = nullptr;
    std::string_view literal = {};
    bool is_ahead = false;  // the literal must follow, but is not taken
  };
  struct State;
  enum class TimeAt { begin, bracket, elsewhere };

  void find_begin();
  bool take(std::size_t index, State& state) const;
  bool take_literal(const Step& step, bool last, State& state) const;
  bool take_any(std::size_t index, State& state) const;

  std::vector<Step> steps_;
  TimeAt time_at_ = TimeAt::elsewhere;
  std::array<Bytes, 2> begin_;  // the first two bytes of what may_match() compares
};

}  // namespace cutopsy
