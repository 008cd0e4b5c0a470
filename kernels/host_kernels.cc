#include <array>
#include <tuple>
#include <utility>

#include "kernels/fault.h"
#include "kernels/gemm.h"
#include "kernels/host_machine.h"
#include "kernels/march.h"
#include "kernels/memory_pattern.h"
#include "kernels/multiprocessor_sweep.h"
#include "kernels/smoke.h"
#include "kernels/word_probe.h"

namespace cutopsy::kernels {

namespace {

// One kernel around a body `void Body(HostMachine&, Arguments...)`.
template <auto Body>
struct OnHost;

template <typename... Arguments, void (*Body)(HostMachine&, Arguments...)>
struct OnHost<Body> {
  static constexpr std::array<std::size_t, sizeof...(Arguments)> kArgumentBytes{sizeof(Arguments)...};

  static void run(const LaunchShape& shape, void** arguments, HostFaults& faults) {
    for (unsigned block = 0; block < shape.grid; ++block) {
      HostMachine machine(shape, block, faults);
      call(machine, arguments, std::index_sequence_for<Arguments...>());
    }
  }

  template <std::size_t... Places>
  static void call(HostMachine& machine, void** arguments, std::index_sequence<Places...>) {
    Body(machine, *static_cast<std::remove_reference_t<Arguments>*>(arguments[Places])...);
  }
};

template <auto Body>
constexpr HostKernel kernel(std::string_view name, unsigned max_threads) {
  return {name, OnHost<Body>::run, OnHost<Body>::kArgumentBytes, max_threads};
}

// Names and launch bounds as in image.cu.
constexpr std::array kKernels = {
    kernel<smoke<HostMachine>>("cutopsy_smoke", 256),
    kernel<exchange_in_shared_memory<HostMachine>>("cutopsy_exchange", 1024),
    kernel<mix_in_registers<HostMachine>>("cutopsy_registers", 256),
    kernel<fill_pattern<HostMachine>>("cutopsy_pattern_fill", 256),
    kernel<plant_error<HostMachine>>("cutopsy_plant_error", 32),
    kernel<verify_pattern<HostMachine>>("cutopsy_pattern_verify", 256),
    kernel<invert_pattern<HostMachine>>("cutopsy_pattern_invert", 256),
    kernel<read_words<HostMachine>>("cutopsy_read_words", 256),
    kernel<write_words<HostMachine>>("cutopsy_write_words", 256),
    kernel<walk_memory<HostMachine>>("cutopsy_walk", 256),
    kernel<sweep_multiprocessors<HostMachine>>("cutopsy_sweep", 256),
    kernel<multiply_tiles<Format::fp32, HostMachine>>("cutopsy_gemm_fp32", 256),
    kernel<multiply_tiles<Format::tf32, HostMachine>>("cutopsy_gemm_tf32", 256),
    kernel<multiply_tiles<Format::fp16, HostMachine>>("cutopsy_gemm_fp16", 256),
    kernel<multiply_tiles<Format::bf16, HostMachine>>("cutopsy_gemm_bf16", 256),
    kernel<multiply_tiles<Format::fp8, HostMachine>>("cutopsy_gemm_fp8", 256),
    kernel<march_shared_memory<HostMachine>>("cutopsy_march_shared", 256),
    kernel<march_in_cache<HostMachine>>("cutopsy_march_cache", 256),
    kernel<fail_assertion<HostMachine>>("cutopsy_fault_assert", 32),
    kernel<store_at<HostMachine>>("cutopsy_fault_store", 32),
    kernel<spin<HostMachine>>("cutopsy_spin", 32),
};

}  // namespace

std::span<const HostKernel> host_kernels() {
  return kKernels;
}

}  // namespace cutopsy::kernels
