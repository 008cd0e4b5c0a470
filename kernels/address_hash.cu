// Device entry points of the address-hash memory pattern. One thread owns every (grid size)-th word.
#include "kernels/address_hash.cuh"

namespace {

__device__ std::uint64_t thread_index() {
  return blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x;
}
__device__ std::uint64_t thread_count() {
  return gridDim.x * static_cast<std::uint64_t>(blockDim.x);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256)
    cutopsy_fill_address_hash(std::uint64_t* memory, std::uint64_t words, std::uint64_t seed) {
  cutopsy::kernels::fill_address_hash(memory, words, seed, thread_index(), thread_count());
}

// `totals`: compared, wrong, wrong_bits; zeroed by the caller.
extern "C" __global__ void __launch_bounds__(256)
    cutopsy_verify_address_hash(const std::uint64_t* memory, std::uint64_t words, std::uint64_t seed,
                                unsigned long long* totals) {
  auto result = cutopsy::kernels::verify_address_hash(memory, words, seed, thread_index(), thread_count());
  atomicAdd(&totals[0], static_cast<unsigned long long>(result.compared));
  if (result.wrong > 0) {
    atomicAdd(&totals[1], static_cast<unsigned long long>(result.wrong));
    atomicOr(&totals[2], static_cast<unsigned long long>(result.wrong_bits));
  }
}
