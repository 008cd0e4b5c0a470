// Work for every multiprocessor at once, and which of them erred.
//
// A block that takes all the shared memory that a block can have shares its multiprocessor with no other, so that as
// many blocks as there are multiprocessors reach each of them. Whether they did is measured, not assumed.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/multiprocessor_sweep.h"
#include "validators/kernel_session.h"

namespace cutopsy {

/// Launches kernels whose first argument is a list of spans, with one block on each multiprocessor.
class OneBlockEach {
 public:
  static constexpr unsigned kThreads = 256;

  /// The session is open and outlives this object.
  explicit OneBlockEach(KernelSession& session) : session_(session) {}

  /// Asks the device for its multiprocessors and their shared memory.
  CudaStatus prepare();
  unsigned multiprocessors() const { return multiprocessors_; }
  /// The dynamic shared memory of each block, in bytes.
  unsigned shared_bytes() const { return shared_bytes_; }

  /// Runs the kernel once; the spans, one a block, then tell where.
  template <typename... Arguments>
  CudaStatus run(const char* kernel, Arguments... arguments) {
    CudaStatus status = spans_on_device_.set(kNotRun);
    if (status.ok()) status = allow_shared_memory(kernel);
    const LaunchShape shape{.grid = multiprocessors_, .block = kThreads, .shared_bytes = shared_bytes_};
    if (status.ok()) status = session_.run(kernel, shape, spans_on_device_.pointer<kernels::SmSpan>(), arguments...);
    if (status.ok()) status = spans_on_device_.read(spans_.data(), spans_on_device_.bytes());
    return status;
  }
  std::span<const kernels::SmSpan> spans() const { return spans_; }

 private:
  static constexpr unsigned char kNotRun = 0xFF;  // each byte of the span of a block that never ran

  CudaStatus allow_shared_memory(const char* kernel);

  KernelSession& session_;
  unsigned multiprocessors_ = 0;
  unsigned shared_bytes_ = 0;
  DeviceMemory spans_on_device_;
  std::vector<kernels::SmSpan> spans_;
};

/// What runs on all multiprocessors showed. Numbers of multiprocessors are %smid: they may have gaps, and they are not
/// the GPC, TPC and SM of an Xid message.
class SmLedger {
 public:
  /// A run's blocks: where each was and whether its results were wrong. Where more than half are, the run accuses none
  /// of them: what they have in common is the kernel, its compiler and its input.
  void add_run(std::span<const kernels::SmSpan> spans, const std::vector<bool>& wrong);

  unsigned runs() const { return runs_; }
  /// Runs in which more than half of the blocks were wrong.
  unsigned wrong_together() const { return wrong_together_; }
  /// Multiprocessors that ran a whole block.
  std::size_t seen() const { return seen_.size(); }
  /// Those that erred in two runs or more: a fault of theirs.
  std::vector<unsigned> convicted() const { return erred_at_least(2); }
  /// Those that erred, be it once.
  std::vector<unsigned> suspected() const { return erred_at_least(1); }
  /// Wrong blocks that were moved while they ran, or never ran: nobody's.
  unsigned unplaced() const { return unplaced_; }
  bool clean() const { return erred_.empty() && unplaced_ == 0 && wrong_together_ == 0; }

 private:
  std::vector<unsigned> erred_at_least(unsigned runs) const;

  unsigned runs_ = 0;
  unsigned unplaced_ = 0;
  unsigned wrong_together_ = 0;
  std::set<unsigned> seen_;
  std::map<unsigned, unsigned> erred_;  // multiprocessor to runs
};

/// Why a ledger with runs that were wrong together proves nothing of the GPU: "more than half of the multiprocessors
/// WHAT in 2 of 4 runs: ...".
std::string wrong_together_text(const SmLedger& ledger, const std::string& what);

/// "3, 4 and 17"
std::string list_of(const std::vector<unsigned>& numbers);

}  // namespace cutopsy
