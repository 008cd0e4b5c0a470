// Formats: glibc assert/assert.c, musl src/exit/assert.c, Apple Libc assert.c, Visual C++'s _wassert,
//   TensorRT-LLM cpp/include/tensorrt_llm/common/assert.h
#include "parsers/host_assert.h"

#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kAsserts[] = {
    // python: /home/u/src/foo.cpp:12: void foo(int): Assertion `n > 0' failed.
    {"Assertion `",
     R"((?:^|[\s:])(?P<file>[^\s:]+):(?P<line>\d+): (?P<raised_from>.+): (?P<what>Assertion `.+' failed\.))", "c++"},
    {"Assertion failed: ",
     R"(^(?P<what>Assertion failed: .+), function (?P<raised_from>[^,]+), file (?P<file>[^,]+), line (?P<line>\d+))",
     "c++"},
    {"Assertion failed: ", R"(^(?P<what>Assertion failed: .+), file (?P<file>[^,]+), line (?P<line>\d+))", "c++"},
    {"Assertion failed: ",
     R"(^(?P<what>Assertion failed: .+) \((?P<file>[^\s():]+): (?P<raised_from>[^:]+): (?P<line>\d+)\)$)", "c++"},
    {"Assertion failed: ", R"(^(?P<what>Assertion failed: .+) \((?P<file>[^\s():]+):(?P<line>\d+)\)$)", "tensorrt-llm"},
};

constexpr auto kTriggers = triggers_of(kAsserts);

// False for the assertions of device code, which close their condition with a backtick.
bool may_be_of_host(std::string_view text) {
  return text.find("' failed.") != text.npos || text.find("Assertion failed: ") != text.npos;
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook asserts(kAsserts);
  Fields fields;
  const Phrase* failed = may_be_of_host(line.text) ? asserts.find(line.text, fields) : nullptr;
  if (!failed) return;
  Event event = line_event(line, "cpp.exception", failed->emitter);
  event.fields = std::move(fields);
  event.fields.set("type", "assert");
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kHostAssertParser{"host_assert", kTriggers, parse};

}  // namespace cutopsy
