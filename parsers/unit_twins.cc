#include "parsers/unit_twins.h"

#include <string>
#include <string_view>

#include "parsers/byte_size.h"
#include "parsers/duration.h"

namespace cutopsy {
namespace {

constexpr std::string_view kSizes[] = {"limit",    "usage", "anon_rss",  "total_vm", "size",   "leaked",   "free",
                                       "capacity", "total", "allocated", "reserved", "in_use", "required", "available"};
constexpr std::string_view kDurations[] = {"timeout", "waited", "elapsed"};

}  // namespace

void add_unit_twins(Fields& fields) {
  for (const std::string_view name : kSizes) {
    const std::string_view value = fields.get(name);
    if (value.empty()) continue;
    const auto size = read_byte_size(value);
    if (!size || !size->has_unit || size->text != value) continue;
    fields.set_if_absent(std::string(name) + "_bytes", std::to_string(size->bytes));
  }
  for (const std::string_view name : kDurations) {
    const std::string_view value = fields.get(name);
    if (value.empty()) continue;
    const auto duration = read_duration(value);
    if (!duration || duration->text != value) continue;
    fields.set_if_absent(std::string(name) + "_seconds", seconds_text(duration->seconds));
  }
}

}  // namespace cutopsy
