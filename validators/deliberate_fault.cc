#include "validators/deliberate_fault.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "validators/kernel_session.h"

namespace cutopsy {

namespace {

using std::chrono::seconds;

constexpr cuda::Result kIllegalAddress = 700, kAssert = 710, kMisalignedAddress = 716, kLaunchTimeout = 702;
constexpr LaunchShape kOneWarp{.grid = 1, .block = 32};
constexpr std::size_t kReserved = 32 << 20;  // bytes; a multiple of every granularity of addresses
constexpr std::uint64_t kSpin = 5;           // seconds
constexpr std::uint64_t kMostReadings = 1ULL << 30;

const char* const kAdvice =
    "Do not trust what programs on this machine report of their faults: update the driver, or look for what stands "
    "between the programs and it (a hypervisor, a library in front of libcuda).";

std::string name_of(const CudaStatus& status) {
  return "error " + std::to_string(status.code) + (status.name.empty() ? "" : " (" + std::string(status.name) + ")");
}

// What came back of a fault that should have ended in `expected`.
Answer judged(const CudaStatus& status, cuda::Result expected) {
  const std::string code = std::to_string(status.code);
  if (status.code == expected) return Answer::no("came back as CUDA " + name_of(status)).with("status", code);
  const std::string instead = ", it should have been " + std::to_string(expected);
  if (status.ok()) return Answer::yes("went unnoticed: no call failed" + instead, kAdvice).with("status", code);
  return Answer::yes("came back as CUDA " + name_of(status) + instead, kAdvice).with("status", code);
}

// A context that is nobody else's, with the kernels; else why there is none.
std::optional<Answer> prepare(KernelSession& session) {
  if (auto not_ready = session.open()) return not_ready;
  int shared = 0;  // drivers before CUDA 12 do not know the attribute
  const CudaStatus known = session.context().attribute(cuda::DeviceAttribute::mps_enabled, &shared);
  if (!known.ok() || shared == 0) return std::nullopt;
  return Answer::could_not_run("the GPU is reached through MPS, where a fault ends its other clients too");
}

// Launches what goes wrong; its end is the context's status.
template <typename... Arguments>
std::optional<Answer> launch(KernelSession& session, const char* kernel, Arguments... arguments) {
  cuda::Function function = nullptr;
  CudaStatus status = session.module().find(kernel, &function);
  if (status.ok()) status = session.module().launch(function, kOneWarp, arguments...);
  if (status.ok()) return std::nullopt;
  return Answer::could_not_run("the kernel does not start: " + status.text());
}

// What is written to standard error while it lives; libraries print there.
class PrintedText {
 public:
  PrintedText() : before_(dup(STDERR_FILENO)), file_(memfd_create("printed", MFD_CLOEXEC)) {
    if (file_ >= 0) dup2(file_, STDERR_FILENO);
  }
  ~PrintedText() {
    if (before_ >= 0) dup2(before_, STDERR_FILENO);
    for (const int descriptor : {before_, file_}) {
      if (descriptor >= 0) close(descriptor);
    }
  }
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;

  std::string first_line() const {
    std::array<char, 1024> bytes;
    const ssize_t got = pread(file_, bytes.data(), bytes.size(), 0);
    const std::string text(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    return text.substr(0, text.find('\n'));
  }

 private:
  int before_;
  int file_;
};

Answer ask_assert(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = prepare(session)) return *not_ready;
  const PrintedText printed;
  if (auto failed = launch(session, "cutopsy_fault_assert")) return *failed;
  Answer answer = judged(session.context().synchronise(), kAssert);
  const std::string line = printed.first_line();
  answer.detail += line.empty() ? "; its message was not printed" : "; it printed \"" + line + "\"";
  return std::move(answer).with("printed", line);
}

Answer ask_unmapped(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = prepare(session)) return *not_ready;
  cuda::Address address = 0;
  if (CudaStatus status = session.cuda().cuMemAddressReserve(&address, kReserved, 0, 0, 0); !status.ok())
    return Answer::could_not_run("no range of addresses can be had: " + status.text());
  if (auto failed = launch(session, "cutopsy_fault_store", std::uint64_t{address})) return *failed;
  Answer answer = judged(session.context().synchronise(), kIllegalAddress);
  session.cuda().cuMemAddressFree(address, kReserved);
  return answer;
}

Answer ask_misaligned(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = prepare(session)) return *not_ready;
  DeviceMemory memory;
  if (CudaStatus status = memory.allocate(session.cuda(), 64); !status.ok())
    return Answer::could_not_run("there is no memory: " + status.text());
  if (auto failed = launch(session, "cutopsy_fault_store", std::uint64_t{memory.address() + 1})) return *failed;
  return judged(session.context().synchronise(), kMisalignedAddress);
}

// Answers only when the kernel ended too early.
Answer ask_overlong(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = prepare(session)) return *not_ready;
  if (auto failed = launch(session, "cutopsy_spin", kSpin * 1'000'000'000, kMostReadings)) return *failed;
  const CudaStatus status = session.context().synchronise();
  const std::string code = std::to_string(status.code);
  if (status.ok()) {
    return Answer::yes("a kernel of " + std::to_string(kSpin) + " s ended before its time, and no call failed", kAdvice)
        .with("status", code);
  }
  int is_watched = 0;
  session.context().attribute(cuda::DeviceAttribute::kernel_exec_timeout, &is_watched);
  if (status.code == kLaunchTimeout && is_watched != 0) {
    return Answer::undecided("the display's watchdog ended the kernel: CUDA " + name_of(status)).with("status", code);
  }
  return Answer::yes("a kernel that only takes long came back as CUDA " + name_of(status), kAdvice)
      .with("status", code);
}

constexpr std::array kOfAssert = {43, 13};
constexpr std::array kOfUnmapped = {31};
constexpr std::array kOfMisaligned = {13};

// The deadlines of the first three are for a driver that hangs.
constexpr std::array kFaults = {
    DeliberateFault{.check = {.name = "fault-device-assert",
                              .question = "Does a failed device assert come back as anything but CUDA error 710?",
                              .decision = "no when synchronising ends in 710, a fresh process works afterwards and, "
                                          "where the kernel's log can be read, its Xid 43 (or 13) is there",
                              .check_class = CheckClass::state,
                              .need = Need::context,
                              .per_gpu = true,
                              .deadline = seconds(20),
                              .ask = ask_assert},
                    .xids = kOfAssert},
    DeliberateFault{.check = {.name = "fault-unmapped-store",
                              .question = "Does a store to unmapped memory come back as anything but CUDA error 700?",
                              .decision = "no when synchronising ends in 700, a fresh process works afterwards and, "
                                          "where the kernel's log can be read, its Xid 31 is there",
                              .check_class = CheckClass::state,
                              .need = Need::context,
                              .per_gpu = true,
                              .deadline = seconds(20),
                              .ask = ask_unmapped},
                    .xids = kOfUnmapped},
    DeliberateFault{.check = {.name = "fault-misaligned-store",
                              .question = "Does a misaligned store come back as anything but CUDA error 716?",
                              .decision = "no when synchronising ends in 716, a fresh process works afterwards and, "
                                          "where the kernel's log can be read, its Xid 13 is there",
                              .check_class = CheckClass::state,
                              .need = Need::context,
                              .per_gpu = true,
                              .deadline = seconds(20),
                              .ask = ask_misaligned},
                    .xids = kOfMisaligned},
    DeliberateFault{.check = {.name = "fault-overlong-kernel",
                              .question = "Does a kernel that takes too long end otherwise than with its process?",
                              .decision = "no when a kernel of 5 s keeps its process waiting for the deadline of 2 s, "
                                          "the process can be killed and a fresh one works afterwards",
                              .check_class = CheckClass::state,
                              .need = Need::context,
                              .per_gpu = true,
                              .deadline = seconds(2),
                              .ask = ask_overlong},
                    .outlasts = true},
};

}  // namespace

std::span<const DeliberateFault> deliberate_faults() {
  return kFaults;
}

const DeliberateFault* find_deliberate_fault(std::string_view name) {
  const auto found =
      std::find_if(kFaults.begin(), kFaults.end(), [&](const auto& one) { return one.check.name == name; });
  return found == kFaults.end() ? nullptr : &*found;
}

}  // namespace cutopsy
