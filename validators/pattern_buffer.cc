#include "validators/pattern_buffer.h"

#include "validators/hexadecimal.h"

namespace cutopsy {

namespace {

using kernels::PatternArea;
using kernels::PatternReport;
using kernels::Quad;

constexpr LaunchShape kShape{.grid = 1024, .block = 256};

}  // namespace

std::string Mismatch::text() const {
  return std::to_string(count) + (count == 1 ? " word at offset " : " words, the first at offset ") +
         hexadecimal(first.number * sizeof first.number) + ", in the bits " + hexadecimal(first.difference);
}

Mismatch mismatch_of(const PassJudgement& judgement) {
  if (judgement.faults.empty()) return {};
  return {judgement.fault_count, judgement.faults.front()};
}

CudaStatus PatternBuffer::allocate(std::uint64_t bytes) {
  if (CudaStatus status = owner_.context().make_current(); !status.ok()) return status;
  return memory_.allocate(owner_.cuda(), bytes);
}

PatternArea PatternBuffer::area(std::uint64_t flip) const {
  return {.memory = memory_.pointer<Quad>(),
          .begin = 0,
          .end = memory_.bytes() / sizeof(Quad),
          .base = 0,
          .seed = seed_,
          .flip = flip};
}

CudaStatus PatternBuffer::fill(KernelSession& by, std::uint64_t flip) {
  if (CudaStatus status = by.context().make_current(); !status.ok()) return status;
  return by.run("cutopsy_pattern_fill", kShape, area(flip));
}

CudaStatus PatternBuffer::verify(KernelSession& by, std::uint64_t flip, PassJudgement* judgement) {
  const auto controls = choose_controls(words(), seed_, ++passes_);
  CudaStatus status = owner_.context().make_current();
  for (const Control& control : controls) {
    const cuda::Address word = memory_.address() + control.number * sizeof(std::uint64_t);
    if (status.ok()) {
      status = owner_.run("cutopsy_plant_error", {.grid = 1, .block = 1}, word, std::uint64_t{control.difference});
    }
  }
  DeviceMemory report_on_device;
  PatternReport report{};
  if (status.ok()) status = by.context().make_current();
  if (status.ok()) status = report_on_device.allocate(by.cuda(), sizeof report);
  if (status.ok()) status = report_on_device.set(0);
  if (status.ok()) {
    status = by.run("cutopsy_pattern_verify", kShape, area(flip), report_on_device.pointer<PatternReport>());
  }
  if (status.ok()) status = report_on_device.read(&report, sizeof report);
  if (status.ok()) *judgement = judge(report, controls, words());
  return status;
}

}  // namespace cutopsy
