#include "validators/runner.h"

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kListDeadline{10'000};
constexpr milliseconds kLeastShare{500};
constexpr int kMostHangs = 2;      // of one GPU: each costs a deadline
constexpr int kMostObservers = 3;  // started again after a hang, but not for ever
constexpr const char* kComputeCapability = "compute_capability";
constexpr const char* kBlockedBy = "blocked by ";
constexpr const char* kInterrupted = "the checks were interrupted";
constexpr std::size_t kUuidPrefix = 12;  // "GPU-" and eight digits, as CUDA_VISIBLE_DEVICES takes them

bool loads_gpu(const Check& check) {
  return check.need == Need::idle_gpu || check.need == Need::two_gpus;
}

std::map<std::string, std::string> cuda_environment(const std::string& visible) {
  std::map<std::string, std::string> environment = {{"CUDA_CACHE_DISABLE", "1"},
                                                    {"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", ""}};
  if (!visible.empty()) environment["CUDA_VISIBLE_DEVICES"] = visible;
  return environment;
}

std::size_t place_of(const Check* check) {
  const auto checks = all_checks();
  return static_cast<std::size_t>(std::find(checks.begin(), checks.end(), check) - checks.begin());
}

}  // namespace

Answer answer_to(const Check& check, const Exchange& exchange) {
  switch (exchange.end) {
    case Exchange::End::answered:
      return to_answer(exchange.message).value_or(Answer::could_not_run("its process sent a damaged answer"));
    case Exchange::End::interrupted:
      return Answer::could_not_run(kInterrupted);
    case Exchange::End::not_started:
      break;
    default:
      if (!check.hang_is_yes) break;
      return Answer::yes("the driver did not serve it: " + exchange.detail,
                         "Reset the GPU or reboot; read the kernel log for Xid messages.");
  }
  return Answer::could_not_run("its process gave no answer: " + exchange.detail);
}

Runner::Runner(RunOptions options) : options_(std::move(options)) {}

bool Runner::is_name_of(const std::string& name, const Gpu& gpu) {
  if (name.empty()) return false;
  if (name == gpu.index || name == gpu.uuid) return true;
  if (name.size() >= kUuidPrefix && gpu.uuid.starts_with(name)) return true;
  if (gpu.pci_address.empty()) return false;
  std::string address = name;
  std::transform(address.begin(), address.end(), address.begin(), [](unsigned char c) { return std::tolower(c); });
  // Eight digits of domain, as NVML prints them, or four, or none; with or without the function.
  if (address.size() > gpu.pci_address.size() && address.starts_with("0000")) address.erase(0, 4);
  return address.size() >= 5 && gpu.pci_address.find(address) != std::string::npos;
}

const std::vector<Gpu>& Runner::gpus() {
  if (gpus_) return *gpus_;
  gpus_.emplace();
  if (!options_.sysroot.empty()) {
    why_no_gpu_ = "the files are those of another machine, its GPUs are not here";
    return *gpus_;
  }
  gpus_ = list_gpus();
  return *gpus_;
}

std::vector<Gpu> Runner::list_gpus() {
  const Exchange exchange = observer().ask({}, kListDeadline, options_.interrupt);
  std::optional<std::vector<Gpu>> gpus;
  if (exchange.end != Exchange::End::answered) {
    why_no_gpu_ = "NVML gives no list of GPUs: " + exchange.detail;
  } else if (exchange.message.size() == 1) {
    why_no_gpu_ = exchange.message[0];
  } else if (gpus = to_gpus(exchange.message); !gpus) {
    why_no_gpu_ = "the observer's list of GPUs is damaged";
  } else if (gpus->empty()) {
    why_no_gpu_ = "the NVIDIA driver knows no GPU";
  }
  return gpus.value_or(std::vector<Gpu>());
}

std::optional<Gpu> Runner::seen_anew(const Gpu& gpu) {
  for (Gpu& seen : list_gpus()) {
    if (!gpu.uuid.empty() && seen.uuid == gpu.uuid) return std::move(seen);
  }
  return std::nullopt;
}

std::unique_ptr<Worker> Runner::new_worker(const Gpu& gpu) const {
  return std::make_unique<Worker>(options_.binary, WorkerKind::cuda, options_.sysroot, cuda_environment(gpu.uuid));
}

std::vector<CheckResult> Runner::run(std::vector<CheckRequest> requests) {
  std::stable_sort(requests.begin(), requests.end(), [](const CheckRequest& left, const CheckRequest& right) {
    return std::pair(left.check->need, place_of(left.check)) < std::pair(right.check->need, place_of(right.check));
  });
  std::vector<std::pair<const CheckRequest*, Gpu>> asked;
  std::vector<CheckResult> results;
  // In two steps: to know the GPUs takes the driver, which must not start before the files were read.
  for (const bool of_files : {true, false}) {
    asked.clear();
    for (const CheckRequest& request : requests) {
      if ((request.check->need == Need::nothing && !request.check->per_gpu) != of_files) continue;
      for (Gpu& gpu : targets(request)) asked.emplace_back(&request, std::move(gpu));
    }
    loads_left_ = static_cast<std::size_t>(
        std::count_if(asked.begin(), asked.end(), [](const auto& one) { return loads_gpu(*one.first->check); }));
    for (const auto& [request, gpu] : asked) {
      results.push_back(result_of(*request->check, gpu, request->parameters));
      if (loads_gpu(*request->check)) --loads_left_;
    }
  }
  return results;
}

std::vector<Gpu> Runner::targets(const CheckRequest& request) {
  // A file's question about a GPU can be put without one, by a parameter.
  const bool of_named_kind = request.check->need == Need::nothing && request.parameters.text(kComputeCapability);
  if (!request.check->per_gpu || of_named_kind) return {Gpu{}};
  return gpus_named(request.gpus);
}

std::vector<Gpu> Runner::gpus_named(const std::vector<std::string>& names) {
  std::vector<Gpu> chosen;
  for (const Gpu& gpu : gpus()) {
    const bool named = std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_name_of(name, gpu); });
    if (names.empty() || named) chosen.push_back(gpu);
  }
  // One that NVML cannot open has no names: it may be the one that is meant.
  if (chosen.empty()) {
    const auto is_nameless = [](const Gpu& gpu) { return gpu.uuid.empty() && gpu.pci_address.empty(); };
    std::copy_if(gpus().begin(), gpus().end(), std::back_inserter(chosen), is_nameless);
  }
  if (chosen.empty()) chosen.emplace_back();
  return chosen;
}

const CheckResult& Runner::result_of(const Check& check, const Gpu& gpu, const Parameters& parameters) {
  Key key = {std::string(check.name), gpu.index, gpu.uuid};
  for (const auto& [name, value] : parameters.values()) key.insert(key.end(), {name, value});
  if (const auto known = results_.find(key); known != results_.end()) return known->second;
  const auto start = Clock::now();
  std::optional<Answer> answer = reason_not_to_run(check, gpu, parameters);
  if (!answer) {
    if (options_.on_start) options_.on_start(check, gpu);
    answer = ask_worker(check, gpu, parameters);
  }
  const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  if (loads_gpu(check)) options_.budget -= std::min(took, options_.budget);
  return results_.emplace(std::move(key), CheckResult{&check, gpu, std::move(*answer), took}).first->second;
}

std::optional<Answer> Runner::reason_not_to_run(const Check& check, const Gpu& gpu, const Parameters& parameters) {
  if (is_interrupted()) return Answer::could_not_run(kInterrupted);
  if (check.need != Need::nothing && !options_.sysroot.empty()) {
    gpus();
    return Answer::could_not_run(why_no_gpu_);
  }
  if (check.per_gpu && check.need != Need::nothing && gpu.index.empty() && gpu.uuid.empty()) {
    return Answer::could_not_run(gpus().empty() ? why_no_gpu_ : "no GPU of this machine has that name");
  }
  for (const std::string_view name : check.blocked_by) {
    const Check* blocker = find_check(name);
    if (!blocker) continue;
    const CheckResult& before = result_of(*blocker, blocker->per_gpu ? gpu : Gpu{}, parameters);
    const bool blocks = before.answer.reply == Reply::yes || before.answer.doubt == Doubt::could_not_run;
    if (!blocks) continue;
    const bool is_blocked_itself = before.answer.detail.starts_with(kBlockedBy);
    return Answer::could_not_run(is_blocked_itself ? before.answer.detail
                                                   : kBlockedBy + std::string(name) + ": " + before.answer.detail);
  }
  if (check.need == Need::two_gpus && gpus().size() < 2) return Answer::not_applicable("fewer than two GPUs are here");
  if (loads_gpu(check) && !options_.force) {
    for (const Gpu& one : gpus()) {
      const bool meant = check.need == Need::two_gpus || one.uuid == gpu.uuid;
      if (meant && one.busy) {
        return Answer::could_not_run("GPU " + one.index + " is busy: " + one.busy_detail,
                                     "Run it again when the GPU is idle, or with --force beside the other work.");
      }
    }
  }
  if (loads_gpu(check) && options_.budget <= milliseconds(0)) {
    return Answer::could_not_run("the time given for checks is used up", "Give more, e.g. --budget 5m.");
  }
  if (silent_.contains(gpu.uuid) && check.need == Need::nvml && !gpu.uuid.empty()) {
    return Answer::could_not_run("NVML hung on this GPU before");
  }
  if (check.need > Need::nvml && hung_[gpu.uuid] >= kMostHangs) {
    return Answer::could_not_run("CUDA hung again and again on this GPU, so no more time is spent on it");
  }
  return std::nullopt;
}

milliseconds Runner::share_of_budget(const Check& check) const {
  if (!loads_gpu(check)) return check.deadline;
  const auto share = options_.budget / static_cast<long>(std::max<std::size_t>(loads_left_, 1));
  return std::max(share, kLeastShare);
}

Answer Runner::ask_worker(const Check& check, const Gpu& gpu, const Parameters& parameters) {
  Question question{std::string(check.name), gpu, options_.level, share_of_budget(check), parameters};
  if (check.need != Need::nothing && check.need != Need::nvml) return ask_cuda(check, question);
  if (!host_) host_ = std::make_unique<Worker>(options_.binary, WorkerKind::host, options_.sysroot);
  Worker& worker = check.need == Need::nvml ? observer() : *host_;
  const Exchange exchange = worker.ask(question, check.deadline, options_.interrupt);
  if (exchange.end != Exchange::End::answered) {
    if (check.need == Need::nothing) host_.reset();
    if (check.need == Need::nvml) silent_.insert(gpu.uuid);
  }
  return answer_to(check, exchange);
}

Answer Runner::ask_cuda(const Check& check, const Question& question) {
  std::string visible = question.gpu.uuid;
  if (check.need == Need::two_gpus) {
    for (const Gpu& gpu : gpus()) visible += (visible.empty() ? "" : ",") + gpu.uuid;
  }
  Worker worker(options_.binary, WorkerKind::cuda, options_.sysroot, cuda_environment(visible));
  // The check keeps to its share by itself; the deadline is for what does not come back.
  const milliseconds deadline = loads_gpu(check) ? question.budget + check.deadline : check.deadline;
  const Exchange exchange = worker.ask(question, deadline, options_.interrupt);
  if (exchange.end == Exchange::End::timed_out || exchange.end == Exchange::End::left_behind)
    ++hung_[question.gpu.uuid];
  return answer_to(check, exchange);
}

bool Runner::is_interrupted() const {
  pollfd ready{options_.interrupt, POLLIN, 0};
  return poll(&ready, 1, 0) > 0;
}

Worker& Runner::observer() {
  const bool start = !observer_ || (!observer_->is_running() && observers_ < kMostObservers);
  if (start) {
    ++observers_;
    observer_ = std::make_unique<Worker>(options_.binary, WorkerKind::nvml, options_.sysroot);
  }
  return *observer_;
}

}  // namespace cutopsy
