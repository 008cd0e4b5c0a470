#include "parsers/envelope/wrapping_pattern.h"

#include <algorithm>
#include <iterator>

#include "parsers/envelope/level.h"
#include "parsers/envelope/name_shape.h"
#include "parsers/envelope/output_shape.h"

namespace cutopsy {

using Role = WrappingPart::Role;
using Form = Timestamp::Form;

// A word takes a timestamp, a level or a name: whichever reader it has. A word without a reader is {any}.
struct WrappingPattern::Word {
  enum class First { digit, padded_digit, letter, capital, capitals, name, anything };

  std::string_view name;
  Role role = Role::plain;
  First first = First::anything;
  std::size_t (*length)(std::string_view) = nullptr;
  LevelWord (*level)(std::string_view) = nullptr;
  Timestamp (*time)(std::string_view) = nullptr;
  bool (*accepts)(const Timestamp&) = nullptr;
  bool (*follows)(std::string_view) = nullptr;  // the word takes nothing, but asks what stands behind it
  bool may_be_missing = false;
};

namespace {

using Word = WrappingPattern::Word;
using First = Word::First;

constexpr std::size_t kMaxAny = 160;  // bytes that {any} takes

constexpr Word name_word(std::string_view name, Role role, First first, std::size_t (*length)(std::string_view)) {
  return {.name = name, .role = role, .first = first, .length = length};
}
constexpr Word level_word(std::string_view name, Role role, First first, LevelWord (*level)(std::string_view)) {
  return {.name = name, .role = role, .first = first, .level = level};
}
constexpr Word time_word(std::string_view name, First first, Timestamp (*time)(std::string_view),
                         bool (*accepts)(const Timestamp&)) {
  return {.name = name, .role = Role::serial, .first = first, .time = time, .accepts = accepts};
}

constexpr bool any_time(const Timestamp&) {
  return true;
}
constexpr bool names_no_zone(const Timestamp& time) {
  return !time.has_zone;
}
template <Form form>
constexpr bool has_form(const Timestamp& time) {
  return time.form == form;
}

constexpr Word kWords[] = {
    time_word("time", First::anything, read_timestamp, any_time),
    time_word("local", First::anything, read_timestamp, names_no_zone),
    time_word("syslog", First::anything, read_timestamp, has_form<Form::syslog>),
    time_word("ctime", First::anything, read_timestamp, has_form<Form::ctime>),
    time_word("dmesg-iso", First::anything, read_timestamp, has_form<Form::dmesg_iso>),
    time_word("glog", First::digit, read_glog_timestamp, any_time),
    time_word("uptime", First::padded_digit, read_uptime, any_time),
    time_word("usec", First::digit, read_uptime_microseconds, any_time),
    time_word("reltime", First::capital, read_reltime, any_time),
    time_word("epoch", First::digit, read_epoch, any_time),
    level_word("level", Role::level, First::letter, read_level_word),
    level_word("LEVEL", Role::level, First::capitals, read_capital_level_word),
    level_word("letter", Role::level, First::capital, read_level_letter),
    level_word("priority", Role::priority, First::digit, read_priority),
    name_word("rank", Role::rank, First::digit, rank_length),
    name_word("local_rank", Role::local_rank, First::digit, rank_length),
    name_word("pid", Role::pid, First::digit, number_length),
    name_word("n", Role::plain, First::digit, number_length),
    name_word("serial", Role::serial, First::digit, number_length),
    name_word("seconds", Role::serial, First::digit, seconds_length),
    name_word("host", Role::host, First::name, host_length),
    name_word("node", Role::host, First::name, node_length),
    name_word("machine", Role::host, First::letter, machine_length),
    name_word("replica", Role::pod, First::letter, replica_length),
    name_word("member", Role::pod, First::letter, member_length),
    name_word("container", Role::application, First::letter, container_length),
    name_word("stream-id", Role::application, First::name, log_stream_length),
    name_word("caller", Role::application, First::anything, caller_length),
    name_word("step-seconds", Role::serial, First::digit, step_seconds_length),
    name_word("pod", Role::pod, First::name, application_length),
    name_word("app", Role::application, First::name, application_length),
    name_word("module", Role::application, First::letter, module_length),
    name_word("service", Role::application, First::name, service_length),
    name_word("site", Role::application, First::anything, site_length),
    name_word("file", Role::plain, First::anything, site_length),
    name_word("word", Role::plain, First::name, word_length),
    name_word("letters", Role::plain, First::letter, letters_length),
    name_word("stream", Role::serial, First::letter, stream_length),
    {.name = "flag", .role = Role::serial, .length = flag_length, .may_be_missing = true},
    {.name = "sp", .length = spaces_length, .may_be_missing = true},
    {.name = "gap", .length = gap_length, .may_be_missing = true},
    {.name = "rest", .role = Role::serial, .length = rest_length, .may_be_missing = true},
    {.name = "output", .follows = looks_like_output},
    {.name = "any"},
};

std::bitset<256> bytes_of(First first) {
  std::bitset<256> bytes;
  const auto add = [&](char from, char to) {
    for (int c = from; c <= to; ++c) bytes.set(static_cast<std::size_t>(c));
  };
  const bool has_capitals = first == First::letter || first == First::capital || first == First::capitals;
  if (first == First::digit || first == First::padded_digit || first == First::name) add('0', '9');
  if (first == First::padded_digit) bytes.set(' ').set('+');
  if (has_capitals || first == First::name) add('A', 'Z');
  if (first == First::letter || first == First::name) add('a', 'z');
  return first == First::anything ? bytes.set() : bytes;
}

}  // namespace

struct WrappingPattern::State {
  std::string_view text;
  std::size_t at;
  WrappingMatch& match;

  std::string_view rest() const { return text.substr(at); }

  void add(Role role, std::size_t length, std::string_view level = {}) {
    if (role != Role::plain && match.part_count < WrappingMatch::kMaxParts) {
      match.parts[match.part_count++] = {role, text.substr(at, length), level};
    }
    at += length;
  }
};

WrappingPattern::WrappingPattern(std::string_view pattern) {
  while (!pattern.empty()) {
    std::size_t taken = std::min(pattern.find('{'), pattern.size());
    if (taken > 0) {
      steps_.push_back({.literal = pattern.substr(0, taken)});
    } else if (pattern.starts_with("{{")) {
      steps_.push_back({.literal = pattern.substr(0, 1)});
      taken = 2;
    } else {
      taken = pattern.find('}') + 1;
      const std::string_view name = pattern.substr(1, taken - 2);
      if (name.starts_with('=')) {
        steps_.push_back({.literal = name.substr(1), .is_ahead = true});
      } else {
        steps_.push_back({.word = std::ranges::find(kWords, name, &Word::name)});
      }
    }
    pattern.remove_prefix(taken);
  }
  const auto is_time = [](const Step& step) { return step.word != nullptr && step.word->time == read_timestamp; };
  if (is_time(steps_[0])) time_at_ = TimeAt::begin;
  if (steps_.size() > 1 && steps_[0].literal == "[" && is_time(steps_[1])) time_at_ = TimeAt::bracket;
  find_begin();
}

// Walks over the steps that stand after the first timestamp as long as their bytes are known.
void WrappingPattern::find_begin() {
  begin_.fill(Bytes().set());
  std::size_t byte = 0;
  const std::size_t first_step = time_at_ == TimeAt::begin ? 1 : time_at_ == TimeAt::bracket ? 2 : 0;
  for (std::size_t i = first_step; i < steps_.size() && byte < begin_.size(); ++i) {
    const Step& step = steps_[i];
    for (std::size_t j = 0; j < step.literal.size() && byte < begin_.size(); ++j) {
      begin_[byte++] = Bytes().set(static_cast<unsigned char>(step.literal[j]));
    }
    if (step.word == nullptr) continue;
    if (step.word->first == First::anything) return;
    begin_[byte++] = bytes_of(step.word->first);
    if (step.word->first == First::capitals && byte < begin_.size()) begin_[byte] = bytes_of(First::capitals);
    if (step.word->first != First::capital) return;
  }
}

bool WrappingPattern::match(std::string_view text, const Timestamp& first_time, WrappingMatch& match) const {
  match.part_count = 0;
  match.time.length = 0;
  State state{text, 0, match};
  std::size_t step = 0;
  if (time_at_ != TimeAt::elsewhere) {
    step = time_at_ == TimeAt::begin ? 0 : 1;
    if (!steps_[step].word->accepts(first_time)) return false;
    state.at = step;  // the bracket
    state.add(Role::serial, first_time.length);
    ++step;
  }
  for (; step < steps_.size(); ++step) {
    if (!take(step, state)) return false;
  }
  match.length = state.at;
  if (time_at_ != TimeAt::elsewhere && match.time.length == 0) match.time = first_time;
  return match.length > 0;
}

bool WrappingPattern::take(std::size_t index, State& state) const {
  const Step& step = steps_[index];
  if (step.word == nullptr) return take_literal(step, index + 1 == steps_.size(), state);
  const Word& word = *step.word;
  if (word.length != nullptr) {
    const std::size_t length = word.length(state.rest());
    if (length == 0) return word.may_be_missing;
    state.add(word.role, length);
    return true;
  }
  if (word.follows != nullptr) return word.follows(state.rest());
  if (word.level != nullptr) {
    const LevelWord level = word.level(state.rest());
    if (level.length == 0) return false;
    state.add(word.role, level.length, level.level);
    return true;
  }
  if (word.time != nullptr) {
    const Timestamp time = word.time(state.rest());
    if (time.length == 0 || !word.accepts(time)) return false;
    state.match.time = time;
    state.add(word.role, time.length);
    return true;
  }
  return take_any(index, state);
}

bool WrappingPattern::take_literal(const Step& step, bool last, State& state) const {
  const std::string_view rest = state.rest();
  if (!rest.empty() && rest[0] != step.literal[0]) return false;
  if (rest.starts_with(step.literal)) {
    if (!step.is_ahead) state.at += step.literal.size();
    return true;
  }
  // Trailing spaces are cut off lines, so the last one of a wrapping is missing when nothing follows.
  if (!last || step.is_ahead || step.literal.back() != ' ') return false;
  if (rest != step.literal.substr(0, step.literal.find_last_not_of(' ') + 1)) return false;
  state.at = state.text.size();
  return true;
}

bool WrappingPattern::take_any(std::size_t index, State& state) const {
  if (index + 1 == steps_.size()) return false;
  const std::size_t length = state.rest().substr(0, kMaxAny).find(steps_[index + 1].literal);
  if (length == std::string_view::npos) return false;
  state.at += length;
  return true;
}

}  // namespace cutopsy
