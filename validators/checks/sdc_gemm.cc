#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/gemm_run.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;
using kernels::Format;

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {Parameter{"seed", "a number that chooses the data, to repeat a run; 1 without it"}};

struct FormatTest {
  Format format;
  const char* name;
  const char* kernel;
};
constexpr std::array kFormats = {
    FormatTest{Format::fp32, "fp32", "cutopsy_gemm_fp32"}, FormatTest{Format::tf32, "tf32", "cutopsy_gemm_tf32"},
    FormatTest{Format::fp16, "fp16", "cutopsy_gemm_fp16"}, FormatTest{Format::bf16, "bf16", "cutopsy_gemm_bf16"},
    FormatTest{Format::fp8, "fp8", "cutopsy_gemm_fp8"},
};

constexpr unsigned kLeastRuns = 4;  // two with exact sums, two with random numbers
constexpr unsigned kMostFurtherRuns = 8;
constexpr std::chrono::seconds kStandardTime{2};  // for a format
// A launch lasts between half of this and this, so that others get their turn.
constexpr std::chrono::milliseconds kLaunchTime{20};
constexpr std::uint32_t kMostRounds = 4096;
constexpr const char* kTogetherAdvice =
    "Report it with the output of --json; cutopsy check memory-pattern copy-integrity tells whether the input was "
    "damaged.";

// Everything that was seen of one format.
struct Findings {
  SmLedger ledger;
  std::uint64_t differing = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  std::uint64_t multiplications = 0;  // of a tile, on each multiprocessor
  unsigned without_majority = 0;
};

class SdcGemm {
 public:
  SdcGemm(const Inquiry& inquiry, KernelSession& session)
      : inquiry_(inquiry), session_(session), run_(session), end_(Clock::now() + inquiry.budget) {
    seed_ = static_cast<std::uint64_t>(inquiry.parameters.number("seed", 0, INT32_MAX).value_or(1));
  }

  Answer ask() {
    if (CudaStatus status = run_.prepare(); !status.ok()) return failed(status);
    if (run_.blocks().shared_bytes() < kernels::kTileSharedBytes) {
      return Answer::not_applicable("this GPU has too little shared memory for the test");
    }
    std::optional<Answer> doubt;
    for (std::size_t i = 0; i < kFormats.size(); ++i) {
      const FormatTest& test = kFormats[i];
      GemmPath path;
      if (CudaStatus status = find_path(test, &path); !status.ok()) return failed(status);
      paths_.push_back({test.name, path.instruction.empty() ? path.why_not : path.instruction});
      if (path.instruction.empty()) continue;
      Findings findings;
      if (auto answer = multiply(test, end_of_share(kFormats.size() - i), &findings)) return stated(std::move(*answer));
      Answer answer = judged(test, findings);
      if (answer.reply == Reply::yes) return stated(std::move(answer));
      if (answer.reply == Reply::unknown && !doubt) doubt = std::move(answer);
      covered_.push_back(test.name);
    }
    return stated(doubt ? std::move(*doubt) : clean());
  }

 private:
  static Answer failed(const CudaStatus& status) {
    if (status.code == cuda::kOutOfMemory) return Answer::undecided("what was free could not be had: " + status.text());
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }

  CudaStatus find_path(const FormatTest& test, GemmPath* path) {
    cuda::Function function = nullptr;
    int ptx = 0;
    int binary = 0;
    CudaModule& module = session_.module();
    CudaStatus status = module.find(test.kernel, &function);
    if (status.ok()) status = module.attribute(function, cuda::FunctionAttribute::ptx_version, &ptx);
    if (status.ok()) status = module.attribute(function, cuda::FunctionAttribute::binary_version, &binary);
    if (status.ok()) *path = path_of(test.format, ptx, binary);
    return status;
  }

  Clock::time_point end_of_share(std::size_t formats_left) const {
    const auto now = Clock::now();
    if (inquiry_.level == Level::quick) return now;
    const Clock::duration share = std::max<Clock::duration>(end_ - now, {}) / static_cast<long>(formats_left);
    return now + (inquiry_.level == Level::standard ? std::min<Clock::duration>(share, kStandardTime) : share);
  }

  // Runs with exact and with random data in turn; no value when they could be judged.
  std::optional<Answer> multiply(const FormatTest& test, Clock::time_point end, Findings* findings) {
    std::uint32_t rounds = 1;
    while (!done(*findings, end)) {
      const std::uint64_t seed = seed_ + findings->ledger.runs();
      const bool exact = findings->ledger.runs() % 2 == 0;
      const GemmProblem problem = exact ? exact_problem(test.format, seed) : random_problem(test.format, seed);
      GemmOutcome outcome;
      const auto start = Clock::now();
      if (CudaStatus status = run_.run(test.kernel, problem, rounds, &outcome); !status.ok()) return failed(status);
      const bool some_wrong = std::find(outcome.wrong.begin(), outcome.wrong.end(), true) != outcome.wrong.end();
      const bool all_wrong = std::find(outcome.wrong.begin(), outcome.wrong.end(), false) == outcome.wrong.end();
      if (!outcome.multiplied && (all_wrong || !some_wrong)) {
        return Answer::could_not_run(std::string("the ") + test.name + " kernel did not do its work");
      }
      findings->ledger.add_run(run_.blocks().spans(), outcome.wrong);
      findings->differing += outcome.differing;
      findings->nans += outcome.nans;
      findings->infinities += outcome.infinities;
      findings->multiplications += rounds;
      findings->without_majority += outcome.decided ? 0 : 1;
      if (Clock::now() - start < kLaunchTime / 2) rounds = std::min(2 * rounds, kMostRounds);
    }
    return std::nullopt;
  }

  bool done(const Findings& findings, Clock::time_point end) const {
    const SmLedger& ledger = findings.ledger;
    if (!ledger.convicted().empty()) return true;
    if (ledger.runs() < kLeastRuns) return false;
    const bool settled = ledger.clean() && ledger.seen() == run_.blocks().multiprocessors();
    if (!settled && ledger.runs() < kLeastRuns + kMostFurtherRuns) return false;
    return Clock::now() >= end;
  }

  Answer judged(const FormatTest& test, const Findings& findings) const {
    const SmLedger& ledger = findings.ledger;
    const std::string name = test.name;
    const std::string runs = std::to_string(ledger.runs()) + " runs";
    const std::string all = std::to_string(run_.blocks().multiprocessors());
    if (ledger.wrong_together() > 0) {
      return with_counts(
          Answer::undecided(wrong_together_text(ledger, "multiplied " + name + " matrices wrongly"), kTogetherAdvice),
          test, findings, {});
    }
    if (const auto sms = ledger.convicted(); !sms.empty()) {
      return with_counts(
          Answer::yes(
              "multiprocessor " + list_of(sms) + " multiplied " + name + " matrices wrongly again and again in " + runs,
              "Take the GPU out of service and have the vendor's diagnostics confirm it (dcgmi diag -r 3); "
              "results since its last clean test are not to be trusted."),
          test, findings, sms);
    }
    if (const auto sms = ledger.suspected(); !sms.empty()) {
      return with_counts(Answer::undecided("multiprocessor " + list_of(sms) + " multiplied " + name +
                                               " matrices wrongly in one of " + runs,
                                           "Run it for longer: --level thorough."),
                         test, findings, sms);
    }
    if (!ledger.clean())
      return Answer::undecided("a block that was moved while it ran multiplied " + name + " wrongly");
    if (findings.without_majority > 0) {
      return Answer::undecided("no " + name + " result was shared by more than half of " + all + " multiprocessors");
    }
    if (ledger.seen() != run_.blocks().multiprocessors()) {
      return Answer::undecided(
          "only " + std::to_string(ledger.seen()) + " of " + all + " multiprocessors were reached in " + runs,
          "Run it again when no other program uses the GPU.");
    }
    return Answer::no("");
  }

  static Answer with_counts(Answer answer, const FormatTest& test, const Findings& findings,
                            const std::vector<unsigned>& sms) {
    return std::move(answer)
        .with("format", test.name)
        .with("wrong_multiprocessors", list_of(sms))
        .with("wrong_sums", std::to_string(findings.differing))
        .with("wrong_nans", std::to_string(findings.nans))
        .with("wrong_infinities", std::to_string(findings.infinities))
        .with("runs", std::to_string(findings.ledger.runs()));
  }

  Answer clean() const {
    std::string formats;
    for (std::size_t i = 0; i < covered_.size(); ++i) {
      formats += (i == 0 ? "" : i + 1 == covered_.size() ? " and " : ", ") + std::string(covered_[i]);
    }
    std::string left_out;
    for (const Measurement& path : paths_) {
      if (path.value.starts_with("not covered")) left_out += "; " + path.name + " " + path.value;
    }
    return Answer::no("each of " + std::to_string(run_.blocks().multiprocessors()) + " multiprocessors multiplied " +
                      formats + " matrices right, bit by bit" + left_out);
  }

  Answer stated(Answer answer) const {
    for (const Measurement& path : paths_) answer.measurements.push_back(path);
    return std::move(answer)
        .with("multiprocessors", std::to_string(run_.blocks().multiprocessors()))
        .with("seed", std::to_string(seed_))
        .with("kernels", std::string(session_.form()));
  }

  const Inquiry& inquiry_;
  KernelSession& session_;
  GemmRun run_;
  Clock::time_point end_;
  std::uint64_t seed_ = 0;
  std::vector<Measurement> paths_;  // format to instruction
  std::vector<const char*> covered_;
};

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = session.open()) return *not_ready;
  return SdcGemm(inquiry, session).ask();
}

}  // namespace

extern const Check kSdcGemm = {
    .name = "sdc-gemm",
    .question = "Does the GPU multiply matrices wrongly without saying so?",
    .decision =
        "yes when a multiprocessor (by %smid) gives other bits than the CPU's exact product, or than the majority "
        "for "
        "random numbers, in two runs; no only when each multiprocessor was reached; names the instruction of each "
        "format and the formats that are not covered",
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
