#include "engine/source/input_lines.h"

#include <algorithm>

#include "engine/source/chunk.h"
#include "engine/source/input.h"

namespace cutopsy {

void for_each_line(const std::string& name, const std::function<void(std::uint64_t, std::string_view)>& see) {
  const auto source = open_input(name);
  ChunkReader chunks(*source);
  std::uint64_t number = 1;
  for (Chunk chunk; chunks.next(chunk);) {
    while (!chunk.empty()) {
      const std::size_t end = chunk.find('\n');
      see(number, chunk.substr(0, end));
      if (end == chunk.npos) break;
      ++number;
      chunk.remove_prefix(end + 1);
    }
  }
}

}  // namespace cutopsy
