// Makes logs for the benchmarks, the same bytes at every run.
//
//   bench_logs clean MEGABYTES        an ordinary training log: metrics, progress, NCCL INFO, warnings
//   bench_logs near MEGABYTES         healthy, with words that look like faults on every line
//   bench_logs dense MEGABYTES        device asserts on every line
//
// and logs that ask for memory, in which the same 10,000 clean lines come again and again:
//
//   bench_logs unfinished MEGABYTES   after a traceback that never ends
//   bench_logs errors MEGABYTES       every 100th line is an error that was never printed before
//   bench_logs mixed MEGABYTES        every 10th line is such an error, of many kinds
//   bench_logs writers MEGABYTES      every 10th line is of a traceback of another process, two at a time
//   bench_logs openers MEGABYTES      every 10th line begins a traceback of another rank
//   bench_logs facts MEGABYTES        every 10th line tells another version of the driver
//   bench_logs long MEGABYTES         lines of 1 GB
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

class Log {
 public:
  explicit Log(const std::string& kind) : kind_(kind) {}

  std::string line() {
    ++step_;
    if (kind_ == "near") return near_line();
    if (kind_ == "dense") return assert_line();
    if (kind_ == "clean") return clean_line();
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

 private:
  double metric() { return std::uniform_real_distribution<double>(0, 10)(random_); }
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::string clean_line() {
    switch (pick(16)) {
      case 0:
        return fmt::format("node{}:{}:{} [{}] NCCL INFO Channel {:02} : {}[{}] -> {}[{}] via P2P/CUMEM\n", pick(8),
                           41000 + pick(99), 41100 + pick(99), pick(8), pick(16), pick(8), pick(8), pick(8), pick(8));
      case 1:
        return fmt::format("2026-11-30 10:{:02}:{:02},{:03} - INFO - trainer - saved checkpoint step-{} in {:.1f}s\n",
                           pick(60), pick(60), pick(1000), step_, metric());
      case 2:
        return fmt::format("[rank{}]: validation: accuracy {:.4f} top5 {:.4f} over {} batches\n", pick(8),
                           metric() / 10, metric() / 10, pick(1000));
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

  const std::string& known_line() {
    constexpr std::size_t kLines = 10'000;
    if (known_.size() < kLines) return known_.emplace_back(clean_line());
    return known_[step_ % kLines];
  }

  std::string near_line() {
    return fmt::format(
        "iter: {} total_loss: {:.4f} cuda_sync_error: {:.4f} failed_requests: 0 oom_retries: 0 "
        "memory: {:.1f} GiB nccl_wait: {:.3f} assert_rate: 0.00\n",
        step_, metric(), metric() / 1000, metric(), metric());
  }

  std::string assert_line() {
    return fmt::format(
        "../aten/src/ATen/native/cuda/IndexKernel.cu:92: operator(): block: [{},0,0], thread: [{},0,0] "
        "Assertion `-sizes[i] <= index && index < sizes[i] && \"index out of bounds\"` failed.\n",
        step_ / 128, step_ % 128);
  }

  // A name without digits, which would be masked.
  std::string word() {
    std::string letters;
    for (auto rest = step_; rest > 0; rest /= 26) letters += static_cast<char>('a' + rest % 26);
    return letters;
  }

  std::string mixed_line() {
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
        return fmt::format("node{}:{}:{} [{}] NCCL WARN Cuda failure '{}'\n", fault_, fault_, fault_, fault_ % 8,
                           word());
      default:
        return fmt::format("slurmstepd: error: task {}: {}: Exited with exit code {}\n", fault_, word(), fault_ % 255);
    }
  }

  // Two tracebacks at a time, line by line.
  std::string writers_line() {
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

  std::string long_line() {
    constexpr unsigned long kLineBytes = 1UL << 30;
    std::string text = known_line();
    text.back() = ' ';
    written_ += text.size();
    if (written_ < kLineBytes) return text;
    written_ = 0;
    return text + "\n";
  }

  static constexpr std::array<std::string_view, 3> kOpening = {
      "[rank0]: Traceback (most recent call last):\n", "[rank0]:   File \"/srv/train.py\", line 1, in <module>\n",
      "[rank0]:     main()\n"};

  std::vector<std::string> known_;
  unsigned long fault_ = 0;    // of the lines that are not clean
  unsigned long written_ = 0;  // of the line so far, for long lines
  std::string kind_;
  std::mt19937 random_{20261130};
  unsigned long step_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench_logs KIND MEGABYTES\n");
    return 2;
  }
  Log log(argv[1]);
  std::size_t left = std::strtoul(argv[2], nullptr, 10) << 20;
  while (left > 0) {
    std::string line = log.line();
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return 1;
    left -= std::min(left, line.size());
  }
  return 0;
}
