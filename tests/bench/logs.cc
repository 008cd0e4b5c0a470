// Makes logs for the benchmarks, the same bytes at every run.
//
//   bench_logs clean MEGABYTES        an ordinary training log: metrics, progress, NCCL INFO, warnings
//   bench_logs near MEGABYTES         healthy, with words that look like faults on every line
//   bench_logs dense MEGABYTES        device asserts on every line
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

class Log {
 public:
  explicit Log(const std::string& kind) : kind_(kind) {}

  std::string line() {
    ++step_;
    if (kind_ == "near") return near_line();
    if (kind_ == "dense") return assert_line();
    return clean_line();
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

  std::string kind_;
  std::mt19937 random_{20261130};
  unsigned long step_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench_logs clean|near|dense MEGABYTES\n");
    return 2;
  }
  Log log(argv[1]);
  std::size_t left = std::strtoul(argv[2], nullptr, 10) << 20;
  while (left > 0) {
    std::string line = log.line();
    std::fwrite(line.data(), 1, line.size(), stdout);
    left -= std::min(left, line.size());
  }
  return 0;
}
