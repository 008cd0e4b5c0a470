#include "parsers/unit_twins.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>

#include "parsers/byte_size.h"
#include "parsers/duration.h"
#include "parsers/name_table.h"

namespace cutopsy {
namespace {

// Sizes first, then durations.
constexpr std::size_t kSizes = 14;
constexpr std::array<std::string_view, 17> kNames = {
    "limit",     "usage",    "anon_rss", "total_vm", "size",      "leaked",  "free",   "capacity", "total",
    "allocated", "reserved", "in_use",   "required", "available", "timeout", "waited", "elapsed"};
constexpr NameTable kTable(kNames);
using Present = std::bitset<kNames.size()>;

Present names_in(const Fields& fields) {
  Present present;
  for (const auto& [name, value] : fields) {
    if (const std::size_t index = kTable.find(name); index < kNames.size()) present.set(index);
  }
  return present;
}

void add_bytes(std::string_view name, Fields& fields) {
  const std::string_view value = fields.get(name);
  const auto size = read_byte_size(value);
  if (!size || !size->has_unit || size->text != value) return;
  fields.set_if_absent(std::string(name) + "_bytes", std::to_string(size->bytes));
}

void add_seconds(std::string_view name, Fields& fields) {
  const std::string_view value = fields.get(name);
  const auto duration = read_duration(value);
  if (!duration || duration->text != value) return;
  fields.set_if_absent(std::string(name) + "_seconds", seconds_text(duration->seconds));
}

}  // namespace

void add_unit_twins(Fields& fields) {
  const Present present = names_in(fields);
  if (present.none()) return;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (present[i]) (i < kSizes ? add_bytes : add_seconds)(kNames[i], fields);
  }
}

}  // namespace cutopsy
