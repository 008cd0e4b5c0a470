// Running a kernel's host body as a launch on a simulated GPU.
#pragma once

#include "kernels/host_machine.h"
#include "tests/fake_gpu/cuda/driver.h"

namespace cutopsy::fake {

/// Copies the arguments and queues the launch on the current context.
void queue_launch(Driver& driver, const kernels::HostKernel& kernel, const kernels::LaunchShape& shape, Stream* stream,
                  void** arguments);

}  // namespace cutopsy::fake
