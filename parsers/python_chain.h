// The exceptions of one record in the order in which they were printed, and how one led to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/error_message.h"
#include "parsers/event.h"
#include "parsers/python_frames.h"
#include "parsers/python_traceback_grammar.h"

namespace cutopsy {

struct PythonException {
  std::string type;
  ErrorMessage message;
  PythonFrames frames;
  std::string thread;
  std::string text;  ///< the line with type and message
  Envelope envelope;
  Place begin;
  Place where;
  std::size_t column = 0;  ///< of its margin in an exception group, else 0
};

class PythonChain {
 public:
  /// Adds the exception that comes next.
  void add(PythonException exception);
  /// The sentence of a chain was read, at the margin `column`: what came before led to the exception that comes next.
  void link(traceback::Link link, std::size_t column);
  /// The exception that comes next is printed inside the message of the last one.
  void enter_message();
  /// The quotation in which the last one stands is over.
  void close_quotation() { quotation_closed_ = true; }

  /// The frames and links of the exceptions from the `first`th on may be others': forgets them.
  void tear_apart(std::size_t first);

  std::size_t size() const { return exceptions_.size(); }
  bool full() const { return exceptions_.size() >= kMaxExceptions; }
  PythonException& last() { return exceptions_.back().exception; }

  /// One python.exception per exception, in order.
  void emit(EventSink& sink, std::uint64_t record) const;

  /// Further ones are read as a record of their own: only the link between the two is lost.
  static constexpr std::size_t kMaxExceptions = 32;

 private:
  static constexpr std::size_t kNone = -1;
  struct Member {
    PythonException exception;
    std::size_t inside = kNone;  // the exception whose message or group holds this one
    std::string_view chain;
    Place because;
  };
  std::size_t linked(std::size_t column) const;
  bool is_complete(std::size_t inner) const;
  std::size_t enclosing_group(std::size_t column) const;
  Place place_of(std::size_t index) const;

  std::vector<Member> exceptions_;
  traceback::Link pending_link_ = traceback::Link::none;
  std::size_t pending_from_ = kNone;  // the exception that the pending link starts from
  std::size_t pending_inside_ = kNone;
  bool quotation_closed_ = false;
};

}  // namespace cutopsy
