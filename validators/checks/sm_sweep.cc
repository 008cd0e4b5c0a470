#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/multiprocessors.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {Parameter{"seed", "a number that chooses the data, to repeat a run; 1 without it"}};

constexpr std::uint32_t kRounds = 512;
constexpr unsigned kLeastRuns = 2;
// Runs to reach multiprocessors that earlier ones missed, and to see whether one that erred errs again.
constexpr unsigned kMostFurtherRuns = 8;

class Sweep {
 public:
  Sweep(const Inquiry& inquiry, KernelSession& session)
      : inquiry_(inquiry), session_(session), grid_(session), end_(Clock::now() + inquiry.budget) {
    seed_ = static_cast<std::uint32_t>(inquiry.parameters.number("seed", 0, INT32_MAX).value_or(1));
  }

  Answer ask() {
    CudaStatus status = grid_.prepare();
    results_.resize(std::size_t{grid_.multiprocessors()} * OneBlockEach::kThreads);
    if (status.ok()) status = results_on_device_.allocate(session_.cuda(), results_.size() * sizeof results_[0]);
    while (status.ok() && !done()) status = run(seed_ + ledger_.runs());
    if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
    return stated(judged());
  }

 private:
  bool done() const {
    if (ledger_.runs() < kLeastRuns) return false;
    if (!ledger_.convicted().empty()) return true;
    const bool settled = ledger_.clean() && ledger_.seen() == grid_.multiprocessors();
    if (!settled && ledger_.runs() < kLeastRuns + kMostFurtherRuns) return false;
    return inquiry_.level != Level::thorough || Clock::now() >= end_;
  }

  CudaStatus run(std::uint32_t seed) {
    std::array<std::uint64_t, OneBlockEach::kThreads> expected;
    for (unsigned thread = 0; thread < expected.size(); ++thread) {
      expected[thread] = kernels::sweep_value(thread, seed, kRounds);
    }
    CudaStatus status = results_on_device_.set(0);
    if (status.ok()) {
      status = grid_.run("cutopsy_sweep", results_on_device_.pointer<std::uint64_t>(), seed, std::uint32_t{kRounds});
    }
    if (status.ok()) status = results_on_device_.read(results_.data(), results_on_device_.bytes());
    if (!status.ok()) return status;
    std::vector<bool> wrong(grid_.multiprocessors());
    for (std::size_t block = 0; block < wrong.size(); ++block) {
      wrong[block] = !std::equal(expected.begin(), expected.end(), results_.begin() + block * expected.size());
    }
    ledger_.add_run(grid_.spans(), wrong);
    return status;
  }

  Answer judged() const {
    const std::string runs = std::to_string(ledger_.runs()) + " runs";
    const std::string of_all = std::to_string(ledger_.seen()) + " of " + std::to_string(grid_.multiprocessors());
    if (ledger_.wrong_together() > 0) {
      return Answer::undecided(wrong_together_text(ledger_, "computed wrong values"),
                               "Report it with the output of --json.");
    }
    if (const auto sms = ledger_.convicted(); !sms.empty()) {
      return Answer::yes("multiprocessor " + list_of(sms) + " computed wrong values again and again in " + runs,
                         "Take the GPU out of service and have the vendor's diagnostics confirm it (dcgmi diag -r 3).")
          .with("wrong_multiprocessors", list_of(sms));
    }
    if (const auto sms = ledger_.suspected(); !sms.empty()) {
      return Answer::undecided("multiprocessor " + list_of(sms) + " computed wrong values in one of " + runs,
                               "Run it for longer: --level thorough.");
    }
    if (!ledger_.clean()) return Answer::undecided("a block that was moved while it ran computed wrong values");
    if (ledger_.seen() != grid_.multiprocessors()) {
      return Answer::undecided("only " + of_all + " multiprocessors were reached in " + runs,
                               "Run it again when no other program uses the GPU.");
    }
    return Answer::no("each of " + std::to_string(ledger_.seen()) + " multiprocessors computed what it should in " +
                      runs);
  }

  Answer stated(Answer answer) const {
    return std::move(answer)
        .with("multiprocessors", std::to_string(grid_.multiprocessors()))
        .with("multiprocessors_seen", std::to_string(ledger_.seen()))
        .with("runs", std::to_string(ledger_.runs()))
        .with("seed", std::to_string(seed_))
        .with("kernels", std::string(session_.form()));
  }

  const Inquiry& inquiry_;
  KernelSession& session_;
  OneBlockEach grid_;
  Clock::time_point end_;
  std::uint32_t seed_ = 0;
  DeviceMemory results_on_device_;
  std::vector<std::uint64_t> results_;
  SmLedger ledger_;
};

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = session.open()) return *not_ready;
  return Sweep(inquiry, session).ask();
}

}  // namespace

extern const Check kSmSweep = {
    .name = "sm-sweep",
    .question = "Does a multiprocessor of the GPU compute wrong values?",
    .decision =
        "yes when one multiprocessor (by %smid) gives other integers, 32- or 64-bit floats than the CPU in two runs "
        "with different data; no only when each one was reached, by blocks that fill its shared memory and were on it "
        "from beginning to end",
    .check_class = CheckClass::stochastic,
    .need = Need::idle_gpu,
    .level = Level::standard,
    .per_gpu = true,
    .deadline = std::chrono::seconds(30),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
