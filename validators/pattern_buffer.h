// One allocation that holds the memory pattern, written and compared by kernels of its own device or of another one
// that can reach it.
#pragma once

#include <cstdint>
#include <string>

#include "validators/kernel_session.h"
#include "validators/pattern_controls.h"

namespace cutopsy {

/// The two forms of the pattern: each bit has both values between them, and no word looks the same.
inline constexpr std::uint64_t kHash = 0;
inline constexpr std::uint64_t kComplement = ~0ULL;

/// Words that differ from the pattern, as an answer names them.
struct Mismatch {
  std::uint64_t count = 0;
  kernels::WrongWord first{};

  /// "3 words, the first at offset 0x10 in the bits 0x1"
  std::string text() const;
};

/// The faults of a pass, beyond its controls.
Mismatch mismatch_of(const PassJudgement& judgement);

class PatternBuffer {
 public:
  /// The session is open and outlives the buffer.
  PatternBuffer(KernelSession& owner, std::uint64_t seed) : owner_(owner), seed_(seed) {}
  ~PatternBuffer() { owner_.context().make_current(); }
  PatternBuffer(const PatternBuffer&) = delete;
  PatternBuffer& operator=(const PatternBuffer&) = delete;

  /// `bytes` is a multiple of 16 and at least 64. A launch over it should last 50 ms at most.
  CudaStatus allocate(std::uint64_t bytes);
  std::uint64_t words() const { return memory_.bytes() / sizeof(std::uint64_t); }
  std::uint64_t bytes() const { return memory_.bytes(); }
  cuda::Address address() const { return memory_.address(); }
  /// What the word `number` is to hold.
  std::uint64_t expected(std::uint64_t number, std::uint64_t flip) const {
    return kernels::address_hash(number, seed_) ^ flip;
  }

  /// Kernels of `by` write the pattern. Its context is current afterwards.
  CudaStatus fill(KernelSession& by, std::uint64_t flip);
  /// The owner plants errors as positive controls, which stay; then kernels of `by` compare every word.
  CudaStatus verify(KernelSession& by, std::uint64_t flip, PassJudgement* judgement);

 private:
  kernels::PatternArea area(std::uint64_t flip) const;

  KernelSession& owner_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
  DeviceMemory memory_;
};

}  // namespace cutopsy
