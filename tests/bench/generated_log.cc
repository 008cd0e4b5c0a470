#include "tests/bench/generated_log.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace cutopsy {
namespace {

constexpr std::array<std::string_view, 3> kOpening = {"[rank0]: Traceback (most recent call last):\n",
                                                      "[rank0]:   File \"/srv/train.py\", line 1, in <module>\n",
                                                      "[rank0]:     main()\n"};

}  // namespace

std::string GeneratedLog::line() {
  ++step_;
  if (kind_ == "near") return near_line();
  if (kind_ == "dense") return assert_line();
  if (kind_ == "clean") return clean_line();
  if (kind_ == "ci") return ci_line();
  if (kind_ == "kernel") return kernel_line();
  if (kind_ == "candidates") return candidate_line();
  if (kind_ == "unfinished" && step_ <= kOpening.size()) return std::string(kOpening[step_ - 1]);
  if (kind_ == "errors" && step_ % 100 == 0) return "RuntimeError: no kernel for " + word() + "\n";
  if (kind_ == "long") return long_line();
  if (step_ % 10 != 0 || kind_ == "errors" || kind_ == "unfinished") return known_line();
  ++fault_;
  if (kind_ == "mixed") return mixed_line();
  if (kind_ == "writers") return writers_line();
  if (kind_ == "openers") return fmt::format("[rank{}]: Traceback (most recent call last):\n", fault_);
  if (kind_ == "facts") return fmt::format("node{}: Driver Version: {}.{}\n", fault_, fault_, fault_ % 100);
  throw std::invalid_argument("no such kind");
}

double GeneratedLog::metric() {
  return std::uniform_real_distribution<double>(0, 10)(random_);
}

int GeneratedLog::pick(int below) {
  return static_cast<int>(random_() % static_cast<unsigned>(below));
}

std::string GeneratedLog::clean_line() {
  switch (pick(16)) {
    case 0:
      return fmt::format("node{}:{}:{} [{}] NCCL INFO Channel {:02} : {}[{}] -> {}[{}] via P2P/CUMEM\n", pick(8),
                         41000 + pick(99), 41100 + pick(99), pick(8), pick(16), pick(8), pick(8), pick(8), pick(8));
    case 1:
      return fmt::format("2026-11-30 10:{:02}:{:02},{:03} - INFO - trainer - saved checkpoint step-{} in {:.1f}s\n",
                         pick(60), pick(60), pick(1000), step_, metric());
    case 2:
      return fmt::format("[rank{}]: validation: accuracy {:.4f} top5 {:.4f} over {} batches\n", pick(8), metric() / 10,
                         metric() / 10, pick(1000));
    case 3:
      return fmt::format(
          "/opt/venv/lib/python3.11/site-packages/torch/optim/lr_scheduler.py:{}: UserWarning: Detected call of "
          "`lr_scheduler.step()` before `optimizer.step()`.\n",
          pick(900));
    default:
      return fmt::format(
          "{{'loss': {:.4f}, 'grad_norm': {:.3f}, 'learning_rate': {:.6e}, 'tokens_per_second': {}, 'epoch': "
          "{:.2f}}}\n",
          metric(), metric(), metric() * 1e-5, 10000 + pick(5000), static_cast<double>(step_) / 4000);
  }
}

std::string GeneratedLog::ci_line() {
  const std::string time =
      fmt::format("2026-11-30T10:{:02}:{:02}.{:07}Z ", step_ / 6000 % 60, step_ / 100 % 60, pick(10'000'000));
  switch (pick(8)) {
    case 0:
      return time + fmt::format("tests/test_{}.py::test_{}[cuda-float{}] PASSED [ {}%]\n", word(), pick(900),
                                16 << pick(3), pick(100));
    case 1:
      return time +
             fmt::format("[{}/4821] Building CXX object src/CMakeFiles/kernels.dir/{}.cpp.o\n", pick(4821), word());
    case 2:
      return time + fmt::format("Requirement already satisfied: numpy>=1.{} in ./venv/lib/python3.11/site-packages\n",
                                pick(30));
    case 3:
      return time +
             fmt::format("  Downloading {}-{}.{}-py3-none-any.whl ({} kB)\n", word(), pick(9), pick(20), pick(900));
    case 4:
      return time +
             fmt::format("\x1b[36;1m + cmake --build build --target {} --parallel {}\x1b[0m\n", word(), pick(64));
    default:
      return time + fmt::format("epoch {} step {} loss {:.4f} accuracy {:.3f} ({:.1f} samples/s)\n", pick(9), step_,
                                metric(), metric() / 10, metric() * 100);
  }
}

std::string GeneratedLog::kernel_line() {
  const std::string head = fmt::format("[{:5}.{:06}] ", step_ / 50, pick(1'000'000));
  switch (pick(6)) {
    case 0:
      return head + fmt::format("pci 0000:{:02x}:00.0: BAR {}: assigned [mem 0x{:08x}-0x{:08x} 64bit pref]\n",
                                pick(256), pick(6), pick(1 << 30), pick(1 << 30));
    case 1:
      return head +
             fmt::format("audit: type=1400 audit({}.{}:{}): apparmor=\"STATUS\" operation=\"profile_load\" pid={}\n",
                         step_, pick(1000), pick(9000), pick(99999));
    case 2:
      return head + fmt::format("docker0: port {}(veth{:07x}) entered forwarding state\n", pick(64), pick(1 << 28));
    case 3:
      return head + fmt::format("EXT4-fs (nvme{}n1p{}): mounted filesystem with ordered data mode. Quota mode: none.\n",
                                pick(8), pick(4));
    default:
      return head + fmt::format("mlx5_core 0000:{:02x}:00.{}: Port module event: module {}, Cable plugged\n", pick(256),
                                pick(2), pick(8));
  }
}

std::string GeneratedLog::candidate_line() {
  ++fault_;
  return mixed_line();
}

const std::string& GeneratedLog::known_line() {
  constexpr std::size_t kLines = 10'000;
  if (known_.size() < kLines) return known_.emplace_back(clean_line());
  return known_[step_ % kLines];
}

std::string GeneratedLog::near_line() {
  return fmt::format(
      "iter: {} total_loss: {:.4f} cuda_sync_error: {:.4f} failed_requests: 0 oom_retries: 0 "
      "memory: {:.1f} GiB nccl_wait: {:.3f} assert_rate: 0.00\n",
      step_, metric(), metric() / 1000, metric(), metric());
}

std::string GeneratedLog::assert_line() {
  return fmt::format(
      "../aten/src/ATen/native/cuda/IndexKernel.cu:92: operator(): block: [{},0,0], thread: [{},0,0] "
      "Assertion `-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"` failed.\n",
      step_ / 128, step_ % 128);
}

// A name without digits, which would be masked.
std::string GeneratedLog::word() {
  std::string letters;
  for (auto rest = step_; rest > 0; rest /= 26) letters += static_cast<char>('a' + rest % 26);
  return letters;
}

std::string GeneratedLog::mixed_line() {
  switch (fault_ % 6) {
    case 0:
      return fmt::format("{}Error: cannot open {}\n", "Value", word());
    case 1:
      return fmt::format("[rank{}]: torch.AcceleratorError: CUDA error: {}\n", fault_, word());
    case 2:
      return fmt::format("[  {}.000001] NVRM: Xid (PCI:{:04x}:01:00): {}, pid={}, name={}\n", fault_, fault_ % 65536,
                         fault_ % 160, fault_, word());
    case 3:
      return fmt::format("{}.cu:{}: {}: block: [0,0,0], thread: [0,0,0] Assertion `{} < n` failed.\n", word(), fault_,
                         word(), word());
    case 4:
      return fmt::format("node{}:{}:{} [{}] NCCL WARN Cuda failure '{}'\n", fault_, fault_, fault_, fault_ % 8, word());
    default:
      return fmt::format("slurmstepd: error: task {}: {}: Exited with exit code {}\n", fault_, word(), fault_ % 255);
  }
}

// Two tracebacks at a time, line by line.
std::string GeneratedLog::writers_line() {
  const auto writer = fault_ / 10 * 2 + fault_ % 2;
  const std::string label = fmt::format("(Worker_{} pid={}, ip=10.{}.{}.{}) ", word(), writer, writer / 65536 % 256,
                                        writer / 256 % 256, writer % 256);
  const std::string same = fmt::format("(Worker pid={}, ip=10.0.0.1) ", writer);
  switch (fault_ / 2 % 5) {
    case 0:
      return same + "Traceback (most recent call last):\n";
    case 1:
      return fmt::format("{}  File \"/srv/{}.py\", line 1, in f\n", same, word());
    case 2:
      return fmt::format("{}    {}()\n", same, word());
    case 3:
      return fmt::format("{}RuntimeError: {}\n", same, word());
    default:
      return label + "loss 0.5\n";
  }
}

std::string GeneratedLog::long_line() {
  constexpr unsigned long kLineBytes = 1UL << 30;
  std::string text = known_line();
  text.back() = ' ';
  written_ += text.size();
  if (written_ < kLineBytes) return text;
  written_ = 0;
  return text + "\n";
}

std::string generated_text(std::string_view kind, std::size_t bytes) {
  GeneratedLog log(kind);
  std::string text;
  while (text.size() < bytes) text += log.line();
  return text;
}

}  // namespace cutopsy
