// Who wrote an input, and when: what inputs of one job have in common.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/match/finding.h"
#include "parsers/event.h"

namespace cutopsy {

struct InputIdentity {
  std::set<std::string> hosts;
  std::set<std::string> pids;
  std::set<std::string> ranks;
  double first_seconds = 0;  ///< Unix time of the earliest line known, 0 if none is
  double last_seconds = 0;
  bool kernel_log = false;    ///< most of its sampled lines come from the kernel: it tells of a machine, not of a job
  bool kernel_clock = false;  ///< most of those with a time do: its times are the machine's, not the job's
};

/// Gathers an input's identity from a sample of its lines, then from what was found in it. Not thread-safe.
class IdentityBuilder {
 public:
  /// `lines`: whole lines from the input's beginning or end; at most kSampledLines of them are read, the last ones if
  /// `from_end`.
  void sample(std::string_view lines, bool from_end);
  InputIdentity finish(std::span<const Finding> findings, std::span<const Fact> facts);

  static constexpr std::size_t kSampledLines = 40;
  static constexpr std::size_t kMaxNames = 256;  ///< hosts, pids or ranks kept

 private:
  void add(const Envelope& envelope);

  InputIdentity identity_;
  std::size_t lines_ = 0;
  std::size_t kernel_lines_ = 0;
  std::size_t timed_lines_ = 0;
};

}  // namespace cutopsy
