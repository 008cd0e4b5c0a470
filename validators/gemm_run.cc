#include "validators/gemm_run.h"

#include <algorithm>
#include <cstring>

namespace cutopsy {

namespace {

constexpr std::size_t kSums = std::size_t{kernels::kTile} * kernels::kTile;
constexpr std::size_t kDigests = kernels::kTileThreads;
constexpr std::uint32_t kExponent = 0x7F800000;
constexpr std::uint32_t kFraction = 0x007FFFFF;

// The results of one block, compared as bits: a NaN differs from no number by != in the way that is wanted here.
struct Block {
  const float* sums;
  const std::uint32_t* digests;

  bool same_sums(const Block& other) const { return std::memcmp(sums, other.sums, kSums * sizeof(float)) == 0; }
  bool same_digests(const Block& other) const { return std::equal(digests, digests + kDigests, other.digests); }
  bool operator==(const Block& other) const { return same_sums(other) && same_digests(other); }
};

// The results that more than half of the blocks share; nullptr when there are none. (The candidate of Boyer and Moore's
// vote, then counted.)
const Block* majority_of(const std::vector<Block>& blocks) {
  const Block* candidate = nullptr;
  std::size_t votes = 0;
  for (const Block& block : blocks) {
    if (votes == 0) candidate = &block;
    votes += *candidate == block ? 1 : -1;
  }
  const auto agreeing =
      std::count_if(blocks.begin(), blocks.end(), [&](const Block& one) { return one == *candidate; });
  return 2 * static_cast<std::size_t>(agreeing) > blocks.size() ? candidate : nullptr;
}

}  // namespace

GemmOutcome judge_blocks(const std::vector<float>& sums, const std::vector<std::uint32_t>& digests,
                         const std::vector<float>& known_sums, std::uint32_t rounds) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < digests.size() / kDigests; ++i) {
    blocks.push_back({sums.data() + i * kSums, digests.data() + i * kDigests});
  }
  GemmOutcome outcome;
  outcome.wrong.resize(blocks.size());
  const auto known_digests = known_sums.empty() ? std::vector<std::uint32_t>() : digests_of(known_sums, rounds);
  const Block known{known_sums.data(), known_digests.data()};
  const Block* const right = known_sums.empty() ? majority_of(blocks) : &known;
  if (!right) return outcome;
  outcome.decided = true;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    outcome.wrong[i] = !(block == *right);
    if (outcome.wrong[i] && block.same_sums(*right)) outcome.repeats_differ = true;
    for (std::size_t k = 0; k < kSums; ++k) {
      const auto bits = kernels::bits_as<std::uint32_t>(block.sums[k]);
      if (bits == kernels::bits_as<std::uint32_t>(right->sums[k])) continue;
      ++outcome.differing;
      if ((bits & kExponent) != kExponent) continue;
      ++((bits & kFraction) != 0 ? outcome.nans : outcome.infinities);
    }
  }
  return outcome;
}

CudaStatus GemmRun::prepare() {
  CudaStatus status = blocks_.prepare();
  const std::size_t count = blocks_.multiprocessors();
  results_.sums.resize(count * kSums);
  results_.digests.resize(count * kDigests);
  results_.products.resize(count);
  const CudaDriver& cuda = session_.cuda();
  constexpr std::size_t kOperandBytes = std::size_t{kernels::kTile} * kernels::kTileWords * sizeof(std::uint32_t);
  if (status.ok()) status = a_.allocate(cuda, kOperandBytes);
  if (status.ok()) status = b_.allocate(cuda, kOperandBytes);
  if (status.ok()) status = sums_.allocate(cuda, results_.sums.size() * sizeof(float));
  if (status.ok()) status = digests_.allocate(cuda, results_.digests.size() * sizeof(std::uint32_t));
  if (status.ok()) status = products_.allocate(cuda, results_.products.size() * sizeof(std::uint64_t));
  return status;
}

CudaStatus GemmRun::run(const char* kernel, const GemmProblem& problem, std::uint32_t rounds, GemmOutcome* outcome) {
  const CudaDriver& cuda = session_.cuda();
  CudaStatus status = cuda.cuMemcpyHtoD_v2(a_.address(), problem.a.data(), a_.bytes());
  if (status.ok()) status = cuda.cuMemcpyHtoD_v2(b_.address(), problem.b.data(), b_.bytes());
  for (const DeviceMemory* memory : {&sums_, &digests_, &products_}) {
    if (status.ok()) status = memory->set(0);
  }
  const kernels::GemmTask task{.a = a_.pointer<std::uint32_t>(),
                               .b = b_.pointer<std::uint32_t>(),
                               .sums = sums_.pointer<float>(),
                               .digests = digests_.pointer<std::uint32_t>(),
                               .products = products_.pointer<std::uint64_t>(),
                               .rounds = rounds};
  if (status.ok()) status = blocks_.run(kernel, task);
  if (status.ok()) status = read();
  if (status.ok()) *outcome = judge(problem, rounds);
  return status;
}

CudaStatus GemmRun::read() {
  CudaStatus status = sums_.read(results_.sums.data(), sums_.bytes());
  if (status.ok()) status = digests_.read(results_.digests.data(), digests_.bytes());
  if (status.ok()) status = products_.read(results_.products.data(), products_.bytes());
  return status;
}

GemmOutcome GemmRun::judge(const GemmProblem& problem, std::uint32_t rounds) const {
  constexpr std::uint64_t kWarps = kernels::kTileThreads / 32;
  GemmOutcome outcome = judge_blocks(results_.sums, results_.digests, problem.sums, rounds);
  const std::uint64_t all = kWarps * kernels::kTileSteps * rounds;
  outcome.multiplied = std::all_of(results_.products.begin(), results_.products.end(),
                                   [&](std::uint64_t products) { return products == all; });
  return outcome;
}

}  // namespace cutopsy
