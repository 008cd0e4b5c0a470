// Runs checks on this machine: in which order, in which child, on which GPU, and within which time.
//
// The parent loads no driver library. What reads files is asked first, since the driver's start-up loads modules and
// makes device nodes; then one observer holds NVML as long as the runner lives, and watches the GPUs while checks load
// them; every check that needs CUDA gets a fresh child, which sees only its GPU. Not thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "validators/check.h"
#include "validators/message.h"
#include "validators/worker.h"

namespace cutopsy {

struct CheckRequest {
  const Check* check = nullptr;
  Parameters parameters;
  std::vector<std::string> gpus;  ///< names of GPUs (see Runner::is_name_of); empty for all
};

struct CheckResult {
  const Check* check = nullptr;
  Gpu gpu;  ///< empty for a check of the whole machine
  Answer answer;
  std::chrono::milliseconds took{0};
};

struct RunOptions {
  std::string binary;   ///< serves as worker under kWorkerVerb; for a program, its own /proc/self/exe
  std::string sysroot;  ///< see Host; GPUs are not asked then, since they are not those of the copy
  Level level = Level::quick;
  std::chrono::milliseconds budget{10'000};             ///< for all checks that load a GPU together
  std::optional<std::chrono::milliseconds> time_limit;  ///< after it no check is started; what hangs ends later
  bool force = false;                                   ///< load a GPU although others compute on it
  int interrupt = -1;  ///< descriptor (a signalfd, say): once it is readable nothing more is asked; -1 for none
  std::function<void(const Check&, const Gpu&)> on_start;  ///< told before each check; may be empty
};

class Runner {
 public:
  explicit Runner(RunOptions options);

  /// The GPUs that NVML knows; starts the observer. Empty without any: why_no_gpu() tells.
  const std::vector<Gpu>& gpus();
  const std::string& why_no_gpu() const { return why_no_gpu_; }

  /// Asks all, what needs least first, and gives the results in that order. A question that was asked before is
  /// answered from memory. A check that depends on one that found a fault is not run; its answer names that one.
  std::vector<CheckResult> run(std::vector<CheckRequest> requests);

  // For who asks in an order of their own (self_test.h), all without memory of earlier answers:

  const RunOptions& options() const { return options_; }
  /// The GPUs that the names mean, all without names; an empty one when none is meant, so that a result can say so.
  std::vector<Gpu> gpus_named(const std::vector<std::string>& names);
  /// The GPU as NVML sees it at this moment; no value when it is not seen.
  std::optional<Gpu> seen_anew(const Gpu& gpu);
  /// A fresh child with CUDA that sees only this GPU.
  std::unique_ptr<Worker> new_worker(const Gpu& gpu) const;
  /// No value when nothing stands in the way of a check, else its answer.
  std::optional<Answer> reason_not_to_run(const Check& check, const Gpu& gpu, const Parameters& parameters);

  /// Whether `name` is the GPU's index, UUID (a prefix of 12 bytes or more will do) or PCI address (with or without
  /// its domain).
  static bool is_name_of(const std::string& name, const Gpu& gpu);
  /// Whether it has the form of one of those names.
  static bool is_name(const std::string& text);

 private:
  using Key = std::vector<std::string>;  // check, GPU, parameters

  const CheckResult& result_of(const Check& check, const Gpu& gpu, const Parameters& parameters);
  std::optional<Answer> blocked(const Check& check, const Gpu& gpu, const Parameters& parameters);
  std::optional<Answer> busy(const Check& check, const Gpu& gpu);
  /// Runs the checks whose load it asks about, as far as they have not run on the GPU. An answer when none can.
  std::optional<Answer> run_loads(const Check& check, const Gpu& gpu, const Parameters& parameters);
  /// The result of that check on that GPU, whatever its parameters were.
  const CheckResult& any_result_of(const Check& check, const Gpu& gpu);
  Answer ask_worker(const Check& check, const Gpu& gpu, const Parameters& parameters);
  Answer ask_cuda(const Check& check, const Question& question);
  /// Tells the observer of each GPU that a check loads.
  void tell_of_load(WorkerTask task, const Check& check, const Gpu& gpu);
  std::vector<Gpu> targets(const CheckRequest& request);
  std::size_t count_loads(const std::vector<std::pair<const CheckRequest*, Gpu>>& asked) const;
  std::vector<Gpu> list_gpus();
  std::chrono::milliseconds share_of_budget(const Check& check) const;
  Worker& observer();
  bool is_interrupted() const;

  RunOptions options_;
  std::optional<std::vector<Gpu>> gpus_;
  std::string why_no_gpu_;
  std::unique_ptr<Worker> host_, observer_;
  int observers_ = 0;                // how many were started
  std::set<std::string> silent_;     // GPUs on which the observer hung
  std::map<std::string, int> hung_;  // children that hung in CUDA, by their GPU
  std::map<Key, CheckResult> results_;
  std::set<Key> loaded_;        // check and GPU of the loads that were started
  std::size_t loads_left_ = 0;  // checks of this run that still share the budget
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// What an exchange about a check comes to.
Answer answer_to(const Check& check, const Exchange& exchange);

}  // namespace cutopsy
