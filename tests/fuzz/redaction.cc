// What is done to a text before others see it.
#include "engine/report/redaction.h"

#include "engine/report/printable.h"
#include "engine/report/wrap.h"
#include "tests/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  const std::string_view text = bytes_of(data, size);
  const std::string once = redacted(text);
  require_equal(redacted(once), once, "redacting twice changes nothing more");
  for (const std::size_t most : {size, size / 2}) {
    const std::string shown = printable_lines(text, most);
    require_equal(printable_lines(shown, shown.size()), shown, "what is printable stays as it is");
    const std::string line = printable(text, most);
    require(line.find('\n') == line.npos, "printable() gives one line", line);
  }
  return 0;
}
