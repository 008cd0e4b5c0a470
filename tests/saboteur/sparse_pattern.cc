#include "tests/saboteur/sparse_pattern.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "tests/saboteur/acts.h"

namespace cutopsy::saboteur {

namespace {

using kernels::Quad;

constexpr std::uint64_t kPage = 256;  // quads; no launch of the product begins within one

constexpr std::string_view kFill = "cutopsy_pattern_fill";
constexpr std::string_view kVerify = "cutopsy_pattern_verify";
constexpr std::string_view kInvert = "cutopsy_pattern_invert";

cuda::Address address_of(const Quad* quad) {
  return reinterpret_cast<cuda::Address>(quad);
}

std::uint64_t quads_of(const kernels::PatternArea& area) {
  return area.end - area.begin;
}

cuda::Result run_on(const CudaDriver& driver, const Launch& launch, kernels::PatternArea area) {
  void* arguments[8];
  arguments[0] = &area;
  // A fill has one argument, a comparison two.
  if (launch.kernel != kFill) arguments[1] = launch.arguments[1];
  return launch.run(driver, arguments);
}

}  // namespace

bool SparsePattern::knows(std::string_view kernel) {
  return kernel == kFill || kernel == kVerify || kernel == kInvert;
}

cuda::Result SparsePattern::launch(const Launch& launch) {
  Area area;
  std::memcpy(&area, launch.arguments[0], sizeof area);
  if (area.begin % kPage != 0) refuse("a launch begins within a page");
  return launch.kernel == kFill ? fill(launch, area) : compare(launch, area, launch.kernel == kInvert);
}

std::vector<SparsePattern::Area> SparsePattern::parts_of(const Area& area) const {
  if (quads_of(area) == 0) return {};
  std::set<std::uint64_t> pages = {area.begin / kPage, (area.end - 1) / kPage};
  const auto first = touched_.lower_bound(address_of(area.memory + area.begin));
  const auto last = touched_.lower_bound(address_of(area.memory + area.end));
  for (auto page = first; page != last; ++page) {
    pages.insert((*page - address_of(area.memory)) / sizeof(Quad) / kPage);
  }
  std::vector<Area> parts;
  for (const std::uint64_t page : pages) {
    Area part = area;
    part.begin = std::max(area.begin, page * kPage);
    part.end = std::min(area.end, (page + 1) * kPage);
    parts.push_back(part);
  }
  return parts;
}

cuda::Result SparsePattern::fill(const Launch& launch, const Area& area) {
  cuda::Result result = cuda::kSuccess;
  for (const Area& part : parts_of(area)) {
    if (result == cuda::kSuccess) result = run_on(driver_, launch, part);
  }
  contents_.push_back({area, launch});
  return result;
}

cuda::Result SparsePattern::compare(const Launch& launch, const Area& area, bool inverts) {
  std::uint64_t left_out = quads_of(area);
  cuda::Result result = cuda::kSuccess;
  for (const Area& part : parts_of(area)) {
    if (result == cuda::kSuccess) result = run_on(driver_, launch, part);
    left_out -= quads_of(part);
  }
  if (inverts) {
    const auto filled = std::find_if(contents_.rbegin(), contents_.rend(),
                                     [&](const Content& one) { return one.area.memory == area.memory; });
    if (filled == contents_.rend()) refuse("memory is compared that was never filled");
    Content inverted{area, filled->fill};
    inverted.area.flip = ~inverted.area.flip;
    contents_.push_back(inverted);
  }
  return result == cuda::kSuccess ? count_as_compared(launch, 2 * left_out) : result;
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

void SparsePattern::touch(cuda::Address address) {
  const auto holds = [&](const Content& one) {
    return address >= address_of(one.area.memory + one.area.begin) &&
           address < address_of(one.area.memory + one.area.end);
  };
  const auto content = std::find_if(contents_.rbegin(), contents_.rend(), holds);
  if (content == contents_.rend()) return;
  const Area& area = content->area;
  const std::uint64_t page = (address - address_of(area.memory)) / sizeof(Quad) / kPage;
  if (!touched_.insert(address_of(area.memory + page * kPage)).second) return;
  if (page == area.begin / kPage || page == (area.end - 1) / kPage) return;
  Area part = area;
  part.begin = page * kPage;
  part.end = part.begin + kPage;
  if (run_on(driver_, content->fill, part) != cuda::kSuccess) refuse("a page could not be filled");
}

}  // namespace cutopsy::saboteur
