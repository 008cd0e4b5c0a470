// Findings of a log that is still written, as they come: one JSON line each, storms folded.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "engine/match/finding.h"

namespace cutopsy {

/// Thread-safe: several inputs may report to one feed. A fault is a rule on one host, GPU and rank. Its first finding
/// is an alert at once; repeats are counted, and told by one further alert for each kRepeatSeconds in which there were
/// some. Only causes and effects of severity warning or above are told; what is only quoted is not.
class AlertFeed {
 public:
  using Clock = std::chrono::steady_clock;
  /// `write` gets each alert, a line with its '\n'; it is called by one thread at a time.
  explicit AlertFeed(std::function<void(const std::string&)> write) : write_(std::move(write)) {}

  void add(const std::string& input, const Finding& finding, Clock::time_point now = Clock::now());
  /// Tells the repeats that are due; call it every second or so, and with `all` at the end.
  void tell_repeats(Clock::time_point now = Clock::now(), bool all = false);

  /// How often each rule was found, with its severity.
  struct Count {
    Severity severity = Severity::error;
    std::uint64_t findings = 0;
  };
  std::map<std::string, Count> counts() const;

  static constexpr int kRepeatSeconds = 60;
  static constexpr std::size_t kMaxFaults = 4096;  ///< told apart; of more only the rules are counted

 private:
  struct Fault {
    std::string alert;  // of the first finding, JSON that lacks the counts and its end
    Clock::time_point told;
    std::uint64_t repeats = 0;  // since then
    std::uint64_t total = 0;
  };
  void tell(Fault& fault, Clock::time_point now);

  mutable std::mutex mutex_;
  std::function<void(const std::string&)> write_;
  std::map<std::string, Fault> faults_;
  std::map<std::string, Count> counts_;
};

}  // namespace cutopsy
