#include "validators/size_text.h"

#include <array>
#include <cstddef>

namespace cutopsy {

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array kUnits = {" bytes", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  std::size_t power = 0;
  std::uint64_t whole = bytes;
  std::uint64_t tenths = 0;
  while (whole >= 1024) {
    tenths = whole % 1024 * 10 / 1024;
    whole /= 1024;
    ++power;
  }
  std::string text = std::to_string(whole);
  if (tenths > 0 && whole < 100) text += "." + std::to_string(tenths);
  return text + kUnits[power];
}

}  // namespace cutopsy
