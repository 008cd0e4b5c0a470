#include "parsers/envelope/stripper.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "parsers/envelope/control_codes.h"
#include "parsers/envelope/progress_bar.h"

namespace cutopsy {
namespace {

using Role = WrappingPart::Role;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// The number at the beginning of `text`, 0 if there is none or it is too large.
unsigned leading_number(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Loggers print equal lines once, with a count that hides who else printed them. Ray:
// "RuntimeError: ... [repeated 7x across cluster] (Ray deduplicates logs by default. ...)"
// rsyslog: "message repeated 3 times: [ RuntimeError: ...]"
std::string_view without_repeat_count(std::string_view text, unsigned& repeats) {
  repeats = 0;
  if (!text.ends_with(']') && !text.ends_with(')')) return text;
  constexpr std::string_view kRsyslog = "message repeated ";
  constexpr std::string_view kTimes = " times: [";
  if (text.starts_with(kRsyslog)) {
    const std::size_t times = text.find(kTimes);
    if (times == text.npos) return text;
    repeats = leading_number(text.substr(kRsyslog.size()));
    text = text.substr(times + kTimes.size());
    text.remove_suffix(1);
    if (text.starts_with(' ')) text.remove_prefix(1);
    return text;
  }
  constexpr std::string_view kCount = "x across cluster]";
  constexpr std::string_view kRay = " [repeated ";
  if (text.find(kCount) == text.npos) return text;
  const std::size_t begin = text.rfind(kRay);
  if (begin == text.npos) return text;
  repeats = leading_number(text.substr(begin + kRay.size()));
  return without_trailing_blanks(text.substr(0, begin));
}

// A field of a CSV file behind its opening quote: quotes in it are doubled, the one that closes it may stand in a
// later line.
void unquote(std::string_view field, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < field.size(); ++at) {
    const bool is_quote = field[at] == '"';
    if (is_quote && field.substr(at + 1, 1) != "\"") return;
    if (is_quote) ++at;
    out.push_back(field[at]);
  }
}

void clear(Envelope& envelope) {
  envelope.time.clear();
  envelope.seconds = 0;
  envelope.zone_known = false;
  envelope.level.clear();
  envelope.host.clear();
  envelope.rank.clear();
  envelope.local_rank.clear();
  envelope.pod.clear();
  envelope.pid.clear();
  envelope.application.clear();
  envelope.kernel = false;
  envelope.repeats = 0;
}

// What the envelope of a payload says goes over what is known from around it.
void merge(const Envelope& inner, Envelope& out) {
  const auto take = [](const std::string& from, std::string& to) {
    if (!from.empty()) to = from;
  };
  take(inner.time, out.time);
  take(inner.level, out.level);
  take(inner.host, out.host);
  take(inner.rank, out.rank);
  take(inner.pod, out.pod);
  take(inner.pid, out.pid);
  take(inner.application, out.application);
  if (inner.seconds != 0) {
    out.seconds = inner.seconds;
    out.zone_known = true;
  }
  out.kernel = out.kernel || inner.kernel;
}

// The text of a wrapping that names a process and has no timestamp, "" for others.
std::string_view label_of(const WrappingMatch& match, std::string_view text) {
  const auto parts = std::span(match.parts).first(match.part_count);
  const bool names_process = std::any_of(parts.begin(), parts.end(), [](const WrappingPart& part) {
    return part.role == Role::pid || part.role == Role::rank || part.role == Role::local_rank;
  });
  constexpr std::size_t kShortest = 6;  // "[rank0]:" is long enough, "0: " is not
  return names_process && match.time.length == 0 && match.length >= kShortest ? text.substr(0, match.length) : "";
}

bool changes_from_line_to_line(const WrappingPart& part) {
  return part.role == Role::serial || part.role == Role::priority;
}

}  // namespace

void Stripper::strip(std::string_view raw, Place where, const std::function<void(const Line&)>& sink) {
  line_.where = where;
  line_.record = 0;
  clear(line_.envelope);
  lane_.clear();
  label_.clear();
  year_ = 0;
  split(raw.substr(0, kMaxLineBytes), 0, sink);
}

std::span<const std::string_view> Stripper::hiding_marks() {
  static constexpr std::string_view kMarks[] = {
      "\\u00", "\\x1b[",        "\\x1B[",        "\\033[",          "\\e[",      "^[[",
      "#033[", "\xE2\x90\x9B[", "\"MESSAGE\":[", "\"MESSAGE\" : [", "stdout P ", "stderr P "};
  return kMarks;
}

std::string_view Stripper::hiding_bytes() {
  return {"\x1b\a\0", 3};
}

// Cuts `bytes` into logical lines.
void Stripper::split(std::string_view bytes, std::size_t level, const Sink& sink) {
  levels_[level].has_writer = false;
  bytes = without_trailing_blanks(bytes);
  if (has_control_codes(bytes)) {
    clean_text(bytes, levels_[level].clean);
    bytes = without_trailing_blanks(levels_[level].clean);
  }
  bytes.remove_prefix(std::min(bytes.find_first_not_of('\n'), bytes.size()));
  for (std::size_t end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
    read_line(bytes.substr(0, end), level, false, sink);
    bytes.remove_prefix(end + 1);
  }
  read_line(bytes, level, true, sink);
}

void Stripper::read_line(std::string_view text, std::size_t level, bool last, const Sink& sink) {
  Level& here = levels_[level];
  text = here.has_writer ? peel_as_writer(text, here) : peel(text);
  if (!last && !here.has_writer) keep_writer(here);
  if (read_json(text, level, sink) || read_quoted(text, level, sink)) return;
  for (std::size_t end = find_end_of_line(text); end != text.npos; end = find_end_of_line(text)) {
    emit(text.substr(0, end), sink);
    if (!here.has_writer) keep_writer(here);
    text.remove_prefix(end);
    if (!label_.empty() && text.starts_with(label_)) text.remove_prefix(label_.size());
    text = peel_as_writer(text, here);
  }
  emit(text, sink);
}

// Where a line ends whose line break was lost: after a progress bar, or where the label of the writer comes again.
std::size_t Stripper::find_end_of_line(std::string_view text) const {
  const std::size_t bar = find_end_of_progress_bar(text);
  const std::size_t label = label_.empty() ? text.npos : text.find(label_);
  return std::min(bar, label);
}

bool Stripper::read_json(std::string_view text, std::size_t level, const Sink& sink) {
  const bool may_be = text.starts_with('{') || text.starts_with("[{") || text.starts_with(",{");
  if (!may_be || level + 1 == kMaxLevels || !read_json_line(text, levels_[level].json)) return false;
  const JsonLine& json = levels_[level].json;
  merge(json.envelope, line_.envelope);
  for (const std::string* name : {&json.envelope.host, &json.envelope.application, &json.envelope.pid}) {
    if (!name->empty()) lane_.append(*name).push_back(':');
  }
  split(json.message, level + 1, sink);
  return true;
}

bool Stripper::read_quoted(std::string_view text, std::size_t level, const Sink& sink) {
  if (!is_quoted_ || level + 1 == kMaxLevels) return false;
  std::string& field = levels_[level].json.message;
  unquote(text, field);
  split(field, level + 1, sink);
  return true;
}

void Stripper::emit(std::string_view text, const Sink& sink) {
  line_.text = without_repeat_count(without_trailing_blanks(text), line_.envelope.repeats);
  line_.lane = lane_;
  sink(line_);
}

// Takes wrappings off the beginning of `text` until none is left.
std::string_view Stripper::peel(std::string_view text) {
  writer_lane_ = std::string::npos;
  writer_level_ = line_.envelope.level;
  is_quoted_ = false;
  for (int i = 0; i < kMaxNesting; ++i) {
    const Wrapping* wrapping = find_wrapping(text, line_.envelope.kernel, match_);
    if (wrapping == nullptr) break;
    // In the kernel's log, drivers name their devices as hosts are named elsewhere.
    if (line_.envelope.kernel && wrapping->kind != Wrapping::Kind::kernel) break;
    if (wrapping->kind == Wrapping::Kind::outer && writer_lane_ != std::string::npos) break;
    if (wrapping->kind == Wrapping::Kind::label) {
      if (line_.envelope.rank.empty()) apply_part(match_.parts[0]);
      break;
    }
    apply(*wrapping, text);
    if (i == 0 && label_.empty()) label_ = label_of(match_, text);
    text.remove_prefix(match_.length);
    is_quoted_ = wrapping->kind == Wrapping::Kind::quoted;
    if (is_quoted_) break;
  }
  return text;
}

// As peel(), for a further line of the writer that `level` knows. He may name himself in each line.
std::string_view Stripper::peel_as_writer(std::string_view text, const Level& level) {
  line_.envelope = level.writer;
  lane_ = level.writer_lane;
  text = peel(text);
  const std::string_view own = std::string_view(lane_).substr(level.writer_lane.size());
  if (level.writer_lane.ends_with(own)) lane_.resize(level.writer_lane.size());
  return text;
}

void Stripper::keep_writer(Level& level) {
  level.has_writer = true;
  level.writer = line_.envelope;
  level.writer_lane.assign(lane_, 0, writer_lane_);
  if (writer_lane_ != std::string::npos) level.writer.level = writer_level_;
}

void Stripper::apply(const Wrapping& wrapping, std::string_view text) {
  const std::size_t lane_before = lane_.size();
  bool has_level = !wrapping.level.empty();
  const char* done = text.data();
  for (std::size_t i = 0; i < match_.part_count; ++i) {
    const WrappingPart& part = match_.parts[i];
    lane_.append(done, part.text.data());
    if (!changes_from_line_to_line(part)) lane_.append(part.text);
    done = part.text.data() + part.text.size();
    apply_part(part);
    has_level = has_level || part.role == Role::level;
  }
  lane_.append(done, text.data() + match_.length);
  while (!lane_.empty() && is_blank(lane_.back())) lane_.pop_back();
  if (match_.time.length != 0) apply_time(match_.time);
  if (!wrapping.level.empty()) line_.envelope.level = wrapping.level;
  if (wrapping.kind == Wrapping::Kind::kernel) line_.envelope.kernel = true;
  if (has_level && writer_lane_ == std::string::npos) writer_lane_ = lane_before;
}

void Stripper::apply_part(const WrappingPart& part) {
  Envelope& envelope = line_.envelope;
  switch (part.role) {
    case Role::plain:
    case Role::serial:
      return;
    case Role::level:
    case Role::priority:
      envelope.level = part.level;
      return;
    case Role::rank:
      envelope.rank = part.text;
      return;
    case Role::local_rank:
      envelope.local_rank = part.text;
      return;
    case Role::pid:
      envelope.pid = part.text;
      return;
    case Role::host:
      envelope.host = part.text;
      return;
    case Role::pod:
      envelope.pod = part.text;
      return;
    case Role::application:
      envelope.application = part.text;
      return;
  }
}

// The innermost timestamp counts, but seconds since boot and clocks of an unknown zone tell less than others.
void Stripper::apply_time(const Timestamp& time) {
  Envelope& envelope = line_.envelope;
  if (time.form != Timestamp::Form::uptime || envelope.time.empty()) envelope.time = time.text;
  if (time.year != 0) year_ = time.year;
  if (envelope.zone_known && !time.has_zone) return;
  const double seconds = unix_seconds(time, year_);
  if (seconds == 0) return;
  envelope.seconds = seconds;
  envelope.zone_known = time.has_zone;
}

}  // namespace cutopsy
