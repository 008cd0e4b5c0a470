#include "validators/runner.h"

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kListDeadline{10'000};
constexpr milliseconds kWatchDeadline{5'000};
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

bool asks_observer(const Check& check) {
  return check.need == Need::nvml || check.need == Need::load_record;
}

bool asks_cuda(const Check& check) {
  return check.need != Need::nothing && !asks_observer(check);
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
  const std::string address = pci_address(name);
  if (gpu.pci_address.empty() || address.empty()) return false;
  const bool has_domain = std::count(name.begin(), name.end(), ':') > 1;
  return has_domain ? address == gpu.pci_address : gpu.pci_address.ends_with(address.substr(address.find(':')));
}

bool Runner::is_name(const std::string& text) {
  const bool is_index = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return is_index || text.starts_with("GPU-") || text.starts_with("MIG-") || !pci_address(text).empty();
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
  const Exchange exchange = observer().ask({.task = WorkerTask::list_gpus}, kListDeadline, options_.interrupt);
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
    loads_left_ = count_loads(asked);
    for (const auto& [request, gpu] : asked) results.push_back(result_of(*request->check, gpu, request->parameters));
  }
  return results;
}

std::size_t Runner::count_loads(const std::vector<std::pair<const CheckRequest*, Gpu>>& asked) const {
  std::set<Key> loads;
  const auto add = [&](const Check& check, const Gpu& gpu) {
    loads.insert({std::string(check.name), check.per_gpu ? gpu.uuid : ""});
  };
  for (const auto& [request, gpu] : asked) {
    const Check& check = *request->check;
    if (loads_gpu(check)) add(check, gpu);
    if (!check.loads) continue;
    for (const std::string_view name : check.loads(request->parameters)) {
      if (const Check* load = find_check(name)) add(*load, gpu);
    }
  }
  std::erase_if(loads, [&](const Key& load) { return loaded_.contains(load); });
  return loads.size();
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
  if (loads_gpu(check)) {
    options_.budget -= std::min(took, options_.budget);
    if (loads_left_ > 0) --loads_left_;
  }
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
  // What was seen during loads is told in no time.
  const bool takes_time = check.need != Need::load_record;
  if (takes_time && options_.time_limit && Clock::now() - started_ >= *options_.time_limit) {
    return Answer::could_not_run("the time of this level is over", "Give more: --level standard, or --budget 5m.");
  }
  if (std::string wrong = malformed(parameters); !wrong.empty()) return Answer::could_not_run(std::move(wrong));
  if (auto answer = blocked(check, gpu, parameters)) return answer;
  if (check.need == Need::two_gpus && gpus().size() < 2) return Answer::not_applicable("fewer than two GPUs are here");
  if (loads_gpu(check) && !options_.force) {
    if (auto answer = busy(check, gpu)) return answer;
  }
  if (loads_gpu(check) && options_.budget <= milliseconds(0)) {
    return Answer::could_not_run("the time given for checks is used up", "Give more, e.g. --budget 5m.");
  }
  if (asks_cuda(check) && hung_[gpu.uuid] >= kMostHangs) {
    return Answer::could_not_run("CUDA hung again and again on this GPU, so no more time is spent on it");
  }
  if (check.loads) {
    if (auto answer = run_loads(check, gpu, parameters)) return answer;
  }
  if (asks_observer(check) && silent_.contains(gpu.uuid) && !gpu.uuid.empty()) {
    return Answer::could_not_run("NVML hung on this GPU before");
  }
  return std::nullopt;
}

std::optional<Answer> Runner::blocked(const Check& check, const Gpu& gpu, const Parameters& parameters) {
  for (const std::string_view name : check.blocked_by) {
    const Check* blocker = find_check(name);
    if (!blocker) continue;
    const CheckResult& before = result_of(*blocker, blocker->per_gpu ? gpu : Gpu{}, parameters);
    const bool blocks = before.answer.reply == Reply::yes || before.answer.doubt == Doubt::could_not_run;
    if (!blocks) continue;
    if (is_interrupted()) return Answer::could_not_run(kInterrupted);
    const bool is_blocked_itself = before.answer.detail.starts_with(kBlockedBy);
    return Answer::could_not_run(is_blocked_itself ? before.answer.detail
                                                   : kBlockedBy + std::string(name) + ": " + before.answer.detail);
  }
  return std::nullopt;
}

std::optional<Answer> Runner::busy(const Check& check, const Gpu& gpu) {
  for (const Gpu& one : gpus()) {
    const bool meant = check.need == Need::two_gpus || one.uuid == gpu.uuid;
    if (meant && one.busy) {
      return Answer::could_not_run("GPU " + one.index + " is busy: " + one.busy_detail,
                                   "Run it again when the GPU is idle, or with --force beside the other work.");
    }
  }
  return std::nullopt;
}

std::optional<Answer> Runner::run_loads(const Check& check, const Gpu& gpu, const Parameters& parameters) {
  bool any = false;
  std::optional<Answer> why_not;
  for (const std::string_view name : check.loads(parameters)) {
    const Check* load = find_check(name);
    if (!load) continue;
    const Gpu target = load->per_gpu ? gpu : Gpu{};
    const Answer& answer = any_result_of(*load, target).answer;
    const bool none = answer.doubt == Doubt::not_applicable;
    any = any || (!none && loaded_.contains({std::string(name), target.uuid}));
    // That it could not be tried weighs more than that there was nothing to try.
    if (why_not && (why_not->doubt == Doubt::could_not_run || none)) continue;
    const std::string detail = "no load ran: " + std::string(name) + ": " + answer.detail;
    why_not = none ? Answer::not_applicable(detail) : Answer::could_not_run(detail, answer.advice);
  }
  return any ? std::nullopt : why_not;
}

const CheckResult& Runner::any_result_of(const Check& check, const Gpu& gpu) {
  const Key key = {std::string(check.name), gpu.index, gpu.uuid};
  const auto known = results_.lower_bound(key);
  if (known != results_.end() && std::equal(key.begin(), key.end(), known->first.begin())) return known->second;
  return result_of(check, gpu, {});
}

milliseconds Runner::share_of_budget(const Check& check) const {
  if (!loads_gpu(check)) return check.deadline;
  milliseconds left = options_.budget;
  if (options_.time_limit) {
    const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - started_);
    left = std::min(left, *options_.time_limit - spent);
  }
  return std::max(left / static_cast<long>(std::max<std::size_t>(loads_left_, 1)), kLeastShare);
}

Answer Runner::ask_worker(const Check& check, const Gpu& gpu, const Parameters& parameters) {
  Question question{std::string(check.name), gpu,        options_.level,
                    share_of_budget(check),  parameters, WorkerTask::answer};
  if (asks_cuda(check)) return ask_cuda(check, question);
  if (!host_) host_ = std::make_unique<Worker>(options_.binary, WorkerKind::host, options_.sysroot);
  Worker& worker = asks_observer(check) ? observer() : *host_;
  const Exchange exchange = worker.ask(question, check.deadline, options_.interrupt);
  if (exchange.end != Exchange::End::answered) {
    if (check.need == Need::nothing) host_.reset();
    if (asks_observer(check)) silent_.insert(gpu.uuid);
  }
  return answer_to(check, exchange);
}

Answer Runner::ask_cuda(const Check& check, const Question& question) {
  std::string visible = question.gpu.uuid;
  if (check.need == Need::two_gpus) {
    for (const Gpu& gpu : gpus()) visible += (visible.empty() ? "" : ",") + gpu.uuid;
  }
  if (loads_gpu(check)) tell_of_load(WorkerTask::load_starts, check, question.gpu);
  Worker worker(options_.binary, WorkerKind::cuda, options_.sysroot, cuda_environment(visible));
  // The check keeps to its share by itself; the deadline is for what does not come back.
  const milliseconds deadline = loads_gpu(check) ? question.budget + check.deadline : check.deadline;
  const Exchange exchange = worker.ask(question, deadline, options_.interrupt);
  if (exchange.end == Exchange::End::timed_out || exchange.end == Exchange::End::left_behind)
    ++hung_[question.gpu.uuid];
  Answer answer = answer_to(check, exchange);
  if (loads_gpu(check)) {
    const bool answered = answer.doubt == Doubt::none || answer.doubt == Doubt::undecided;
    tell_of_load(answered ? WorkerTask::load_ended : WorkerTask::load_failed, check, question.gpu);
  }
  return answer;
}

void Runner::tell_of_load(WorkerTask task, const Check& check, const Gpu& gpu) {
  loaded_.insert({std::string(check.name), gpu.uuid});
  for (const Gpu& one : gpus()) {
    const bool meant = check.need == Need::two_gpus || one.uuid == gpu.uuid;
    if (!meant || silent_.contains(one.uuid)) continue;
    const Exchange exchange = observer().ask({.check = std::string(check.name), .gpu = one, .task = task},
                                             kWatchDeadline, options_.interrupt);
    if (exchange.end != Exchange::End::answered) silent_.insert(one.uuid);
  }
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
