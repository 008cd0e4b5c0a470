#include "engine/source/unpacking_limit.h"

#include <fmt/format.h>

#include "engine/source/byte_source.h"

namespace cutopsy {

void UnpackingLimit::add_unpacked(std::uint64_t bytes) {
  const std::uint64_t unpacked = unpacked_ += bytes;
  if (unpacked <= bounds_.free_bytes || (unpacked - bounds_.free_bytes) / bounds_.ratio <= packed_) return;
  reached_ = true;
  throw SourceError(
      fmt::format("{}: unpacks to more than {} times its size, as a bomb does, and was read no further; if it is "
                  "none, unpack it and name the logs in it",
                  name_, bounds_.ratio));
}

void UnpackingLimit::add_member() {
  if (++members_ <= bounds_.members) return;
  reached_ = true;
  throw SourceError(fmt::format("{}: holds more than {} files and was read no further; unpack it and name its folder",
                                name_, bounds_.members));
}

}  // namespace cutopsy
