// Two tiles to multiply, and what is known of their product beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/gemm.h"
#include "validators/cuda_driver.h"

namespace cutopsy {

struct GemmProblem {
  std::vector<std::uint32_t> a;  ///< kTile rows of kTileWords, as GemmTask takes them
  std::vector<std::uint32_t> b;  ///< kTile columns
  std::vector<float> sums;       ///< the product, bit by bit; empty when only the GPU itself can tell
};

/// Small integers with a power of two for each row and column: no sum is ever rounded, whatever its order and however
/// few bits an adder keeps (fp8: sums below 2^13 in units of the last bit; else below 2^21).
GemmProblem exact_problem(kernels::Format format, std::uint64_t seed);
/// Numbers with random bits in the whole fraction, between 1/4 and 4. Of fp32 the product is known, since its order is.
GemmProblem random_problem(kernels::Format format, std::uint64_t seed);

/// What each thread's digest is after `rounds` multiplications that gave `sums`.
std::vector<std::uint32_t> digests_of(const std::vector<float>& sums, std::uint32_t rounds);

/// How a device multiplies a format.
struct GemmPath {
  std::string instruction;  ///< "mma.sync m16n8k16"; "" when the format cannot be tested
  std::string why_not;      ///< "not covered: ..."
};

/// `ptx` and `binary` are the kernel's attributes of that name: 10 * major + minor of what it was compiled for. fp8 is
/// covered where the assembler makes one instruction of it: of mma.sync, and on compute capability 9.0 of wgmma. Where
/// it converts and uses the fp16 units instead, as on 10.x, nothing is proven of the fp8 ones.
GemmPath path_of(kernels::Format format, int ptx, int binary);

}  // namespace cutopsy
