// Which GPU a finding speaks of: the kernel names GPUs by PCI address, programs by rank, process or index.
//
// What the log itself says counts, and only where it is unambiguous:
//   - an address in the finding;
//   - the finding's rank, by NCCL's lines on communicators: of several communicators that know the rank the largest;
//   - its process, by lines of that process;
//   - CUDA's index, by lines of the same writer. CUDA_VISIBLE_DEVICES gives every process a numbering of its own, so an
//     index says nothing of another process's GPU; and the index that nvidia-smi prints is never taken for CUDA's.
// Otherwise the GPU is unknown, and an unknown GPU may be any.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/match/finding.h"
#include "parsers/event.h"

namespace cutopsy {

/// A GPU of a machine; `host` is "" where the address alone has to do.
struct GpuAddress {
  std::string host;
  std::string pci;  ///< canonical
};

/// True when both can be the same GPU.
bool may_be_same(const std::optional<GpuAddress>& a, const std::optional<GpuAddress>& b);

class GpuMap {
 public:
  explicit GpuMap(std::span<const Fact> facts);

  /// The GPU of a finding, nothing when it is unknown.
  std::optional<GpuAddress> gpu_of(const Finding& finding) const;
  /// The ranks that run on that GPU, in the order of their numbers; none when GPUs of several hosts can be meant.
  std::vector<std::string> ranks_on(const GpuAddress& gpu) const;
  /// Its number in nvidia-smi, "" when the log does not tell.
  std::string smi_index_of(const GpuAddress& gpu) const;

 private:
  struct Entry {
    GpuAddress gpu;
    std::string rank;
    std::string index;
    std::string pid;
    std::uint32_t input = 0;
    std::size_t comm_ranks = 0;  // of a rank in a communicator, 0 when the rank is the job's
  };

  void add_rank(Entry entry);
  std::string known_host(std::string_view host) const;
  template <typename Fits>
  std::optional<GpuAddress> only(const std::vector<Entry>& entries, Fits fits) const;

  std::vector<Entry> processes_;
  std::map<std::string, std::vector<Entry>> ranks_;  // of each rank those of the largest communicator
  std::vector<Entry> smi_;
};

}  // namespace cutopsy
