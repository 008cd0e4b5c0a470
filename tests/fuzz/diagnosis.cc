// A log from its bytes to its report: the same with and without the scan, however the bytes arrive.
#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/batch.h"
#include "engine/report/report_document.h"
#include "tests/fuzz/property.h"

namespace cutopsy {
namespace {

// Gives few bytes at a time.
class Trickle : public ByteSource {
 public:
  explicit Trickle(std::string_view text) : rest_(text) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t bytes = std::min({buffer.size(), rest_.size(), step_});
    std::memcpy(buffer.data(), rest_.data(), bytes);
    rest_.remove_prefix(bytes);
    step_ = step_ % 97 + 1;
    return bytes;
  }

 private:
  std::string_view rest_;
  std::size_t step_ = 1;
};

const RuleIndex& index_for(bool large_input) {
  static const RuleIndex small(RuleSet::built_in());
  static const RuleIndex large(RuleSet::built_in());
  if (large_input) large.scanner().prepare_for_large_input();
  return large_input ? large : small;
}

std::string report_of(const RuleIndex& index, std::unique_ptr<ByteSource> source, bool scan) {
  Batch batch;
  batch.cases.push_back(analyse(index, "fuzz.log", *source, {.scan = scan}));
  Json document = report_document(batch, index.rules());
  document.erase("statistics");
  return dumped(document, 1);
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  const std::string_view text = bytes_of(data, size);
  const std::string full = report_of(index_for(false), open_text(std::string(text)), false);
  require_equal(report_of(index_for(size % 2 == 0), std::make_unique<Trickle>(text), true), full,
                "the scan changes no report");
  return 0;
}
