#include "parsers/python_chain.h"

#include <utility>

#include "parsers/exception_class.h"
#include "parsers/python_package.h"

namespace cutopsy {
namespace {

// Exceptions that only carry the traceback of another one: JAX's note on its removed frames, multiprocessing's
// quotation of a worker's traceback.
bool is_carrier(const PythonException& exception) {
  const std::string_view name = class_name(exception.type);
  return name == "SimplifiedTraceback" || name == "RemoteTraceback" || name == "_RemoteTraceback";
}

// The class in "Caught RuntimeError in DataLoader worker process 0.", "" in other messages.
std::string_view caught_class(std::string_view message) {
  constexpr std::string_view kCaught = "Caught ";
  if (!message.starts_with(kCaught)) return {};
  message.remove_prefix(kCaught.size());
  return message.substr(0, message.find(' '));
}

}  // namespace

void PythonChain::link(traceback::Link link, std::size_t column) {
  pending_link_ = link;
  pending_from_ = linked(column);
  pending_inside_ = exceptions_[pending_from_].inside;
}

void PythonChain::enter_message() {
  pending_inside_ = exceptions_.size() - 1;
  quotation_closed_ = false;
}

// The exception that a sentence at the margin `column` speaks of.
std::size_t PythonChain::linked(std::size_t column) const {
  std::size_t index = exceptions_.size() - 1;
  if (column > 0) {
    for (std::size_t i = exceptions_.size(); i-- > 0;) {
      if (exceptions_[i].exception.column == column) return i;
    }
    return index;
  }
  while (exceptions_[index].inside != kNone && is_complete(index)) index = exceptions_[index].inside;
  return index;
}

// Whether what follows speaks of the exception around `inner` rather than of `inner`: both print the same sentences.
bool PythonChain::is_complete(std::size_t inner) const {
  if (quotation_closed_ || exceptions_[inner].exception.column > 0) return true;
  const PythonException& outer = exceptions_[exceptions_[inner].inside].exception;
  const std::string_view caught = caught_class(outer.message.text());
  return !caught.empty() && class_name(caught) == class_name(exceptions_[inner].exception.type);
}

std::size_t PythonChain::enclosing_group(std::size_t column) const {
  for (std::size_t i = exceptions_.size(); column > 0 && i-- > 0;) {
    const std::size_t outer = exceptions_[i].exception.column;
    if (outer > 0 && outer < column) return i;
  }
  return kNone;
}

// Where the exception stands that is to blame for what `index` led to.
Place PythonChain::place_of(std::size_t index) const {
  const Member& member = exceptions_[index];
  return is_carrier(member.exception) ? member.because : member.exception.where;
}

void PythonChain::add(PythonException exception) {
  Member member{std::move(exception), pending_inside_, {}, {}};
  if (pending_link_ == traceback::Link::none && pending_inside_ == kNone) {
    member.inside = enclosing_group(member.exception.column);
  }
  Place replaced;
  if (pending_link_ != traceback::Link::none) {
    Member& from = exceptions_[pending_from_];
    from.chain = pending_link_ == traceback::Link::cause ? "cause" : "context";
    replaced = from.exception.where;
    member.because = place_of(pending_from_);
  }
  if (member.inside != kNone) {
    member.chain = "original";
    Member& outer = exceptions_[member.inside];
    const bool quoted = outer.exception.column == 0 && pending_link_ == traceback::Link::none;
    if (quoted || outer.because == Place{} || outer.because == replaced) outer.because = member.exception.where;
  }
  exceptions_.push_back(std::move(member));
  pending_link_ = traceback::Link::none;
  pending_from_ = pending_inside_ = kNone;
}

void PythonChain::tear_apart(std::size_t first) {
  for (std::size_t i = first; i < exceptions_.size(); ++i) {
    Member& member = exceptions_[i];
    member.exception.frames = {};
    member.inside = kNone;
    member.chain = {};
    member.because = {};
  }
  pending_link_ = traceback::Link::none;
  pending_from_ = pending_inside_ = kNone;
}

void PythonChain::emit(EventSink& sink, std::uint64_t record) const {
  for (const Member& member : exceptions_) {
    const PythonException& exception = member.exception;
    if (is_carrier(exception)) continue;
    Event event;
    event.kind = "python.exception";
    event.emitter = emitter_of_class(exception.type);
    event.fields.set("python_type", exception.type);
    event.fields.set("message", exception.message.text());
    event.fields.set("first_line", exception.message.first_line());
    exception.frames.describe(event.fields, class_name(exception.type) == "AssertionError");
    const bool passed_on = !caught_class(exception.message.text()).empty();  // its innermost frame only raises again
    if (!passed_on) event.fields.set("package", python_package_of(event.fields.get("file")));
    event.fields.set("chain", member.chain);
    event.fields.set("thread", exception.thread);
    event.envelope = exception.envelope;
    event.where = exception.where;
    event.begin = exception.begin;
    event.text = exception.text;
    event.record = record;
    event.because = member.because;
    sink.on_event(std::move(event));
  }
}

}  // namespace cutopsy
