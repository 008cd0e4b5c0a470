// The progress with which a log ends that was cut off, or read while its program still works.
#pragma once

#include <cstdint>
#include <string_view>

namespace cutopsy {

/// So many lines of progress at the end show that the program works.
inline constexpr std::uint64_t kSteadyLines = 50;

/// The line from which on an input only goes on: no line behind looks like an error, and kSteadyLines of them count
/// steps, iterations, epochs or batches; 0 if there is none. `tail` is the input's end, `lines` how many lines it has.
std::uint64_t steady_since(std::string_view tail, std::uint64_t lines);

}  // namespace cutopsy
