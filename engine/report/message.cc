#include "engine/report/message.h"

#include <cstdio>

namespace cutopsy {

void write_message(std::string_view text) {
  [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace cutopsy
