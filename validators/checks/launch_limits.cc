#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "kernels/smoke.h"
#include "validators/checks/checks.h"
#include "validators/kernel_session.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {
    Parameter{"threads", "threads of a block in the launch that failed", Form::number},
    Parameter{"shared_bytes", "shared memory of a block in the launch that failed", Form::bytes},
    Parameter{"registers", "registers of a thread in the kernel that failed; counts only together with threads",
              Form::number},
};

constexpr int kMostThreads = 1024;          // the launch bound of cutopsy_exchange
constexpr unsigned kRegisterThreads = 256;  // that of cutopsy_registers
constexpr std::uint32_t kSeed = 99;

struct Limits {
  int threads = 0;
  int shared_bytes = 0;         // without asking for more
  int shared_bytes_opt_in = 0;  // the most that a kernel may ask for
  int registers_of_block = 0;
  int multiprocessors = 0;
};

CudaStatus read(const CudaContext& context, Limits* limits) {
  using cuda::DeviceAttribute;
  CudaStatus status = context.attribute(DeviceAttribute::max_threads_per_block, &limits->threads);
  if (status.ok()) status = context.attribute(DeviceAttribute::max_shared_memory_per_block, &limits->shared_bytes);
  if (status.ok()) {
    status = context.attribute(DeviceAttribute::max_shared_memory_per_block_optin, &limits->shared_bytes_opt_in);
  }
  if (status.ok()) status = context.attribute(DeviceAttribute::max_registers_per_block, &limits->registers_of_block);
  if (status.ok()) status = context.attribute(DeviceAttribute::multiprocessor_count, &limits->multiprocessors);
  return status;
}

// What the log's launch asked for beyond the device's limits.
std::optional<Answer> asked_too_much(const Parameters& parameters, const Limits& limits) {
  const auto asked = [&](std::string_view name) { return parameters.number(name, 0, INT64_MAX / kMostThreads); };
  const auto threads = asked("threads");
  const auto shared = parameters.bytes("shared_bytes", INT64_MAX);
  const auto registers = asked("registers");
  const auto over = [](std::string what, auto count, std::string limit, const char* advice) {
    return Answer::yes("the launch asked for " + std::to_string(count) + " " + what + ", this GPU allows " + limit,
                       advice);
  };
  if (threads && *threads > limits.threads) {
    return over("threads in a block", *threads, std::to_string(limits.threads), "Launch smaller blocks.");
  }
  if (shared && *shared > static_cast<std::uint64_t>(limits.shared_bytes_opt_in)) {
    return over("bytes of shared memory in a block", *shared, std::to_string(limits.shared_bytes_opt_in),
                "Use smaller tiles or fewer pipeline stages, or a build that is tuned for this GPU.");
  }
  if (threads && registers && *threads * *registers > limits.registers_of_block) {
    return over("registers in a block", *threads * *registers, std::to_string(limits.registers_of_block),
                "Launch smaller blocks, or compile with __launch_bounds__ or -maxrregcount.");
  }
  return std::nullopt;
}

// Launches at the limits, each of which must work and yield the known result; "" or what went wrong.
class Launches {
 public:
  Launches(KernelSession& session, const Limits& limits) : session_(session), limits_(limits) {}

  std::string threads() { return exchange(block_threads(), block_threads() * sizeof(std::uint32_t)); }
  std::string shared_memory() { return exchange(block_threads(), shared_bytes()); }

  std::string registers() {
    const unsigned grid = static_cast<unsigned>(limits_.multiprocessors);
    std::vector<std::uint32_t> results(std::size_t{grid} * kRegisterThreads);
    DeviceMemory memory;
    CudaStatus status = memory.allocate(session_.cuda(), results.size() * sizeof results[0]);
    if (status.ok()) status = memory.set(0);
    if (status.ok()) {
      status = session_.run("cutopsy_registers", {.grid = grid, .block = kRegisterThreads},
                            memory.pointer<std::uint32_t>(), kSeed);
    }
    if (status.ok()) status = memory.read(results.data(), memory.bytes());
    if (!status.ok()) return "a kernel with many registers failed: " + status.text();
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      if (results[i] != kernels::mixed_value(i, kSeed)) return "a kernel with many registers computed wrong values";
    }
    return "";
  }

  unsigned block_threads() const { return static_cast<unsigned>(std::min(limits_.threads, kMostThreads)); }
  unsigned shared_bytes() const {
    const bool can_ask = static_cast<bool>(session_.cuda().cuFuncSetAttribute);
    return static_cast<unsigned>(can_ask ? limits_.shared_bytes_opt_in : limits_.shared_bytes);
  }

 private:
  std::string exchange(unsigned threads, unsigned bytes) {
    const std::string what = "a launch with " + std::to_string(threads) + " threads and " + std::to_string(bytes) +
                             " bytes of shared memory";
    cuda::Function function = nullptr;
    CudaStatus status = session_.module().find("cutopsy_exchange", &function);
    if (status.ok() && bytes > static_cast<unsigned>(limits_.shared_bytes)) {
      status = session_.cuda().cuFuncSetAttribute(function, cuda::FunctionAttribute::max_dynamic_shared_bytes,
                                                  static_cast<int>(bytes));
    }
    const std::uint32_t words = bytes / sizeof(std::uint32_t);
    std::vector<std::uint64_t> totals(static_cast<std::size_t>(limits_.multiprocessors));
    DeviceMemory memory;
    if (status.ok()) status = memory.allocate(session_.cuda(), totals.size() * sizeof totals[0]);
    if (status.ok()) status = memory.set(0);
    if (status.ok()) {
      const LaunchShape shape{.grid = static_cast<unsigned>(totals.size()), .block = threads, .shared_bytes = bytes};
      status = session_.run("cutopsy_exchange", shape, memory.pointer<std::uint64_t>(), words);
    }
    if (status.ok()) status = memory.read(totals.data(), memory.bytes());
    if (!status.ok()) return what + " failed: " + status.text();
    const bool right = std::all_of(totals.begin(), totals.end(), [&](std::uint64_t total) { return total == words; });
    return right ? "" : what + " computed wrong values";
  }

  KernelSession& session_;
  const Limits& limits_;
};

Answer with_limits(Answer answer, const Limits& limits) {
  return std::move(answer)
      .with("threads_per_block", std::to_string(limits.threads))
      .with("shared_bytes_per_block", std::to_string(limits.shared_bytes_opt_in))
      .with("registers_per_block", std::to_string(limits.registers_of_block));
}

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  CudaStatus status = session.context().open();
  Limits limits;
  if (status.ok()) status = read(session.context(), &limits);
  if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  if (auto answer = asked_too_much(inquiry.parameters, limits)) return with_limits(std::move(*answer), limits);
  if (auto not_ready = session.load()) return *not_ready;
  Launches launches(session, limits);
  for (const std::string& wrong : {launches.threads(), launches.shared_memory(), launches.registers()}) {
    if (wrong.empty()) continue;
    return with_limits(Answer::yes(wrong, "Run cutopsy check context-smoke; reset the GPU if that fails too."), limits);
  }
  return with_limits(
      Answer::no("launches with " + std::to_string(launches.block_threads()) + " threads, with " +
                 std::to_string(launches.shared_bytes()) + " bytes of shared memory and with many registers work"),
      limits);
}

}  // namespace

extern const Check kLaunchLimits = {
    .name = "launch-limits",
    .question = "Did the launch ask for more than the GPU allows, or do launches at its limits fail?",
    .decision =
        "yes when the log's threads, shared memory or registers exceed the device's attributes, or when a kernel at "
        "the limits fails or computes wrong values",
    .check_class = CheckClass::state,
    .need = Need::context,
    .per_gpu = true,
    .deadline = std::chrono::seconds(20),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
