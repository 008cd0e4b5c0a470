#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"needed", "bytes to be mapped; 1 MiB when absent", Form::bytes}};

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  NvmlBar1Memory bar1{};
  const NvmlStatus status = nvml.DeviceGetBAR1MemoryInfo(device, &bar1);
  if (!status.ok()) return unanswered(status);
  if (bar1.total == 0) return Answer::not_applicable("the GPU has no BAR1 window");
  const std::uint64_t needed = inquiry.parameters.bytes("needed", 1ULL << 50).value_or(1ULL << 20);
  const std::string seen = size_text(bar1.free) + " of " + size_text(bar1.total) + " of the BAR1 window are free";
  Answer answer = Answer::no(seen);
  if (bar1.free < needed) {
    answer =
        Answer::yes(seen, "Map less for other devices (GPUDirect RDMA, P2P), or enable a large BAR1 (resizable BAR).");
  }
  return std::move(answer)
      .with("free_bytes", std::to_string(bar1.free))
      .with("total_bytes", std::to_string(bar1.total));
}

}  // namespace

extern const Check kBar1Space = {
    .name = "bar1-space",
    .question = "Is the window through which other devices see the GPU's memory (BAR1) full?",
    .decision = "yes when less of it is free than needed; not applicable where the GPU is linked coherently",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .parameters = kParameters,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
