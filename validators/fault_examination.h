// What kind of fault a wrong word is: read again in a later launch, past the L2 cache, then written with the
// complement and with the right value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validators/kernel_session.h"
#include "validators/pattern_run.h"

namespace cutopsy {

enum class FaultKind {
  unsettled,     ///< it could not be read again, or the cache may have answered
  transient,     ///< the word is right: a load had returned something else
  stored_wrong,  ///< the word is wrong, though its bits take both values
  stuck,         ///< bits that keep one value
  aliased,       ///< the cell of another word
};

/// "unsettled", "transient", "stored wrong", "stuck", "aliased".
std::string_view to_string(FaultKind kind);

struct WordFault {
  kernels::WrongWord word{};
  FaultKind kind = FaultKind::unsettled;
  std::uint64_t stuck_ones = 0;    ///< bits that are always 1
  std::uint64_t stuck_zeroes = 0;  ///< bits that are always 0
  bool again = false;              ///< stored_wrong: later stores went wrong as well
  std::uint64_t other = 0;         ///< aliased: the number of the word whose cell it is

  /// "stuck at 1 in the bits 0x100", "stored wrong", ...
  std::string text() const;
};

/// What three readings of a word tell: as it stood, after its complement was written, after its right value was.
WordFault classify(const kernels::WrongWord& word, std::uint64_t expected, std::uint64_t as_it_stood,
                   std::uint64_t after_complement, std::uint64_t after_right_value);

class FaultExamination {
 public:
  /// Session and run are open and outlive the examination.
  FaultExamination(KernelSession& session, const PatternRun& run) : session_(session), run_(run) {}

  /// Words that differ from `content`, which the memory is to hold. Overwrites them. Where a step fails, its status is
  /// returned and `faults` has all words, unsettled.
  CudaStatus examine(const std::vector<kernels::WrongWord>& wrong, const PatternRun::Content& content,
                     std::vector<WordFault>* faults);
  /// Whether more than twice the L2 cache went by before each reading.
  bool past_the_cache() const { return past_the_cache_; }

 private:
  using Values = std::vector<std::uint64_t>;

  CudaStatus prepare(std::size_t words);
  CudaStatus write(const Values& numbers, const Values& values);
  CudaStatus read(const Values& numbers, Values* values);
  CudaStatus find_aliases(const PatternRun::Content& content, const Values& found, std::vector<WordFault>* faults);

  KernelSession& session_;
  const PatternRun& run_;
  DeviceMemory probes_;
  DeviceMemory walk_;
  bool past_the_cache_ = false;
};

}  // namespace cutopsy
