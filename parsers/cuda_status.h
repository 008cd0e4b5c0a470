// Statuses of the CUDA runtime, the driver and their libraries, in whatever words a program prints them.
//
// A line gives one `cuda.status` event for each distinct fault that it reports. The status is resolved from its
// enumerator, else from its description, else from its number. Success gives nothing, nor does a line that only
// speaks of a status: source code, advice, PyTorch's "Search for `cudaError...'".
#pragma once

#include <string_view>
#include <vector>

#include "parsers/parser.h"
#include "parsers/status_table.h"

namespace cutopsy {

/// One status that a line reports. Views point into the line or into static storage.
struct StatusReport {
  const Status* status = nullptr;  ///< null when the table does not list it
  std::string_view family;
  std::string_view name;  ///< the enumerator printed, else that of `status`
  std::string_view code;  ///< the number as printed
  std::string_view text;  ///< the description as printed
  std::size_t begin = 0;  ///< where in the line it is announced
};

std::vector<StatusReport> read_statuses(const Line& line);

extern const LineParser kCudaStatusParser;

}  // namespace cutopsy
