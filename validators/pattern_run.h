// Memory patterns over much of a device's memory: fill, plant controls, verify, judge.
//
// Launches last 50 ms at most, so that a display and other processes get their turns, and the time of a deadline is
// kept: what does not fit is left out and said.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "validators/kernel_session.h"
#include "validators/pattern_controls.h"

namespace cutopsy {

class PatternRun {
 public:
  using Clock = std::chrono::steady_clock;

  /// What the memory is to hold.
  struct Content {
    kernels::Pattern pattern = kernels::Pattern::address_hash;
    std::uint64_t seed = 0;  ///< as word_of() takes it
    std::uint64_t flip = 0;  ///< all ones for the complement

    std::uint64_t word(std::uint64_t number) const { return kernels::expected_word(pattern, number, seed) ^ flip; }
  };

  /// The session is open and outlives the run. `seed` chooses where controls are planted.
  PatternRun(KernelSession& session, std::uint64_t seed) : session_(session), seed_(seed) {}

  /// Takes `bytes` of device memory, in several pieces where it is not to be had in one; less when less is to be had.
  /// An error only when there is next to nothing.
  CudaStatus allocate(std::uint64_t bytes);

  /// Writes the content. The first fill that passes `deadline` ends there, and only what it filled is tested from then
  /// on; a later one has to be complete.
  CudaStatus fill(const Content& content, Clock::time_point deadline);
  /// Plants controls and compares everything that is owned. A pass that `deadline` ends is not complete.
  CudaStatus verify(const Content& content, Clock::time_point deadline, PassJudgement* judgement);
  /// The same, and writes the complement over each quad as soon as it was read, in rising or falling order; then puts
  /// the controls right, too. Words that differ keep what they hold.
  CudaStatus invert(const Content& content, bool falling, Clock::time_point deadline, PassJudgement* judgement);

  /// Words under test.
  std::uint64_t words() const;
  std::uint64_t bytes() const { return words() * sizeof(std::uint64_t); }
  /// Where a word is: the device's virtual address.
  cuda::Address address_of(std::uint64_t number) const;

 private:
  struct Chunk {
    DeviceMemory memory;
    std::uint64_t quads = 0;  // under test
    std::uint64_t base = 0;   // the number of its first word
  };

  using Controls = std::array<Control, 4>;

  CudaStatus prepare();
  CudaStatus flip_bits(std::uint64_t number, std::uint64_t bits);
  // Launches `kernel` piece by piece over a chunk; `*done` is how many quads it got through before the deadline.
  template <typename... Arguments>
  CudaStatus sweep(const char* kernel, const Chunk& chunk, const Content& content, bool falling,
                   Clock::time_point deadline, std::uint64_t* done, Arguments... arguments);
  CudaStatus compare(const char* kernel, const Content& content, bool falling, Clock::time_point deadline,
                     const Controls& controls, PassJudgement* judgement);
  void adapt(Clock::duration took);

  KernelSession& session_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
  bool filled_ = false;
  std::vector<Chunk> chunks_;
  DeviceMemory report_;
  LaunchShape shape_;
  std::uint64_t piece_ = 0;  // quads of a launch
};

}  // namespace cutopsy
