// The same multiplication on every multiprocessor, and which of them gave other bits.
#pragma once

#include <cstdint>
#include <vector>

#include "validators/gemm_problem.h"
#include "validators/multiprocessors.h"

namespace cutopsy {

/// What one launch showed.
struct GemmOutcome {
  bool multiplied = false;      ///< every block did all of its steps
  bool decided = false;         ///< the right product is known, or more than half of the blocks agree on one
  std::vector<bool> wrong;      ///< of each block
  std::uint64_t differing = 0;  ///< sums that differ, in all blocks
  std::uint64_t nans = 0;       ///< of those, NaN
  std::uint64_t infinities = 0;
  bool repeats_differ = false;  ///< a block's last sums are right and those of an earlier round were not
};

class GemmRun {
 public:
  /// The session is open and outlives this object.
  explicit GemmRun(KernelSession& session) : session_(session), blocks_(session) {}

  CudaStatus prepare();
  /// Multiplies `rounds` times in each block with the kernel of that name.
  CudaStatus run(const char* kernel, const GemmProblem& problem, std::uint32_t rounds, GemmOutcome* outcome);
  const OneBlockEach& blocks() const { return blocks_; }

 private:
  struct Results {
    std::vector<float> sums;
    std::vector<std::uint32_t> digests;
    std::vector<std::uint64_t> products;
  };

  CudaStatus read();
  GemmOutcome judge(const GemmProblem& problem, std::uint32_t rounds) const;

  KernelSession& session_;
  OneBlockEach blocks_;
  DeviceMemory a_, b_, sums_, digests_, products_;
  Results results_;
};

/// Judges the results of blocks that multiplied the same problem, one after the other in `sums` and `digests`.
GemmOutcome judge_blocks(const std::vector<float>& sums, const std::vector<std::uint32_t>& digests,
                         const std::vector<float>& known_sums, std::uint32_t rounds);

}  // namespace cutopsy
