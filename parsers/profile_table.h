// The tables that profilers print: how a row is cut into cells, and what its columns tell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

/// How the cells of a row are set off.
enum class Layout {
  aligned,  ///< columns two blanks apart: an empty cell leaves no trace
  boxed,    ///< | a | b |
  commas,   ///< a,"b, c",d
  tabs,
};

/// The layout of the table under `header`.
Layout layout_of(std::string_view header);

/// The cells of `row`, without the blanks and quotes around them.
std::vector<std::string_view> cells_of(std::string_view row, Layout layout);

/// What a table counts.
enum class Counts {
  nothing_known,
  totals,       ///< kernels and memory operations of the GPU, a row per name
  runs,         ///< the same, a row per run
  slow_copies,  ///< copies that the profiler advises to change, a row each
  host_calls,   ///< calls of the host, ranges
};

/// Where in a row the interesting columns stand; `none` for a column that the table lacks.
struct Columns {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  Counts counts = Counts::nothing_known;
  std::size_t type = none;  ///< "GPU activities", "API calls"
  std::size_t time = none;
  std::size_t count = none;
  std::size_t source = none;  ///< kinds of memory of a copy
  std::size_t target = none;
  std::size_t device = none;
  std::size_t name = none;
  std::string unit = "ns";  ///< of `time`, as the header names it
};

/// Reads a header; `counts` is nothing_known when it is none.
Columns columns_of(const std::vector<std::string_view>& header);

/// Reads the number that `cell` begins with, digits possibly grouped by ','; `unit` is what follows it.
bool read_number(std::string_view cell, double& value, std::string_view& unit);

/// `value` in microseconds; a unit that is no unit of time means nanoseconds.
double microseconds(double value, std::string_view unit);

}  // namespace cutopsy
