#include "parsers/python_exception.h"

#include <algorithm>
#include <string>
#include <utility>

#include "parsers/exception_class.h"
#include "parsers/python_chain.h"

namespace cutopsy {
namespace {

using traceback::Style;

// White space at the start, at most `width` of it, taken off.
std::string_view unindent(std::string_view text, std::size_t width) {
  const std::size_t blank = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(std::min(blank, width));
}

bool is_indented(std::string_view text) {
  return text.starts_with(' ') || text.starts_with('\t');
}

// Values that printers show below a source line: loguru's trees, the locals of RETURNN's better_exchook.
bool is_value_listing(std::string_view text) {
  const std::string_view bare = unindent(text, text.size());
  return bare.starts_with("\xE2\x94\x82") || bare.starts_with("\xE2\x94\x94") || bare.starts_with("locals:");
}

// tqdm's bar: another writer's, though it may be indented like source text.
bool is_progress_bar(std::string_view text) {
  return text.find("%|") != std::string_view::npos && text.find("/s") != std::string_view::npos;
}

// "DataLoader worker process 0" of "Caught RuntimeError in DataLoader worker process 0."
std::string_view worker_name(std::string_view message) {
  const std::size_t in = message.starts_with("Caught ") ? message.find(" in ") : std::string_view::npos;
  if (in == std::string_view::npos) return {};
  const std::string_view name = message.substr(in + 4);
  return name.substr(0, name.find('.'));
}

// TorchScript prints two tracebacks of one exception: of the serialized and of the original code.
bool is_torch_script(const traceback::Head& head, std::string_view text) {
  return head.inner && text.find("TorchScript") != std::string_view::npos;
}

bool is_ray_task_error(std::string_view type) {
  return class_name(type) == "RayTaskError" && type.ends_with(')');
}

// Exceptions whose message goes on in the lines below also where no traceback stands above them.
bool has_long_message(std::string_view type) {
  const std::string_view name = class_name(type);
  return is_ray_task_error(type) || name == "ChildFailedError" || name == "DistBackendError";
}

// A chain of tracebacks, read line by line.
class PythonRecord : public Record {
 public:
  explicit PythonRecord(std::uint64_t number) : number_(number) {}

  // Each reads the opener as one kind of first line.
  void open_with_head(const traceback::Head& head, const Line& line) {
    column_ = traceback::read_margin(line.text).column;
    read_traceback(head, line);
  }
  void open_with_thread(std::string_view thread, const Line& line) {
    state_ = State::head;
    next_.thread = thread;
    next_.begin = line.where;
  }
  void open_as_ignored(const Line& line) {
    state_ = State::head;
    ignored_ = true;
    next_.begin = line.where;
  }
  void open_with_exception(const traceback::Raised& raised, const Line& line) { raise(raised, line, line.text); }

  Step feed(const Line& line) override;
  std::string_view level() const override { return ignored_ ? "warning" : ""; }
  void finish(EventSink& sink) override { chain_.emit(sink, torn_ ? 0 : number_); }

 private:
  enum class State { head, frames, message };

  Step feed_head(const Line& line, std::string_view text);
  Step feed_frames(const Line& line, std::string_view text);
  Step feed_plain_frames(const Line& line, std::string_view text);
  Step feed_ipython_frames(const Line& line, std::string_view text);
  Step feed_rich_frames(const Line& line, std::string_view text);
  Step feed_message(const Line& line, std::string_view text);
  Step feed_torn(const Line& line, std::string_view text);
  bool shows_second_writer(std::string_view text) const;
  Step noise();

  void enter_message(const Line& line);
  void expect_traceback();
  void read_traceback(const traceback::Head& head, const Line& line);
  void add_frame(const traceback::Frame& frame, const Line& line);
  void raise(const traceback::Raised& raised, const Line& line, std::string_view text);

  // Lines in a row that are not of the grammar before a traceback is given up; so many for each unfinished one.
  static constexpr int kMaxNoise = 10;

  const std::uint64_t number_;
  State state_ = State::frames;
  PythonChain chain_;

  PythonException next_;  // the exception whose traceback is being read
  traceback::Head head_;  // and its head
  bool head_may_follow_ = false;
  bool source_may_follow_ = false;
  bool flush_left_ = false;  // the indentation of frames was lost
  bool in_noise_ = false;
  int noise_ = 0;

  // Two writers may print their tracebacks at once, without a label that tells their lines apart.
  std::size_t unfinished_ = 0;  // tracebacks that another one broke into, without their exceptions so far
  std::size_t torn_from_ = 0;   // the first exception after that
  bool torn_ = false;           // they go on: whose frames are whose cannot be told

  bool ignored_ = false;    // Python went on from what it prints
  bool in_group_ = false;   // lines may have margins
  std::size_t column_ = 0;  // the margin of the line being read
};

Record::Step PythonRecord::feed(const Line& line) {
  std::string_view text = line.text;
  column_ = 0;
  if (in_group_) {
    const traceback::Margin margin = traceback::read_margin(text);
    column_ = margin.column;
    text = margin.text;
    if (margin.opens_member) {
      if (chain_.full()) return Step::refused;
      expect_traceback();
      return Step::taken;
    }
  }
  if (text.empty() && column_ > 0) return Step::taken;
  text = unindent(text, head_.indent);
  if (unfinished_ > 0 && (torn_ || shows_second_writer(text))) return feed_torn(line, text);
  switch (state_) {
    case State::head:
      return feed_head(line, text);
    case State::frames:
      return feed_frames(line, text);
    case State::message:
      return feed_message(line, text);
  }
  return Step::refused;
}

Record::Step PythonRecord::feed_head(const Line& line, std::string_view text) {
  if (const auto head = traceback::read_head(text)) {
    read_traceback(*head, line);
    return Step::taken;
  }
  const auto raised = traceback::read_raised(text);
  if (!ignored_ || !raised) return Step::refused;
  raise(*raised, line, text);
  return Step::taken;
}

Record::Step PythonRecord::feed_frames(const Line& line, std::string_view text) {
  if (text.empty()) return Step::taken;
  if (const auto head = traceback::read_head(text)) {
    if (!head_may_follow_ && !is_torch_script(*head, text)) {
      if (head->style != Style::plain || head_.style != Style::plain) return Step::refused;
      if (unfinished_++ == 0) torn_from_ = chain_.size();
      next_ = PythonException{};
    }
    read_traceback(*head, line);
    return Step::taken;
  }
  if (head_.style == Style::ipython) return feed_ipython_frames(line, text);
  if (head_.style == Style::rich) return feed_rich_frames(line, text);
  return feed_plain_frames(line, text);
}

Record::Step PythonRecord::feed_plain_frames(const Line& line, std::string_view text) {
  if (const auto frame = traceback::read_frame(text)) {
    flush_left_ = text.starts_with("File ");
    add_frame(*frame, line);
    return Step::taken;
  }
  if (traceback::is_marker(text) || traceback::is_repeat_note(text)) return Step::taken;
  const bool is_source = source_may_follow_ && (flush_left_ || is_indented(text));
  if (const auto raised = traceback::read_raised(text)) {
    const bool certain = raised->has_message || !is_source || is_unmistakable_exception(raised->type);
    if (certain) {
      raise(*raised, line, text);
      return Step::taken;
    }
  }
  if (is_progress_bar(text)) return noise();
  if (is_source || (is_indented(text) && !in_noise_)) {
    const bool wanted = source_may_follow_ || next_.frames.source_is_open();
    if (wanted && !is_value_listing(text)) next_.frames.add_source(text);
    source_may_follow_ = false;
    return Step::taken;
  }
  return noise();
}

Record::Step PythonRecord::feed_ipython_frames(const Line& line, std::string_view text) {
  const auto raised = traceback::read_raised(text);
  if (raised && class_name(raised->type) == class_name(next_.type)) {
    raise(*raised, line, text);
    return Step::taken;
  }
  if (const auto frame = traceback::read_ipython_frame(text)) {
    add_frame(*frame, line);
    return Step::taken;
  }
  if (const auto pointed = traceback::read_pointed_line(text)) {
    next_.frames.point_at(*pointed);
    return Step::taken;
  }
  return is_indented(text) ? Step::taken : noise();
}

Record::Step PythonRecord::feed_rich_frames(const Line& line, std::string_view text) {
  const auto box = traceback::read_box(text);
  if (!box) {
    const auto raised = traceback::read_raised(text);
    if (!raised) return noise();
    raise(*raised, line, text);
    chain_.last().message.set_width(head_.columns);
    return Step::taken;
  }
  if (const auto pointed = traceback::read_pointed_line(*box)) {
    next_.frames.point_at(*pointed);
  } else if (const auto frame = traceback::read_rich_frame(*box)) {
    add_frame(*frame, line);
  }
  return Step::taken;
}

// Whether an unfinished traceback goes on with `text`: it was not cut off, its lines alternate with another one's.
bool PythonRecord::shows_second_writer(std::string_view text) const {
  if (text.empty() || traceback::read_head(text)) return false;
  if (state_ == State::frames) {
    const bool expects_head = next_.begin == Place{};
    const bool expects_frame = next_.frames.empty() && is_indented(text) && !traceback::read_frame(text);
    return expects_head || expects_frame;
  }
  constexpr std::string_view kSourceIndent = "    ";
  if (traceback::read_frame(text) || text.starts_with(kSourceIndent)) return true;
  const auto raised = traceback::read_raised(text);
  return raised && (raised->has_message || is_unmistakable_exception(raised->type));
}

// Takes the exceptions of all writers without their frames.
Record::Step PythonRecord::feed_torn(const Line& line, std::string_view text) {
  if (!torn_) {
    torn_ = true;
    chain_.tear_apart(torn_from_);
    if (state_ == State::frames && next_.begin != Place{}) ++unfinished_;
  }
  if (const auto head = traceback::read_head(text)) {
    if (!is_torch_script(*head, text)) ++unfinished_;
    return Step::taken;
  }
  if (const auto raised = traceback::read_raised(text)) {
    if (chain_.full()) return Step::refused;
    next_ = PythonException{};
    raise(*raised, line, text);
    noise_ = 0;
    return --unfinished_ == 0 ? Step::last : Step::taken;
  }
  return text.empty() || is_indented(text) ? Step::taken : noise();
}

Record::Step PythonRecord::noise() {
  in_noise_ = true;
  source_may_follow_ = false;
  return ++noise_ > kMaxNoise * (1 + static_cast<int>(unfinished_)) ? Step::refused : Step::taken;
}

Record::Step PythonRecord::feed_message(const Line& line, std::string_view text) {
  ErrorMessage& message = chain_.last().message;
  if (const auto link = traceback::read_link(text); link != traceback::Link::none) {
    if (chain_.full()) return Step::refused;
    chain_.link(link, column_);
    expect_traceback();
    return Step::taken;
  }
  if (const auto head = traceback::read_head(text)) {
    const bool quoted = head->inner || head->indent > 0 || message.announces_more();
    if (!quoted && unfinished_ > 0 && head->style == Style::plain && !chain_.full()) {
      read_traceback(*head, line);
      return Step::taken;
    }
    if (!quoted || head->style != Style::plain || chain_.full()) return Step::refused;
    enter_message(line);
    read_traceback(*head, line);
    return Step::taken;
  }
  if (const auto frame = traceback::read_frame(text); frame && is_ray_task_error(chain_.last().type)) {
    if (chain_.full()) return Step::refused;
    enter_message(line);
    return feed_plain_frames(line, text);
  }
  if (text == "\"\"\"" && !message.after_blank() && !message.announces_more()) {
    chain_.close_quotation();
    return Step::taken;
  }
  const bool writer_known = column_ > 0 || lane_names_writer(line.lane);
  if (message.offer(text, writer_known)) return Step::taken;
  const bool may_be_torn = unfinished_ > 0 && text.find("terminate called") == std::string_view::npos;
  return may_be_torn ? noise() : Step::refused;
}

void PythonRecord::enter_message(const Line& line) {
  const std::string worker(worker_name(chain_.last().message.text()));
  chain_.enter_message();
  expect_traceback();
  next_.thread = worker;
  next_.begin = line.where;
}

// What follows is a new traceback, or an exception without one.
void PythonRecord::expect_traceback() {
  state_ = State::frames;
  next_ = PythonException{};
  head_may_follow_ = true;
  source_may_follow_ = flush_left_ = in_noise_ = false;
  noise_ = 0;
  head_.style = Style::plain;
}

void PythonRecord::read_traceback(const traceback::Head& head, const Line& line) {
  const std::size_t indent = head_.indent + head.indent;
  state_ = State::frames;
  head_ = head;
  head_.indent = indent;
  head_may_follow_ = false;
  in_group_ = in_group_ || head.style == Style::group;
  next_.type = head.type;
  if (next_.begin == Place{}) next_.begin = line.where;
}

void PythonRecord::add_frame(const traceback::Frame& frame, const Line& line) {
  next_.frames.add(frame);
  if (next_.begin == Place{}) next_.begin = line.where;
  head_may_follow_ = false;
  source_may_follow_ = true;
  in_noise_ = false;
  noise_ = 0;
}

void PythonRecord::raise(const traceback::Raised& raised, const Line& line, std::string_view text) {
  next_.type = raised.type;
  next_.message = raised.has_message ? ErrorMessage(raised.message, text) : ErrorMessage::none();
  next_.text = line.text;
  next_.envelope = line.envelope;
  if (ignored_) next_.envelope.level = level();
  next_.where = line.where;
  if (next_.begin == Place{}) next_.begin = line.where;
  next_.column = column_;
  chain_.add(std::exchange(next_, PythonException{}));
  state_ = State::message;
}

constexpr std::string_view kTriggers[] = {
    "Traceback (most", "Exception in thread", "Process-",         "Process EngineCore", "Process VllmWorker",
    "RayTaskError(",   "ChildFailedError",    "DistBackendError", "Exception ignored ", "Error in atexit."};

std::unique_ptr<Record> open_record(const Line& opener) {
  auto record = std::make_unique<PythonRecord>(opener.record);
  if (opener.text.find("Traceback (most") != std::string_view::npos) {
    const auto head = traceback::read_head(opener.text);
    if (!head) return nullptr;
    record->open_with_head(*head, opener);
    return record;
  }
  if (traceback::is_ignored_head(opener.text)) {
    record->open_as_ignored(opener);
    return record;
  }
  if (const auto thread = traceback::read_thread_head(opener.text)) {
    record->open_with_thread(*thread, opener);
    return record;
  }
  const auto raised = traceback::read_raised(opener.text);
  if (!raised || !has_long_message(raised->type)) return nullptr;
  record->open_with_exception(*raised, opener);
  return record;
}

}  // namespace

const RecordParser kPythonExceptionParser = {"python_exception", kTriggers, open_record};

}  // namespace cutopsy
