// An exception's last line where no traceback stands around it: logged alone, torn off its record, or in a test report.
#include <algorithm>
#include <utility>

#include "parsers/exception_class.h"
#include "parsers/python_exception.h"
#include "parsers/python_traceback_grammar.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {
    "Error:",         "Exception:",          "Exit:",        "AssertionError",  "KeyboardInterrupt", "OutOfResources:",
    "StopIteration:", "StopAsyncIteration:", "ProcessPool:", "CompilerFailed:", "ExceptionGroup:",   "_dynamo.exc.",
    "_inductor.exc."};

std::string_view trim_left(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// pytest's "E   " before the lines of an exception, taken off; true when it was there.
bool consume_pytest_mark(std::string_view& text) {
  if (!text.starts_with("E   ")) return false;
  text = trim_left(text.substr(1));
  return true;
}

void parse(const Line& line, EventSink& sink) {
  if (line.record != 0) return;
  std::string_view text = trim_left(line.text);
  const bool reported = consume_pytest_mark(text);
  const auto raised = traceback::read_raised(text);
  if (!raised || raised->type.ends_with(')') || !is_unmistakable_exception(raised->type)) return;
  const bool names_itself = raised->type == "KeyboardInterrupt" || (reported && raised->type == "AssertionError");
  if (!raised->has_message && !names_itself) return;
  Event event;
  event.kind = "python.exception";
  event.emitter = emitter_of_class(raised->type);
  event.fields.set("python_type", raised->type);
  event.fields.set("message", raised->message);
  event.fields.set("first_line", raised->message);
  event.envelope = line.envelope;
  event.where = event.begin = line.where;
  event.text = line.text;
  sink.on_event(std::move(event));
}

}  // namespace

const LineParser kBareExceptionParser = {"bare_exception", kTriggers, parse};

}  // namespace cutopsy
