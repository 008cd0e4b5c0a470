#include <algorithm>
#include <array>
#include <vector>

#include "kernels/smoke.h"
#include "validators/checks/checks.h"
#include "validators/kernel_session.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 2> kBlockedBy = {"driver-runtime", "device-visibility"};

constexpr std::size_t kBytes = 1 << 20;
constexpr unsigned char kFill = 0xA5;
constexpr LaunchShape kShape{.grid = 64, .block = 256};
constexpr std::uint32_t kSeed = 20'260'101;

const char* const kAdvice =
    "Restart the processes that use this GPU; if it stays, reset the GPU (nvidia-smi --gpu-reset) or reboot, and read "
    "the kernel log for Xid messages.";

// What a failing step says of the device: another process that fills or holds it is no fault.
Answer failure(const Inquiry& inquiry, const CudaStatus& status) {
  if (status.code == cuda::kOutOfMemory) {
    return Answer::undecided("no memory is left for a context: " + status.text(),
                             "Run cutopsy check memory-holder to see who holds it.");
  }
  if (status.code == cuda::kDeviceUnavailable && inquiry.gpu.busy) {
    return Answer::undecided("another process holds the GPU for itself: " + status.text());
  }
  return Answer::yes(status.text(), kAdvice).with("error", std::to_string(status.code));
}

// Memory that is set and read back.
std::optional<Answer> fault_of_memory(const Inquiry& inquiry, const CudaContext& context) {
  DeviceMemory memory;
  if (CudaStatus status = memory.allocate(context.cuda(), kBytes); !status.ok()) return failure(inquiry, status);
  if (CudaStatus status = memory.set(kFill); !status.ok()) return failure(inquiry, status);
  if (CudaStatus status = context.synchronise(); !status.ok()) return failure(inquiry, status);
  std::vector<unsigned char> bytes(kBytes);
  if (CudaStatus status = memory.read(bytes.data(), kBytes); !status.ok()) return failure(inquiry, status);
  const auto wrong = std::count_if(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte != kFill; });
  if (wrong == 0) return std::nullopt;
  return Answer::yes(std::to_string(wrong) + " of " + std::to_string(kBytes) + " bytes came back other than written",
                     kAdvice);
}

// A kernel whose results are known.
Answer answer_of_kernel(const Inquiry& inquiry, KernelSession& session) {
  constexpr std::uint32_t kThreads = kShape.grid * kShape.block;
  DeviceMemory memory;
  CudaStatus status = memory.allocate(session.cuda(), kThreads * sizeof(std::uint32_t));
  if (status.ok()) status = memory.set(0);
  if (status.ok()) status = session.run("cutopsy_smoke", kShape, memory.pointer<std::uint32_t>(), kSeed);
  std::vector<std::uint32_t> results(kThreads);
  if (status.ok()) status = memory.read(results.data(), memory.bytes());
  if (!status.ok()) return failure(inquiry, status);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < kThreads; ++i) wrong += results[i] != kernels::smoke_value(i, kSeed);
  if (wrong != 0) {
    return Answer::yes(std::to_string(wrong) + " of " + std::to_string(kThreads) + " threads computed a wrong value",
                       kAdvice);
  }
  return Answer::no("a context opens, memory holds what is written and a kernel computes what it should")
      .with("kernels", std::string(session.form()));
}

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (CudaStatus status = session.context().open(); !status.ok()) return failure(inquiry, status);
  if (auto fault = fault_of_memory(inquiry, session.context())) return *fault;
  if (auto not_ready = session.load()) return *not_ready;
  return answer_of_kernel(inquiry, session);
}

}  // namespace

extern const Check kContextSmoke = {
    .name = "context-smoke",
    .question = "Does the GPU fail at the smallest piece of work?",
    .decision =
        "yes when a context, 1 MiB of memory or a small kernel fails, hangs or yields wrong values; unknown when other "
        "processes leave no memory or hold the GPU exclusively",
    .check_class = CheckClass::transient,
    .need = Need::context,
    .per_gpu = true,
    .deadline = std::chrono::seconds(20),
    .blocked_by = kBlockedBy,
    .hang_is_yes = true,
    .ask = ask,
};

}  // namespace cutopsy
