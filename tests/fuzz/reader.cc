// All parsers together, with lanes, trials and inner records: the events are the same whether each parser sees every
// line or only those with one of its triggers.
#include "tests/fuzz/vocabulary.h"
#include "tests/unit/reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  const auto said = [&](bool by_triggers) {
    const Reading reading(bytes_of(data, size), by_triggers);
    std::string all;
    for (const Event& event : reading.events) all += checked(event);
    for (const Fact& fact : reading.facts) all += checked(fact);
    return all;
  };
  require_equal(said(true), said(false), "triggers reach every line that a parser can read");
  return 0;
}
