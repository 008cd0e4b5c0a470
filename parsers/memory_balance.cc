#include "parsers/memory_balance.h"

#include <cstdio>
#include <optional>
#include <string>

#include "parsers/byte_size.h"

namespace cutopsy {
namespace {

using Bytes = std::optional<std::uint64_t>;

Bytes bytes_in(const Fields& fields, std::string_view name) {
  const auto size = read_byte_size(fields.get(name));
  return size ? Bytes(size->bytes) : std::nullopt;
}

std::uint64_t less(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

Bytes difference(Bytes a, Bytes b) {
  return a && b ? Bytes(less(*a, *b)) : std::nullopt;
}

void set_bytes(Fields& fields, std::string_view name, Bytes bytes) {
  if (bytes) fields.set(name, std::to_string(*bytes));
}

void set_share(Fields& fields, std::string_view name, Bytes part, Bytes whole) {
  if (!part || !whole || *whole == 0) return;
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(*part) / static_cast<double>(*whole));
  std::string_view share = text;
  if (share.ends_with('0')) share.remove_suffix(1);
  fields.set(name, share);
}

void set_fits(Fields& fields, std::string_view name, Bytes wanted, Bytes room) {
  if (wanted && room) fields.set(name, *room >= *wanted ? "true" : "false");
}

// PyTorch before 1.4 prints what its cache holds beyond the tensors; copies of the message that people type show the
// whole cache instead, which cannot stand beside the tensors on the card.
void settle_cached(Fields& fields) {
  const Bytes cached = bytes_in(fields, "cached");
  const Bytes allocated = bytes_in(fields, "allocated");
  const Bytes capacity = bytes_in(fields, "capacity");
  if (!cached) return;
  const bool whole = allocated && capacity && *allocated + *cached > *capacity;
  const std::string printed(fields.get("cached"));
  fields.set_if_absent(whole ? "reserved" : "reserved_unused", printed);
}

}  // namespace

void add_memory_balance(const ForeignMemory& foreign, Fields& fields) {
  settle_cached(fields);
  const Bytes tried = bytes_in(fields, "tried_to_allocate");
  const Bytes capacity = bytes_in(fields, "capacity");
  const Bytes free = bytes_in(fields, "free");
  const Bytes allocated = bytes_in(fields, "allocated");
  Bytes reserved = bytes_in(fields, "reserved");
  Bytes unused = bytes_in(fields, "reserved_unused");
  if (!reserved && allocated && unused) reserved = *allocated + *unused;
  if (!unused) unused = difference(reserved, allocated);
  const Bytes in_use = bytes_in(fields, "in_use");
  const Bytes own = in_use ? in_use : reserved;

  Bytes others = difference(difference(capacity, free), own);
  if (!others && foreign.processes > 0) others = foreign.bytes;
  fields.set("foreign", foreign.first);
  if (foreign.processes > 0) fields.set("foreign_count", std::to_string(foreign.processes));

  set_bytes(fields, "tried_bytes", tried);
  set_bytes(fields, "capacity_bytes", capacity);
  set_bytes(fields, "free_bytes", free);
  set_bytes(fields, "allocated_bytes", allocated);
  set_bytes(fields, "reserved_bytes", reserved);
  set_bytes(fields, "reserved_unused_bytes", unused);
  set_bytes(fields, "foreign_bytes", others);
  set_share(fields, "foreign_share", others, capacity);
  set_share(fields, "free_share", free, capacity);
  set_share(fields, "reserved_unused_share", unused, capacity);
  set_fits(fields, "fits_reserved", tried, unused);
  set_fits(fields, "fits_free", tried, free);
}

}  // namespace cutopsy
