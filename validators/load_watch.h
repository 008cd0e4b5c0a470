// What the observer sees of a GPU around and during the checks that load it.
//
// Counters are read before the first load and after each, clocks and heat while one runs, Xids all the time: from
// NVML's events and from the kernel's log, where either can be had.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validators/error_counters.h"
#include "validators/gpu.h"
#include "validators/kernel_log.h"
#include "validators/nvml.h"

namespace cutopsy {

/// A moment in which the GPU worked.
struct LoadSample {
  std::uint64_t clocks_reasons = 0;  ///< bits of NvmlClocksReason
  std::optional<unsigned> sm_mhz;
  std::optional<unsigned> celsius;
  std::optional<unsigned> milliwatts;
};

struct SeenXid {
  int number = 0;
  std::string source;  ///< the kernel's line, or "NVML's event"
};

/// Plain data: what follows from it is for the checks.
struct LoadRecord {
  std::map<CounterGroup, std::vector<CounterReading>> before, after;
  std::vector<LoadSample> samples;
  std::vector<SeenXid> xids;
  NvmlStatus blind;  ///< why a moment could not be looked at, when one could not
  bool hears_xids = false;
  std::map<std::string, std::chrono::milliseconds, std::less<>> loads;  ///< that came to an answer: check, time
  std::chrono::milliseconds load_time{0};                               ///< of all, also of those that failed
  std::optional<unsigned> most_sm_mhz;

  /// How long those of the named checks ran that came to an answer; no value when none did.
  std::optional<std::chrono::milliseconds> time_of(std::span<const std::string_view> checks) const;
};

class LoadWatch {
 public:
  /// `nvml` outlives this object.
  LoadWatch(const Nvml& nvml, Gpu gpu);
  ~LoadWatch();
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;

  void load_starts();
  /// To be called again and again while a load runs.
  void sample();
  /// `check` is the name of the one that loaded the GPU; `answered` is false when it could not run to its end.
  void load_ended(const std::string& check, bool answered);

  const LoadRecord& record() const { return record_; }
  bool load_runs() const { return load_runs_; }

 private:
  void listen(NvmlDevice device);
  void hear(unsigned wait_milliseconds);

  const Nvml& nvml_;
  Gpu gpu_;
  KernelLogTail kernel_log_;
  NvmlEventSet events_ = nullptr;
  bool load_runs_ = false;
  std::chrono::steady_clock::time_point started_;
  LoadRecord record_;
};

}  // namespace cutopsy
