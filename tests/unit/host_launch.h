// Launches a kernel on the CPU with typed arguments, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "kernels/host_machine.h"

namespace cutopsy::kernels {

template <typename... Arguments>
void launch_on_host(std::string_view name, const LaunchShape& shape, HostFaults& faults, Arguments... arguments) {
  const auto kernels = host_kernels();
  const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == name; });
  ASSERT_NE(kernel, kernels.end()) << name;
  const std::array<std::size_t, sizeof...(Arguments)> given{sizeof(Arguments)...};
  ASSERT_TRUE(std::equal(given.begin(), given.end(), kernel->argument_bytes.begin(), kernel->argument_bytes.end()))
      << name << " takes arguments of other sizes";
  ASSERT_LE(shape.block, kernel->max_threads) << name;
  void* pointers[] = {&arguments...};
  kernel->run(shape, pointers, faults);
}

}  // namespace cutopsy::kernels
