#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "kernels/march.h"
#include "validators/checks/checks.h"
#include "validators/hexadecimal.h"
#include "validators/multiprocessors.h"
#include "validators/pattern_buffer.h"
#include "validators/pattern_controls.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;
using kernels::PatternReport;
using kernels::Quad;

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {Parameter{"seed", "a number that chooses the data, to repeat a run; 1 without it"}};

constexpr unsigned kLeastRuns = 2;
constexpr unsigned kMostFurtherRuns = 8;
constexpr std::uint64_t kLeastPasses = 8;
constexpr std::uint64_t kLeastCache = 64 << 10;
constexpr std::chrono::seconds kStandardTime{2};  // for each of the two memories

class SmMemory {
 public:
  SmMemory(const Inquiry& inquiry, KernelSession& session)
      : inquiry_(inquiry), session_(session), blocks_(session), end_(Clock::now() + inquiry.budget) {
    seed_ = static_cast<std::uint64_t>(inquiry.parameters.number("seed", 0, INT32_MAX).value_or(1));
  }

  Answer ask() {
    if (auto answer = march_shared()) return stated(std::move(*answer));
    if (auto answer = march_cache()) return stated(std::move(*answer));
    return stated(Answer::no("the shared memory of each of " + std::to_string(ledger_.seen()) + " multiprocessors (" +
                             size_text(blocks_.shared_bytes()) + ") and " + size_text(cache_bytes_) +
                             " that stay in the L2 cache held what was written"));
  }

 private:
  Clock::time_point end_of_share(int parts_left) const {
    const auto now = Clock::now();
    if (inquiry_.level == Level::quick) return now;
    const Clock::duration share = std::max<Clock::duration>(end_ - now, {}) / parts_left;
    return now + (inquiry_.level == Level::standard ? std::min<Clock::duration>(share, kStandardTime) : share);
  }

  // No value when every multiprocessor's shared memory was found in order.
  std::optional<Answer> march_shared() {
    CudaStatus status = blocks_.prepare();
    reports_.resize(blocks_.multiprocessors());
    if (status.ok()) status = reports_on_device_.allocate(session_.cuda(), reports_.size() * sizeof(PatternReport));
    const auto end = end_of_share(2);
    while (status.ok() && !done(end)) {
      bool blind = false;
      status = march_shared_once(&blind);
      if (status.ok() && blind) return planted_errors_missed();
    }
    if (!status.ok()) return failed(status);
    return judged();
  }

  bool done(Clock::time_point end) const {
    if (!ledger_.convicted().empty()) return true;
    if (ledger_.runs() < kLeastRuns) return false;
    const bool settled = ledger_.clean() && ledger_.seen() == blocks_.multiprocessors();
    if (!settled && ledger_.runs() < kLeastRuns + kMostFurtherRuns) return false;
    return Clock::now() >= end;
  }

  CudaStatus march_shared_once(bool* blind) {
    const std::uint64_t words = blocks_.shared_bytes() / sizeof(std::uint64_t) / 2 * 2;
    const std::uint64_t seed = seed_ + ledger_.runs();
    const auto controls = choose_controls(words, seed, ledger_.runs());
    kernels::MarchControls planted{};
    std::copy(controls.begin(), controls.end(), planted.words);
    CudaStatus status = reports_on_device_.set(0);
    if (status.ok()) {
      status = blocks_.run("cutopsy_march_shared", reports_on_device_.pointer<PatternReport>(),
                           static_cast<std::uint32_t>(words), seed, planted);
    }
    if (status.ok()) status = reports_on_device_.read(reports_.data(), reports_on_device_.bytes());
    if (!status.ok()) return status;
    std::vector<bool> wrong;
    for (const PatternReport& report : reports_) {
      const PassJudgement judgement = judge(report, controls, kernels::kMarchReads * words);
      wrong.push_back(judgement.fault_count > 0);
      if (wrong.back()) found_ = mismatch_of(judgement);
      if (!wrong.back() && !judgement.trustworthy()) *blind = true;
    }
    ledger_.add_run(blocks_.spans(), wrong);
    return status;
  }

  std::optional<Answer> judged() const {
    const std::string runs = std::to_string(ledger_.runs()) + " marches";
    if (ledger_.wrong_together() > 0) {
      return Answer::undecided(wrong_together_text(ledger_, "had wrong words in shared memory"),
                               "Report it with the output of --json.");
    }
    if (const auto sms = ledger_.convicted(); !sms.empty()) {
      return Answer::yes("the shared memory of multiprocessor " + list_of(sms) + " differed again and again in " +
                             runs + ": " + found_.text(),
                         kAdvice)
          .with("memory", "shared")
          .with("wrong_multiprocessors", list_of(sms))
          .with("first_offset", hexadecimal(found_.first.number * sizeof found_.first.number))
          .with("first_mask", hexadecimal(found_.first.difference));
    }
    if (const auto sms = ledger_.suspected(); !sms.empty()) {
      return Answer::undecided("the shared memory of multiprocessor " + list_of(sms) + " differed in one of " + runs,
                               "Run it for longer: --level thorough.");
    }
    if (!ledger_.clean()) return Answer::undecided("shared memory differed in a block that was moved while it ran");
    if (ledger_.seen() == blocks_.multiprocessors()) return std::nullopt;
    return Answer::undecided("only " + std::to_string(ledger_.seen()) + " of " +
                                 std::to_string(blocks_.multiprocessors()) + " multiprocessors were reached in " + runs,
                             "Run it again when no other program uses the GPU.");
  }

  // Half of the L2 cache, so that it stays there; no value when it was found in order in every pass.
  std::optional<Answer> march_cache() {
    int cache = 0;
    CudaStatus status = session_.context().attribute(cuda::DeviceAttribute::l2_cache_bytes, &cache);
    if (!status.ok()) return failed(status);
    cache_bytes_ = static_cast<std::uint64_t>(std::max(cache, 0)) / 2 / sizeof(Quad) * sizeof(Quad);
    if (cache_bytes_ < kLeastCache) return Answer::undecided("the driver does not tell of an L2 cache");
    PatternBuffer buffer(session_, seed_);
    status = buffer.allocate(cache_bytes_);
    if (status.ok()) status = buffer.fill(session_, kHash);
    const auto end = end_of_share(1);
    while (status.ok() && (passes_ < kLeastPasses || Clock::now() < end)) {
      PassJudgement judgement;
      status = buffer.march(passes_ % 2 == 0 ? kHash : kComplement, static_cast<std::uint32_t>(passes_), &judgement);
      if (!status.ok()) break;
      if (judgement.fault_count > 0) return cache_fault(mismatch_of(judgement));
      if (!judgement.trustworthy()) return planted_errors_missed();
      ++passes_;
    }
    if (!status.ok()) return failed(status);
    return std::nullopt;
  }

  static Answer cache_fault(const Mismatch& mismatch) {
    return Answer::yes("data that stays in the L2 cache changed: " + mismatch.text(), kAdvice)
        .with("memory", "L2")
        .with("wrong_words", std::to_string(mismatch.count))
        .with("first_offset", hexadecimal(mismatch.first.number * sizeof mismatch.first.number))
        .with("first_mask", hexadecimal(mismatch.first.difference));
  }

  static Answer planted_errors_missed() {
    return Answer::could_not_run(
        "errors that the test had planted did not come back, so that it proves nothing about "
        "others",
        "Run it again; if it stays, report it with the output of --json.");
  }

  static Answer failed(const CudaStatus& status) {
    if (status.code == cuda::kOutOfMemory) return Answer::undecided("what was free could not be had: " + status.text());
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }

  Answer stated(Answer answer) const {
    return std::move(answer)
        .with("multiprocessors", std::to_string(blocks_.multiprocessors()))
        .with("multiprocessors_seen", std::to_string(ledger_.seen()))
        .with("shared_bytes", std::to_string(blocks_.shared_bytes()))
        .with("shared_runs", std::to_string(ledger_.runs()))
        .with("cache_bytes", std::to_string(cache_bytes_))
        .with("cache_passes", std::to_string(passes_))
        .with("seed", std::to_string(seed_))
        .with("kernels", std::string(session_.form()));
  }

  static constexpr const char* kAdvice =
      "Take the GPU out of service and have the vendor's diagnostics confirm it (dcgmi diag -r 3); cutopsy check "
      "memory-pattern tells whether the device's memory errs too.";

  const Inquiry& inquiry_;
  KernelSession& session_;
  OneBlockEach blocks_;
  Clock::time_point end_;
  std::uint64_t seed_ = 0;
  DeviceMemory reports_on_device_;
  std::vector<PatternReport> reports_;
  SmLedger ledger_;
  Mismatch found_;
  std::uint64_t cache_bytes_ = 0;
  std::uint64_t passes_ = 0;
};

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = session.open()) return *not_ready;
  return SmMemory(inquiry, session).ask();
}

}  // namespace

extern const Check kSmMemory = {
    .name = "sm-memory",
    .question = "Does the shared memory or the L2 cache of the GPU return other data than was written?",
    .decision =
        "yes when March C- over a multiprocessor's whole shared memory finds it wrong in two runs, or a word of half "
        "the "
        "L2 cache differs; no only when each multiprocessor was reached and planted errors came back in every pass",
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
