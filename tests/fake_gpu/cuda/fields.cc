#include "tests/fake_gpu/cuda/fields.h"

#include <string>

#include "tests/fake_gpu/scenario.h"

namespace cutopsy::fake {

std::vector<std::uint64_t> number_fields(std::string_view text) {
  std::vector<std::uint64_t> fields;
  while (true) {
    const std::size_t colon = text.find(':');
    Scenario::Section section;
    section.values["field"] = std::string(text.substr(0, colon));
    fields.push_back(static_cast<std::uint64_t>(section.number("field")));
    if (colon == std::string_view::npos) return fields;
    text.remove_prefix(colon + 1);
  }
}

}  // namespace cutopsy::fake
