// A kernel's launch as the driver was asked for it.
#pragma once

#include <string>

#include "validators/cuda_driver.h"

namespace cutopsy::saboteur {

struct Launch {
  std::string kernel;
  cuda::Function function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  cuda::Stream stream;
  void** arguments;
  void** extra;

  cuda::Result run(const CudaDriver& driver) const { return run(driver, arguments); }
  /// With other arguments.
  cuda::Result run(const CudaDriver& driver, void** others) const {
    return driver
        .cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, stream, others,
                        extra)
        .code;
  }
};

}  // namespace cutopsy::saboteur
