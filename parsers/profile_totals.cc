#include "parsers/profile_totals.h"

#include <array>
#include <cstdio>

namespace cutopsy {
namespace {

std::string two_decimals(double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void ProfileTotals::add_kernel(std::string_view name, std::uint64_t launches, double total_us) {
  if (launches == 0) return;
  saw_kernels_ = true;
  kernels_ += launches;
  kernel_us_ += total_us;
  if (total_us / static_cast<double>(launches) < kTinyKernelUs) tiny_kernels_ += launches;
  if (total_us > top_kernel_us_) {
    top_kernel_us_ = total_us;
    top_kernel_ = name;
  }
}

void ProfileTotals::add_copy(std::uint64_t copies, double total_us) {
  copies_ += copies;
  copy_us_ += total_us;
}

bool ProfileTotals::add_memory_kinds(std::string_view source, std::string_view target) {
  const bool pageable = source == "Pageable" || target == "Pageable";
  ++traced_copies_;
  if (pageable) ++pageable_copies_;
  if (source_kind_.empty() && source != "Device") source_kind_ = source;
  return pageable;
}

void ProfileTotals::write(Fields& fields) const {
  if (saw_kernels_) fields.set("kernels", std::to_string(kernels_));
  if (saw_kernels_ && kernels_ == 0 && copies_ == 0 && other_us_ == 0) fields.set("idle", "true");
  if (copies_ > 0) fields.set("copies", std::to_string(copies_));
  if (advised_copies_ > 0) fields.set("advised_copies", std::to_string(advised_copies_));
  const double gpu_us = copy_us_ + kernel_us_ + other_us_;
  // A table of copies alone tells nothing of kernels, a trace does.
  if ((saw_kernels_ || traced_copies_ > 0) && gpu_us > 0) fields.set("copy_share", two_decimals(copy_us_ / gpu_us));
  if (traced_copies_ > 0) fields.set("pageable_share", two_decimals(ratio(pageable_copies_, traced_copies_)));
  if (kernels_ >= kManyKernels) fields.set("launch_bound_share", two_decimals(ratio(tiny_kernels_, kernels_)));
  fields.set("src_mem_type", source_kind_);
  fields.set("top_kernel", top_kernel_);
  if (kernels_ > 0) fields.set("mean_kernel_us", two_decimals(kernel_us_ / static_cast<double>(kernels_)));
}

}  // namespace cutopsy
