// The lines of an input as they stand in it, for what looks at them without the rules.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cutopsy {

/// Calls `see(number, line)` for each line of what open_input() opens under `name`, from 1, without its '\n'; a line
/// longer than ChunkReader's buffer comes in pieces of one number. Throws SourceError.
void for_each_line(const std::string& name, const std::function<void(std::uint64_t, std::string_view)>& see);

}  // namespace cutopsy
