// The worker's side of an exchange (see worker.h).
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "validators/cuda_driver.h"
#include "validators/deliberate_fault.h"
#include "validators/load_watch.h"
#include "validators/nvml.h"
#include "validators/worker.h"

namespace cutopsy {

namespace {

constexpr int kAnswers = 3;
constexpr int kSampleEvery = 50;  // milliseconds, while a GPU is loaded

bool write_all(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(kAnswers, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

// Serves until the input ends, with the library of its kind and no other.
class Server {
 public:
  Server(std::string kind, const std::string& sysroot) : kind_(std::move(kind)), host_(sysroot) {}

  Message serve(const Question& question) {
    if (kind_ == "nvml" && !nvml_) nvml_ = std::make_unique<Nvml>();
    if (question.task == WorkerTask::list_gpus) return list_gpus();
    if (question.task != WorkerTask::answer) return watch(question);
    const Check* check = find_check(question.check);
    const DeliberateFault* fault = check ? nullptr : find_deliberate_fault(question.check);
    if (fault) check = &fault->check;
    if (!check) return to_message(Answer::could_not_run("there is no check of that name"));
    if (kind_ == "cuda") {
      if (const auto refused = start_cuda()) return to_message(*refused);
    }
    const auto watched = watches_.find(question.gpu.uuid);
    if (check->need == Need::load_record && watched == watches_.end()) {
      return to_message(Answer::could_not_run("what was seen during the load is lost: the observer was started again"));
    }
    return to_message(check->ask({.host = host_,
                                  .parameters = question.parameters,
                                  .gpu = question.gpu,
                                  .level = question.level,
                                  .budget = question.budget,
                                  .nvml = nvml_.get(),
                                  .cuda = cuda_.get(),
                                  .record = watched == watches_.end() ? nullptr : &watched->second.record()}));
  }

  /// Whether a load runs, so that sample() is to be called while nothing is asked.
  bool watches_load() const {
    for (const auto& [uuid, watch] : watches_) {
      if (watch.load_runs()) return true;
    }
    return false;
  }

  void sample() {
    for (auto& [uuid, watch] : watches_) {
      if (watch.load_runs()) watch.sample();
    }
  }

 private:
  Message watch(const Question& question) {
    if (!nvml_ || !nvml_->status().ok()) return {"only an observer with NVML watches a load"};
    if (question.task == WorkerTask::load_starts) {
      watches_.try_emplace(question.gpu.uuid, *nvml_, question.gpu).first->second.load_starts();
      return {};
    }
    // The end of a load whose beginning another observer saw, which died of it, proves nothing.
    const auto watch = watches_.find(question.gpu.uuid);
    if (watch != watches_.end() && watch->second.load_runs()) {
      watch->second.load_ended(question.check, question.task == WorkerTask::load_ended);
    }
    return {};
  }

  Message list_gpus() {
    if (!nvml_) return {"only the observer lists GPUs"};
    if (!nvml_->status().ok()) return {nvml_->status().text()};
    return to_message(nvml_->gpus());
  }

  std::optional<Answer> start_cuda() {
    if (cuda_) return std::nullopt;
    std::string why_not;
    cuda_ = CudaDriver::open(&why_not);
    if (!cuda_) return Answer::could_not_run(why_not, "Install the NVIDIA driver, or give the container the GPU.");
    return std::nullopt;
  }

  std::string kind_;
  Host host_;
  std::unique_ptr<Nvml> nvml_;
  std::unique_ptr<CudaDriver> cuda_;
  std::map<std::string, LoadWatch> watches_;  // by the GPU's UUID
};

bool can_read_within(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, milliseconds) != 0;
}

// No value at the end of the input, or when it is damaged.
std::optional<Question> next_question(std::string& received, Server& server) {
  while (true) {
    bool broken = false;
    if (const auto message = take_message(received, &broken)) return to_question(*message);
    while (server.watches_load() && !can_read_within(kSampleEvery)) server.sample();
    std::array<char, 4096> buffer;
    const ssize_t got = broken ? 0 : read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got <= 0) return std::nullopt;
    received.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

int run_worker(const std::string& kind, const std::string& sysroot) {
  constexpr int kUsage = 2;
  if (kind != "host" && kind != "nvml" && kind != "cuda") return kUsage;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to read the answers
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  Server server(kind, sysroot);
  std::string received;
  while (const auto question = next_question(received, server)) {
    if (!write_all(encode(server.serve(*question)))) break;
  }
  // Not exit(): a driver in a bad state may hang in its own clean-up.
  _exit(0);
}

}  // namespace cutopsy
