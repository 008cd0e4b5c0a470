#include <algorithm>
#include <array>
#include <optional>

#include "validators/checks/checks.h"
#include "validators/hexadecimal.h"
#include "validators/memory_allowance.h"
#include "validators/pattern_run.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

using Clock = PatternRun::Clock;

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {
    Parameter{"bytes", "how much memory to test; without it the level decides, and never more than may be taken"},
    Parameter{"seed", "a number that chooses the pattern, to repeat a run; 1 without it"},
};

constexpr std::uint64_t kQuickBytes = 4ULL << 30;
constexpr std::uint64_t kLeastBytes = 64 << 10;
constexpr std::array<std::uint64_t, 2> kFlips = {0, ~0ULL};  // the hash, its complement
// The first fill takes a fifth of the time at most: two fills, two verifies and some air.
constexpr int kShares = 5;

// One run of the check on a device that is ready.
class MemoryPattern {
 public:
  MemoryPattern(const Inquiry& inquiry, KernelSession& session)
      : inquiry_(inquiry), session_(session), end_(Clock::now() + inquiry.budget) {
    seed_ = static_cast<std::uint64_t>(inquiry.parameters.number("seed", 0, INT64_MAX).value_or(1));
  }

  Answer ask() {
    if (CudaStatus status = measure(session_.context(), inquiry_.host, &allowance_); !status.ok()) {
      return failed(status);
    }
    // Only said, so that an old driver that does not know it changes nothing.
    session_.context().attribute(cuda::DeviceAttribute::ecc_enabled, &ecc_);
    const std::uint64_t most =
        inquiry_.level == Level::quick ? std::min(kQuickBytes, allowance_.usable_bytes) : allowance_.usable_bytes;
    const std::uint64_t bytes = inquiry_.parameters.bytes("bytes", allowance_.usable_bytes).value_or(most);
    if (bytes < kLeastBytes) return Answer::undecided("only " + size_text(bytes) + " of the memory may be taken");
    // Thorough: other patterns as long as there is time.
    do {
      if (auto answer = test(bytes, seed_ + rounds_)) return std::move(*answer);
      ++rounds_;
    } while (inquiry_.level == Level::thorough && Clock::now() + last_round_ < end_);
    return clean();
  }

 private:
  // Hash and complement over the memory once; no value when both were verified and nothing differs.
  std::optional<Answer> test(std::uint64_t bytes, std::uint64_t seed) {
    const auto start = Clock::now();
    PatternRun run(session_, seed);
    CudaStatus status = run.allocate(bytes);
    if (status.code == cuda::kOutOfMemory) {
      return Answer::undecided("what was free could not be had: " + status.text(), "Run cutopsy check alloc-probe.");
    }
    for (const std::uint64_t flip : kFlips) {
      const auto share = Clock::now() + (end_ - Clock::now()) / kShares;
      if (status.ok()) status = run.fill(flip, flip == kFlips[0] ? share : end_);
      if (status.ok() && run.words() == 0) return Answer::could_not_run("there was no time to fill any memory");
      PassJudgement judgement;
      if (status.ok()) status = run.verify(flip, end_, &judgement);
      if (!status.ok()) return failed(status);
      if (judgement.fault_count > 0) return faulty(run, judgement, flip);
      if (!judgement.complete) return rounds_ > 0 ? clean() : unfinished();
      if (!judgement.controls_came_back) return blind();
      ++passes_;
    }
    tested_ = std::max(tested_, run.bytes());
    last_round_ = Clock::now() - start;
    return std::nullopt;
  }

  Answer failed(const CudaStatus& status) const {
    if (status.code == cuda::kEccUncorrectable) {
      return Answer::yes("reading the pattern back met an uncorrectable ECC error: " + status.text(),
                         "Reset the GPU so that the memory row is replaced; see cutopsy check ecc-counters.");
    }
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }

  Answer faulty(const PatternRun& run, const PassJudgement& judgement, std::uint64_t flip) {
    tested_ = run.bytes();
    const kernels::WrongWord& first = judgement.faults.front();
    const std::string count = std::to_string(judgement.fault_count);
    const std::string offset = hexadecimal(first.number * sizeof first.number);
    const std::string where = hexadecimal(run.address_of(first.number));
    return stated(Answer::yes(count + " of " + std::to_string(run.words()) + " words differ from the " +
                                  (flip == 0 ? "address hash" : "complement of the address hash") +
                                  " that was written, for one at offset " + offset + " of the memory tested, in " +
                                  "the bits " + hexadecimal(first.difference),
                              "Take the GPU out of service and have the vendor's diagnostics confirm it (dcgmi diag "
                              "-r 3); see cutopsy check ecc-counters."))
        .with("wrong_words", count)
        .with("first_offset", offset)
        .with("first_address", where)
        .with("first_mask", hexadecimal(first.difference));
  }

  Answer unfinished() const {
    return stated(Answer::undecided("the time was up before every word had been compared", "Give more: --budget 5m."));
  }

  // The test itself failed: it compared too little or did not see what it had planted.
  Answer blind() const {
    return stated(
        Answer::could_not_run("errors that the test had planted did not come back, so that it proves "
                              "nothing about others",
                              "Run it again; if it stays, report it with the output of --json."));
  }

  Answer clean() const {
    return stated(Answer::no("no word differed in " + size_text(tested_) + " of " + size_text(allowance_.total_bytes) +
                             " of memory (" + std::to_string(percent()) +
                             "%) that held an address hash and its complement; every planted error came back" +
                             (ecc_ != 0 ? "; ECC corrects single bits unseen, ecc-counters counts them" : "")));
  }

  std::uint64_t percent() const { return allowance_.total_bytes == 0 ? 0 : tested_ * 100 / allowance_.total_bytes; }

  // With what is to be known of every run, whatever it found.
  Answer stated(Answer answer) const {
    const auto state = [&](const char* name, std::string value) { answer.measurements.push_back({name, value}); };
    state("tested_bytes", std::to_string(tested_));
    state("total_bytes", std::to_string(allowance_.total_bytes));
    state("coverage_percent", std::to_string(percent()));
    state("clean_passes", std::to_string(passes_));
    state("ecc", ecc_ != 0 ? "on" : "off");
    state("seed", std::to_string(seed_));
    state("kernels", std::string(session_.form()));
    if (!allowance_.why_less.empty()) state("limited_because", std::string(allowance_.why_less));
    return answer;
  }

  const Inquiry& inquiry_;
  KernelSession& session_;
  Clock::time_point end_;
  Clock::duration last_round_{};
  std::uint64_t seed_ = 0;
  MemoryAllowance allowance_;
  int ecc_ = 0;
  std::uint64_t tested_ = 0;  // bytes: the most that one round held, or those of the round that met a fault
  std::uint64_t rounds_ = 0;
  std::uint64_t passes_ = 0;
};

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = session.open()) return *not_ready;
  return MemoryPattern(inquiry, session).ask();
}

}  // namespace

extern const Check kMemoryPattern = {
    .name = "memory-pattern",
    .question = "Does the GPU's memory return other data than was written?",
    .decision =
        "yes when a word differs from an address hash or its complement, or ECC gives up (error 214); no only when "
        "every word was compared and four planted single-bit errors came back in each pass; 4 GiB at level quick, else "
        "90% of what is free (10% on integrated devices and in WSL)",
    .check_class = CheckClass::stochastic,
    .need = Need::idle_gpu,
    .per_gpu = true,
    .deadline = std::chrono::seconds(30),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
