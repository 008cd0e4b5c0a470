#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "validators/checks/checks.h"
#include "validators/fault_examination.h"
#include "validators/hexadecimal.h"
#include "validators/memory_allowance.h"
#include "validators/pattern_run.h"
#include "validators/pattern_set.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

using Clock = PatternRun::Clock;

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {
    Parameter{"bytes", "how much memory to test; without it the level decides, and never more than may be taken"},
    Parameter{"seed", "a number that chooses patterns and controls, to repeat a run; 1 without it"},
    Parameter{"patterns",
              "names separated by commas, of own-address, address-hash, inversions, walking-bit, random "
              "and random-inversions; without them the level decides"},
};

constexpr std::uint64_t kQuickBytes = 4ULL << 30;
constexpr std::uint64_t kLeastBytes = 64 << 10;
// The first fill takes a ninth of the time at most: two patterns, each written and read twice, and some air.
constexpr int kShares = 9;
constexpr std::size_t kMostNamed = 8;  // wrong words that the measurement lists

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
    if (auto answer = choose_tests()) return std::move(*answer);
    PatternRun run(session_, seed_);
    if (CudaStatus status = run.allocate(bytes); status.code == cuda::kOutOfMemory) {
      return Answer::undecided("what was free could not be had: " + status.text(), "Run cutopsy check alloc-probe.");
    } else if (!status.ok()) {
      return failed(status);
    }
    // Thorough: other data as long as there is time.
    do {
      const auto start = Clock::now();
      for (const PatternTest* test : tests_) {
        if (auto answer = ask(run, *test)) return std::move(*answer);
      }
      ++rounds_;
      last_round_ = Clock::now() - start;
    } while (inquiry_.level == Level::thorough && Clock::now() + last_round_ < end_);
    return clean();
  }

 private:
  // No value when there are some.
  std::optional<Answer> choose_tests() {
    tests_ = tests_of(inquiry_.level);
    const auto names = inquiry_.parameters.text("patterns");
    if (!names || names->empty()) return std::nullopt;
    std::string unknown;
    const auto named = tests_named(*names, &unknown);
    if (!named) return Answer::could_not_run("no pattern is called " + unknown, "See cutopsy check --list.");
    tests_ = *named;
    return std::nullopt;
  }

  // Makes one test over the memory; no value when all of it was compared and nothing differs.
  std::optional<Answer> ask(PatternRun& run, const PatternTest& test) {
    for (const PatternStep& step : test.steps) {
      const PatternRun::Content content{test.pattern, test.seed(seed_, rounds_), step.flip};
      PassJudgement judgement;
      const CudaStatus status = take(run, step, content, &judgement);
      if (!status.ok()) return failed(status);
      if (run.words() == 0) return Answer::could_not_run("there was no time to fill any memory");
      tested_ = run.bytes();
      if (step.action == PatternStep::Action::fill) continue;
      if (judgement.fault_count > 0) return faulty(run, judgement, test, content);
      if (!judgement.complete) return enough() ? clean() : unfinished();
      if (!judgement.controls_came_back) return blind();
      ++passes_;
    }
    if (rounds_ == 0) done_.push_back(&test);
    return std::nullopt;
  }

  CudaStatus take(PatternRun& run, const PatternStep& step, const PatternRun::Content& content,
                  PassJudgement* judgement) const {
    switch (step.action) {
      case PatternStep::Action::verify:
        return run.verify(content, end_, judgement);
      case PatternStep::Action::invert:
        return run.invert(content, step.falling, end_, judgement);
      case PatternStep::Action::fill:
        break;
    }
    const auto share = Clock::now() + (end_ - Clock::now()) / kShares;
    return run.fill(content, tested_ == 0 ? share : end_);
  }

  // Whether a no is proven though the time is up: by all that a quick test does, or the first of what was named.
  bool enough() const { return done_.size() >= std::min(tests_.size(), tests_of(Level::quick).size()); }

  Answer failed(const CudaStatus& status) const {
    if (status.code == cuda::kEccUncorrectable) {
      return Answer::yes("reading the pattern back met an uncorrectable ECC error: " + status.text(),
                         "Reset the GPU so that the memory row is replaced; see cutopsy check ecc-counters.");
    }
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }

  Answer faulty(PatternRun& run, const PassJudgement& judgement, const PatternTest& test,
                const PatternRun::Content& content) {
    FaultExamination examination(session_, run);
    std::vector<WordFault> faults;
    const CudaStatus examined = examination.examine(judgement.faults, content, &faults);
    if (2 * judgement.fault_count > run.words() && std::none_of(faults.begin(), faults.end(), is_lasting)) {
      // Two addresses with one cell explain that, too, and the own address shows them.
      const PatternTest* const own_address = &pattern_tests().front();
      const bool asked = &test == own_address || std::find(done_.begin(), done_.end(), own_address) != done_.end();
      const auto answer = asked ? std::nullopt : ask(run, *own_address);
      return answer && answer->reply == Reply::yes ? *answer : incredible(judgement, test);
    }
    const WordFault& first = faults.front();
    const std::string count = std::to_string(judgement.fault_count);
    const std::string offset = hexadecimal(first.word.number * sizeof first.word.number);
    const std::string mask = hexadecimal(first.word.difference);
    const std::string written = std::string(test.name) + (content.flip == 0 ? "" : ", complement");
    return stated(
               Answer::yes(count + " of " + std::to_string(run.words()) + " words differ from the pattern that " +
                               "was written (" + written + "), for one at offset " + offset +
                               " of the memory tested, in the bits " + mask + ": " + first.text(),
                           "Take the GPU out of service and have the vendor's diagnostics confirm it (dcgmi diag "
                           "-r 3); see cutopsy check ecc-counters, and sm-sweep: what a multiprocessor writes wrongly "
                           "looks the same."))
        .with("pattern", written)
        .with("wrong_words", count)
        .with("first_offset", offset)
        .with("first_address", hexadecimal(run.address_of(first.word.number)))
        .with("first_mask", mask)
        .with("first_kind", first.text())
        .with("kinds", kinds_of(faults))
        .with("faults", listed(faults))
        .with("read_again", !examined.ok()                 ? examined.text()
                            : examination.past_the_cache() ? "past the L2 cache"
                                                           : "there was no memory for traffic past the L2 cache");
  }

  // What other kernels saw of a word after the pass as well.
  static bool is_lasting(const WordFault& fault) {
    return fault.kind == FaultKind::stuck || fault.kind == FaultKind::aliased || fault.again;
  }

  // Memory of which most is wrong in one pass and holds all that other kernels write is no memory's fault.
  Answer incredible(const PassJudgement& judgement, const PatternTest& test) const {
    return stated(Answer::undecided(std::to_string(judgement.fault_count) + " words differ from the pattern that was " +
                                        "written (" + std::string(test.name) + "), more than half of all, and those " +
                                        "that were looked at again show no fault: the kernel or its compiler, not " +
                                        "this GPU",
                                    "Report it with the output of --json."))
        .with("wrong_words", std::to_string(judgement.fault_count));
  }

  // "2 stuck, 1 transient"
  static std::string kinds_of(const std::vector<WordFault>& faults) {
    std::map<FaultKind, std::size_t> counts;
    for (const WordFault& fault : faults) ++counts[fault.kind];
    std::string text;
    for (const auto& [kind, count] : counts) {
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(to_string(kind));
    }
    return text;
  }

  // "0x12340 in 0x100: stuck at 1 in the bits 0x100; ..."
  static std::string listed(const std::vector<WordFault>& faults) {
    std::string text;
    for (std::size_t i = 0; i < std::min(faults.size(), kMostNamed); ++i) {
      const kernels::WrongWord& word = faults[i].word;
      text += (i == 0 ? "" : "; ") + hexadecimal(word.number * sizeof word.number) + " in " +
              hexadecimal(word.difference) + ": " + faults[i].text();
    }
    return text;
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
                             " of memory (" + std::to_string(percent()) + "%) that held " + names_of(done_) +
                             "; every planted error came back" +
                             (ecc_ != 0 ? "; ECC corrects single bits unseen, ecc-counters counts them" : "")));
  }

  std::uint64_t percent() const { return allowance_.total_bytes == 0 ? 0 : tested_ * 100 / allowance_.total_bytes; }

  // With what is to be known of every run, whatever it found.
  Answer stated(Answer answer) const {
    const auto state = [&](const char* name, std::string value) { answer.measurements.push_back({name, value}); };
    state("tested_bytes", std::to_string(tested_));
    state("total_bytes", std::to_string(allowance_.total_bytes));
    state("coverage_percent", std::to_string(percent()));
    state("patterns", names_of(done_));
    state("clean_passes", std::to_string(passes_));
    state("rounds", std::to_string(rounds_));
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
  std::vector<const PatternTest*> tests_;
  std::vector<const PatternTest*> done_;  // each over all of the memory tested
  std::uint64_t tested_ = 0;              // bytes
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
        "yes when a word differs from what was written, or ECC gives up (error 214); it is read again past the L2 "
        "cache and rewritten: transient, stored wrong, stuck, aliased. No only when every word was compared and four "
        "planted single-bit errors came back in each pass; unknown too when most words differ but hold what is written "
        "again. Quick: own-address and address-hash, each with its complement, over 4 GiB; standard adds inversions, "
        "walking-bit and random data over 90% of what is free (10% on integrated devices and in WSL); thorough repeats "
        "them with other data",
    .check_class = CheckClass::stochastic,
    .need = Need::idle_gpu,
    .per_gpu = true,
    .deadline = std::chrono::seconds(30),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
