#include "tests/saboteur/sparse_pattern.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "tests/saboteur/acts.h"

namespace cutopsy::saboteur {

namespace {

using kernels::Quad;

constexpr std::uint64_t kPage = 4096;  // bytes; allocations begin with one

constexpr std::string_view kFill = "cutopsy_pattern_fill";
constexpr std::string_view kVerify = "cutopsy_pattern_verify";
constexpr std::string_view kInvert = "cutopsy_pattern_invert";

cuda::Address address_of(const Quad* quad) {
  return reinterpret_cast<cuda::Address>(quad);
}

cuda::Address page_of(const Quad* quad) {
  return address_of(quad) / kPage * kPage;
}

// What of an area lies in a page; empty when `begin` is not below `end`.
kernels::PatternArea part_in(kernels::PatternArea area, cuda::Address page) {
  const cuda::Address memory = address_of(area.memory);
  const cuda::Address end = page + kPage;
  const std::uint64_t first = page < memory ? 0 : (page - memory) / sizeof(Quad);
  const std::uint64_t behind = end < memory ? 0 : (end - memory) / sizeof(Quad);
  area.begin = std::max(area.begin, first);
  area.end = std::min(area.end, behind);
  return area;
}

cuda::Result run_on(const CudaDriver& driver, const Launch& launch, kernels::PatternArea area) {
  // A fill has one argument, a comparison two.
  void* arguments[] = {&area, launch.kernel == kFill ? nullptr : launch.arguments[1]};
  return launch.run(driver, arguments);
}

}  // namespace

bool SparsePattern::knows(std::string_view kernel) {
  return kernel == kFill || kernel == kVerify || kernel == kInvert;
}

cuda::Result SparsePattern::launch(const Launch& launch) {
  Area area;
  std::memcpy(&area, launch.arguments[0], sizeof area);
  if (area.begin == area.end) return cuda::kSuccess;
  make_real(page_of(area.memory + area.begin));
  make_real(page_of(area.memory + area.end - 1));
  std::uint64_t left_out = area.end - area.begin;
  for (const Area& part : parts_of(area)) {
    if (const cuda::Result result = run_on(driver_, launch, part); result != cuda::kSuccess) return result;
    left_out -= part.end - part.begin;
  }
  if (launch.kernel == kFill) {
    fill_ = launch;
    fill_.arguments = nullptr;  // the caller's
    contents_.push_back(area);
    return cuda::kSuccess;
  }
  if (launch.kernel == kInvert) {
    contents_.push_back(area);
    contents_.back().flip = ~area.flip;
  }
  return count_as_compared(launch, 2 * left_out);
}

std::vector<SparsePattern::Area> SparsePattern::parts_of(const Area& area) const {
  std::vector<Area> parts;
  const auto last = real_.lower_bound(address_of(area.memory + area.end));
  for (auto page = real_.lower_bound(page_of(area.memory + area.begin)); page != last; ++page) {
    parts.push_back(part_in(area, *page));
  }
  return parts;
}

void SparsePattern::touch(cuda::Address address) {
  make_real(address / kPage * kPage);
}

void SparsePattern::make_real(cuda::Address page) {
  if (!real_.insert(page).second) return;
  for (const Area& area : contents_) {
    const Area part = part_in(area, page);
    if (part.begin < part.end && run_on(driver_, fill_, part) != cuda::kSuccess) refuse("a page could not be filled");
  }
}

cuda::Result SparsePattern::count_as_compared(const Launch& launch, std::uint64_t words) {
  cuda::Address report;
  std::memcpy(&report, launch.arguments[1], sizeof report);
  report += offsetof(kernels::PatternReport, compared);
  std::uint64_t compared = 0;
  CudaStatus status = driver_.cuCtxSynchronize();
  if (status.ok()) status = driver_.cuMemcpyDtoH_v2(&compared, report, sizeof compared);
  compared += words;
  if (status.ok()) status = driver_.cuMemcpyHtoD_v2(report, &compared, sizeof compared);
  return status.code;
}

}  // namespace cutopsy::saboteur
