// What a kernel body is written against, so that one body compiles for the device and as plain C++.
//
// A body is a template over a machine type: DeviceMachine (device_machine.cuh) or HostMachine (host_machine.h). It
// works in phases, `machine.each([&](unsigned thread) {...})` for what every thread of the block does and
// `machine.sync()` between phases; nothing that a thread computed outlives its phase but through shared or device
// memory. Every load, store, atomic and result goes through the machine: there tests inject faults.
//
//   block(), grid(), threads()      this block, the number of blocks, the threads in a block
//   sm()                            the multiprocessor that runs the block
//   shared<T>()                     the block's dynamic shared memory, plain loads and stores
//   load_shared(p), store_shared(p, value)
//                                   the same, each done in memory, and with the faults that a test injects
//   load(p), store(p, value)        device memory
//   load_once(p), store_once(p, v)  the same with the hint that the data will not be used again soon
//   load_anew(p)                    a load that takes nothing from an earlier one
//   add(p, value), either(p, value) atomics without result; take(p, value) is an add that returns the old value
//   computed(value)                 the value of an arithmetic result
//   reload()                        shared memory is read anew from here on, so that repeated work is done again
//   nanoseconds()                   a clock that all multiprocessors share
//   fail_assertion(thread, text, file, line, function)
//                                   what assert() does when its condition does not hold: the kernel ends in an error
//
// What the 32 threads of a warp do together stands in `machine.each_warp([&](unsigned warp) {...})`. In it, a
// `Machine::Lanes<T>` holds one T of each lane, and `machine.each_lane([&](unsigned lane) {...})` is what every lane
// does.
//
//   multiplies<format>()            whether there is an instruction for the next line
//   multiply_accumulate<format>(sums, a, b)
//                                   one step of a matrix multiplication (gemm.h)
//   by_warpgroup<format>()          whether the next lines take the place of the one before
//   show_to_multipliers<format>()   before a sync(): what this thread stored in shared memory is to be multiplied
//   multiply_by_warpgroup(sums, a, b)
//                                   all steps of the multiplication of two tiles in shared memory
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define CUTOPSY_DEVICE __device__
#define CUTOPSY_UNROLL _Pragma("unroll")
#else
#define CUTOPSY_DEVICE
#define CUTOPSY_UNROLL
#endif

namespace cutopsy::kernels {

/// 16 bytes, the widest access that every device has: two 64-bit words or four 32-bit lanes.
struct alignas(16) Quad {
  std::uint64_t low;
  std::uint64_t high;
};

/// The number of a thread in the whole grid, and of all threads.
template <typename Machine>
CUTOPSY_DEVICE std::uint64_t thread_of_grid(const Machine& machine, unsigned thread) {
  return static_cast<std::uint64_t>(machine.block()) * machine.threads() + thread;
}
template <typename Machine>
CUTOPSY_DEVICE std::uint64_t threads_of_grid(const Machine& machine) {
  return static_cast<std::uint64_t>(machine.grid()) * machine.threads();
}

}  // namespace cutopsy::kernels
