// The device entry points of all kernels, compiled into one image. Each is a body on the DeviceMachine and nothing
// else; host_kernels.cc lists the same bodies for the CPU.
//
// 256 threads at most, except where a kernel exists to launch more: with 512 a register-hungry body may spill.
#include "kernels/device_machine.cuh"
#include "kernels/fault.h"
#include "kernels/gemm.h"
#include "kernels/march.h"
#include "kernels/memory_pattern.h"
#include "kernels/multiprocessor_sweep.h"
#include "kernels/smoke.h"
#include "kernels/word_probe.h"

using cutopsy::kernels::DeviceMachine;
using cutopsy::kernels::Format;
using cutopsy::kernels::GemmTask;
using cutopsy::kernels::MarchControls;
using cutopsy::kernels::PatternArea;
using cutopsy::kernels::PatternReport;
using cutopsy::kernels::Quad;
using cutopsy::kernels::SmSpan;
using cutopsy::kernels::WordProbe;

extern "C" {

__global__ void __launch_bounds__(256) cutopsy_smoke(std::uint32_t* results, std::uint32_t seed) {
  DeviceMachine machine;
  cutopsy::kernels::smoke(machine, results, seed);
}

__global__ void __launch_bounds__(1024) cutopsy_exchange(std::uint64_t* totals, std::uint32_t words) {
  DeviceMachine machine;
  cutopsy::kernels::exchange_in_shared_memory(machine, totals, words);
}

__global__ void __launch_bounds__(256, 1) cutopsy_registers(std::uint32_t* results, std::uint32_t seed) {
  DeviceMachine machine;
  cutopsy::kernels::mix_in_registers(machine, results, seed);
}

__global__ void __launch_bounds__(256) cutopsy_pattern_fill(PatternArea area) {
  DeviceMachine machine;
  cutopsy::kernels::fill_pattern(machine, area);
}

__global__ void __launch_bounds__(32) cutopsy_plant_error(std::uint64_t* word, std::uint64_t bits) {
  DeviceMachine machine;
  cutopsy::kernels::plant_error(machine, word, bits);
}

__global__ void __launch_bounds__(256, 3) cutopsy_pattern_verify(PatternArea area, PatternReport* report) {
  DeviceMachine machine;
  cutopsy::kernels::verify_pattern(machine, area, report);
}

__global__ void __launch_bounds__(256, 2) cutopsy_pattern_invert(PatternArea area, PatternReport* report) {
  DeviceMachine machine;
  cutopsy::kernels::invert_pattern(machine, area, report);
}

__global__ void __launch_bounds__(256) cutopsy_read_words(WordProbe* probes, std::uint32_t count) {
  DeviceMachine machine;
  cutopsy::kernels::read_words(machine, probes, count);
}

__global__ void __launch_bounds__(256) cutopsy_write_words(WordProbe* probes, std::uint32_t count) {
  DeviceMachine machine;
  cutopsy::kernels::write_words(machine, probes, count);
}

__global__ void __launch_bounds__(256) cutopsy_walk(Quad* memory, std::uint64_t quads) {
  DeviceMachine machine;
  cutopsy::kernels::walk_memory(machine, memory, quads);
}

__global__ void __launch_bounds__(256)
    cutopsy_sweep(SmSpan* spans, std::uint64_t* results, std::uint32_t seed, std::uint32_t rounds) {
  DeviceMachine machine;
  cutopsy::kernels::sweep_multiprocessors(machine, spans, results, seed, rounds);
}

#define CUTOPSY_GEMM(format)                                                                   \
  __global__ void __launch_bounds__(256) cutopsy_gemm_##format(SmSpan* spans, GemmTask task) { \
    DeviceMachine machine;                                                                     \
    cutopsy::kernels::multiply_tiles<Format::format>(machine, spans, task);                    \
  }
CUTOPSY_GEMM(fp32)
CUTOPSY_GEMM(tf32)
CUTOPSY_GEMM(fp16)
CUTOPSY_GEMM(bf16)
CUTOPSY_GEMM(fp8)
#undef CUTOPSY_GEMM

__global__ void __launch_bounds__(256) cutopsy_march_shared(SmSpan* spans, PatternReport* reports, std::uint32_t words,
                                                            std::uint64_t seed, MarchControls controls) {
  DeviceMachine machine;
  cutopsy::kernels::march_shared_memory(machine, spans, reports, words, seed, controls);
}

__global__ void __launch_bounds__(256)
    cutopsy_march_cache(PatternArea area, PatternReport* report, std::uint32_t shift) {
  DeviceMachine machine;
  cutopsy::kernels::march_in_cache(machine, area, report, shift);
}

__global__ void __launch_bounds__(32) cutopsy_fault_assert() {
  DeviceMachine machine;
  cutopsy::kernels::fail_assertion(machine);
}

__global__ void __launch_bounds__(32) cutopsy_fault_store(std::uint64_t address) {
  DeviceMachine machine;
  cutopsy::kernels::store_at(machine, address);
}

__global__ void __launch_bounds__(32) cutopsy_spin(std::uint64_t nanoseconds, std::uint64_t rounds) {
  DeviceMachine machine;
  cutopsy::kernels::spin(machine, nanoseconds, rounds);
}

}  // extern "C"
