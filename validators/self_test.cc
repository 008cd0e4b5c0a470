#include "validators/self_test.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "validators/kernel_log.h"
#include "validators/mps.h"
#include "validators/xid_line.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kSmoke = "context-smoke";

// What the driver may log beside a fault's own Xid when a program faults or is killed: 13 and 31 for its accesses, 43
// and 45 for the end of its channels. https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html
constexpr std::array kOfPrograms = {13, 31, 43, 45};

// The kernel's log from some moment on.
class KernelLogMark {
 public:
  explicit KernelLogMark(const std::string& file) : file_(file) {
    const auto log = read();
    if (!log) return;
    source_ = log->source;
    lines_ = log->lines.size();
    last_ = log->lines.empty() ? "" : log->lines.back();
  }

  /// The Xids of a GPU since then; no value when the log cannot be read.
  std::optional<std::set<int>> xids_of(const Gpu& gpu) const {
    const auto log = read();
    if (!log || source_.empty()) return std::nullopt;
    const auto& lines = log->lines;
    std::size_t from = lines_;
    if (lines.size() < lines_ || (lines_ > 0 && lines[lines_ - 1] != last_)) {  // the oldest lines are lost
      const auto last = std::find(lines.rbegin(), lines.rend(), last_);
      from = static_cast<std::size_t>(lines.rend() - last);
    }
    std::set<int> numbers;
    for (; from < lines.size(); ++from) {
      if (const auto xid = xid_in(lines[from]); xid && xid->address == gpu.pci_address) numbers.insert(xid->number);
    }
    return numbers;
  }
  const std::string& source() const { return source_; }

 private:
  std::optional<KernelLog> read() const {
    if (file_.empty()) return read_kernel_log(Host());
    auto log = read_kernel_log_file(file_);
    if (log) log->source = file_;
    return log;
  }

  std::string file_, source_, last_;
  std::size_t lines_ = 0;
};

std::string listed(const std::set<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

// The answer as far as it goes, with what the kernel's log adds.
Answer with_xids(const DeliberateFault& fault, Answer answer, const KernelLogMark& log, const Gpu& gpu) {
  const auto seen = log.xids_of(gpu);
  if (!seen) {
    answer.detail += "; the kernel's log cannot be read";
    return answer;
  }
  answer.measurements.push_back({"xids", listed(*seen)});
  const auto holds = [](const auto& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  };
  for (const int number : *seen) {
    if (holds(fault.xids, number) || holds(kOfPrograms, number)) continue;
    return {Reply::yes, Doubt::none, answer.detail + "; the kernel logged Xid " + listed(*seen),
            "Xid " + std::to_string(number) + " is none that a program's fault causes: cutopsy explain xid " +
                std::to_string(number) + " says what it is.",
            std::move(answer.measurements)};
  }
  if (!seen->empty()) answer.detail += "; the kernel logged Xid " + listed(*seen);
  const bool is_there = std::any_of(seen->begin(), seen->end(), [&](int xid) { return holds(fault.xids, xid); });
  if (fault.xids.empty() || is_there || answer.reply != Reply::no) return answer;
  answer.reply = Reply::unknown;
  answer.doubt = Doubt::undecided;
  answer.detail += "; but " + log.source() + " has no Xid of it";
  answer.advice = "On this machine a fault cannot be found in that log. Name the right one with --kernel-log.";
  return answer;
}

class SelfTest {
 public:
  SelfTest(Runner& runner, const SelfTestOptions& options) : runner_(runner), options_(options) {}

  Answer make(const DeliberateFault& fault, const Gpu& gpu) const {
    if (runner_.options().on_start) runner_.options().on_start(fault.check, gpu);
    const KernelLogMark log(options_.kernel_log);
    std::optional<Answer> answer;
    {
      const auto worker = runner_.new_worker(gpu);
      // The same child works well before: what comes then is of the fault, and its time is not that of the driver's
      // start.
      const Answer before = ask(*worker, *find_check(kSmoke), gpu);
      if (before.reply != Reply::no) return Answer::could_not_run("the GPU fails before the fault: " + before.detail);
      answer = ask_fault(*worker, fault, gpu);
    }
    if (answer->doubt == Doubt::could_not_run) return *answer;
    const Answer after = ask(*runner_.new_worker(gpu), *find_check(kSmoke), gpu);
    if (after.doubt == Doubt::could_not_run) return after;
    Answer whole = with_xids(fault, std::move(*answer), log, gpu);
    if (after.reply == Reply::no) {
      whole.detail += "; a fresh process works";
      return std::move(whole).with("afterwards", "works");
    }
    whole.reply = Reply::yes;
    whole.doubt = Doubt::none;
    whole.detail += "; afterwards a fresh process fails: " + after.detail;
    whole.advice = after.advice;
    return std::move(whole).with("afterwards", after.detail);
  }

  Question question_of(const Check& check, const Gpu& gpu) const {
    return {std::string(check.name), gpu, runner_.options().level, check.deadline, {}};
  }

  Answer ask(Worker& worker, const Check& check, const Gpu& gpu) const {
    return answer_to(check, worker.ask(question_of(check, gpu), check.deadline, runner_.options().interrupt));
  }

  Answer ask_fault(Worker& worker, const DeliberateFault& fault, const Gpu& gpu) const {
    const Check& check = fault.check;
    const Exchange exchange = worker.ask(question_of(check, gpu), check.deadline, runner_.options().interrupt);
    if (exchange.end == Exchange::End::timed_out && fault.outlasts)
      return Answer::no("kept its process waiting, which could be killed");
    if (exchange.end == Exchange::End::answered || exchange.end == Exchange::End::interrupted ||
        exchange.end == Exchange::End::not_started) {
      return answer_to(check, exchange);
    }
    return Answer::yes("came back as no status: " + exchange.detail,
                       "Programs on this machine hang or die when they fault: read the kernel's log for Xids.");
  }

  Runner& runner_;
  const SelfTestOptions& options_;
};

// Why no fault may be made on a GPU: the first that holds.
std::optional<Answer> refusal(Runner& runner, const Gpu& gpu) {
  if (const std::string mps = signs_of_mps(Host()); !mps.empty()) {
    return Answer::could_not_run(mps + ": under MPS a fault ends the other clients too",
                                 "Stop MPS and unset its variables, then run it again.");
  }
  if (auto unfit = runner.reason_not_to_run(deliberate_faults().front().check, gpu, {})) return unfit;
  const auto seen = runner.seen_anew(gpu);  // who computes on it may have changed since the list was made
  if (!seen) return Answer::could_not_run("NVML does not tell who computes on GPU " + gpu.index);
  if (seen->busy) {
    return Answer::could_not_run("GPU " + gpu.index + " is not idle: " + seen->busy_detail,
                                 "Run it again when nobody computes on the GPU.");
  }
  return std::nullopt;
}

}  // namespace

std::vector<CheckResult> self_test(Runner& runner, const SelfTestOptions& options) {
  std::vector<const DeliberateFault*> faults = options.faults;
  if (faults.empty()) {
    for (const DeliberateFault& fault : deliberate_faults()) faults.push_back(&fault);
  }
  const SelfTest test(runner, options);
  std::vector<CheckResult> results;
  for (const Gpu& gpu : runner.gpus_named(options.gpus)) {
    for (const DeliberateFault* fault : faults) {
      const auto start = Clock::now();
      std::optional<Answer> answer = refusal(runner, gpu);
      if (!answer) answer = test.make(*fault, gpu);
      const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
      results.push_back({&fault->check, gpu, std::move(*answer), took});
    }
  }
  return results;
}

}  // namespace cutopsy
