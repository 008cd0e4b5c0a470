// What the rows of a profile add up to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/event.h"

namespace cutopsy {

/// GPU work of one profile. Adding rows in any order gives the same fields.
class ProfileTotals {
 public:
  void add_kernel(std::string_view name, std::uint64_t launches, double total_us);
  /// A copy between host and device.
  void add_copy(std::uint64_t copies, double total_us);
  /// Memory kinds of a traced copy between host and device: "Pageable", "Pinned", "Device", ... True if one is
  /// pageable.
  bool add_memory_kinds(std::string_view source, std::string_view target);
  /// A copy of pageable memory that the profiler itself advises to change.
  void add_advised_copy() { ++advised_copies_; }
  /// Other time on the GPU: memset, copies between devices.
  void add_other(double total_us) { other_us_ += total_us; }
  /// The profiler says that it saw no kernel.
  void add_no_kernels() { saw_kernels_ = true; }

  bool empty() const { return !saw_kernels_ && copies_ == 0 && advised_copies_ == 0; }
  /// Sets copies, kernels, shares and the rest of nvprof.summary's fields, as far as the rows tell.
  void write(Fields& fields) const;

  static constexpr double kTinyKernelUs = 5;          ///< about what launching a kernel costs
  static constexpr std::uint64_t kManyKernels = 100;  ///< fewer launches tell nothing of launch overhead

 private:
  bool saw_kernels_ = false;
  std::uint64_t kernels_ = 0;
  std::uint64_t tiny_kernels_ = 0;
  std::uint64_t copies_ = 0;
  std::uint64_t traced_copies_ = 0;
  std::uint64_t pageable_copies_ = 0;
  std::uint64_t advised_copies_ = 0;
  double kernel_us_ = 0;
  double copy_us_ = 0;
  double other_us_ = 0;
  double top_kernel_us_ = 0;
  std::string top_kernel_;
  std::string source_kind_;  // host memory of the first copy to the device
};

}  // namespace cutopsy
