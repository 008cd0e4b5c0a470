#include "validators/fault_examination.h"

#include <array>

#include "kernels/word_probe.h"
#include "validators/hexadecimal.h"

namespace cutopsy {

namespace {

using kernels::Quad;
using kernels::WordProbe;

constexpr LaunchShape kShape{.grid = 256, .block = 256};
constexpr std::uint64_t kWalkedCaches = 3;  // more than twice the cache
constexpr std::uint64_t kWalkWhereUnknown = 512ULL << 20;

}  // namespace

std::string_view to_string(FaultKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"unsettled", "transient", "stored wrong", "stuck", "aliased"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string WordFault::text() const {
  switch (kind) {
    case FaultKind::unsettled:
      break;
    case FaultKind::transient:
      return "right when it was read again";
    case FaultKind::stored_wrong:
      return again ? "stored wrong again and again" : "stored wrong once";
    case FaultKind::stuck: {
      std::string text;
      if (stuck_ones != 0) text = "stuck at 1 in the bits " + hexadecimal(stuck_ones);
      if (stuck_zeroes != 0) {
        text += (text.empty() ? "stuck at 0 in the bits " : ", at 0 in the bits ") + hexadecimal(stuck_zeroes);
      }
      return text;
    }
    case FaultKind::aliased:
      return "in the same cell as offset " + hexadecimal(other * sizeof other);
  }
  return "of a kind that could not be settled";
}

WordFault classify(const kernels::WrongWord& word, std::uint64_t expected, std::uint64_t as_it_stood,
                   std::uint64_t after_complement, std::uint64_t after_right_value) {
  WordFault fault{.word = word};
  const std::uint64_t stuck = ~(after_complement ^ after_right_value);
  fault.stuck_ones = stuck & after_right_value;
  fault.stuck_zeroes = stuck & ~after_right_value;
  fault.again = after_complement != ~expected || after_right_value != expected;
  fault.kind = stuck != 0                                ? FaultKind::stuck
               : as_it_stood == expected && !fault.again ? FaultKind::transient
                                                         : FaultKind::stored_wrong;
  return fault;
}

CudaStatus FaultExamination::prepare(std::size_t words) {
  const CudaDriver& cuda = session_.cuda();
  int cache = 0;
  CudaStatus status = session_.context().attribute(cuda::DeviceAttribute::l2_cache_bytes, &cache);
  if (status.ok()) status = probes_.allocate(cuda, words * sizeof(WordProbe));
  if (!status.ok()) return status;
  const std::uint64_t wanted = cache > 0 ? kWalkedCaches * static_cast<std::uint64_t>(cache) : kWalkWhereUnknown;
  // Without room for it, the words are still read again, and the answer says that a cache may have spoken.
  past_the_cache_ = walk_.allocate(cuda, wanted / sizeof(Quad) * sizeof(Quad)).ok();
  return status;
}

CudaStatus FaultExamination::write(const Values& numbers, const Values& values) {
  std::vector<WordProbe> probes;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    probes.push_back({reinterpret_cast<std::uint64_t*>(run_.address_of(numbers[i])), values[i]});
  }
  CudaStatus status =
      session_.cuda().cuMemcpyHtoD_v2(probes_.address(), probes.data(), probes.size() * sizeof(WordProbe));
  if (!status.ok()) return status;
  return session_.run("cutopsy_write_words", kShape, probes_.pointer<WordProbe>(),
                      static_cast<std::uint32_t>(probes.size()));
}

CudaStatus FaultExamination::read(const Values& numbers, Values* values) {
  CudaStatus status;
  if (past_the_cache_) {
    status = session_.run("cutopsy_walk", kShape, walk_.pointer<Quad>(), std::uint64_t{walk_.bytes() / sizeof(Quad)});
  }
  std::vector<WordProbe> probes;
  for (const std::uint64_t number : numbers) {
    probes.push_back({reinterpret_cast<std::uint64_t*>(run_.address_of(number)), 0});
  }
  const std::size_t bytes = probes.size() * sizeof(WordProbe);
  if (status.ok()) status = session_.cuda().cuMemcpyHtoD_v2(probes_.address(), probes.data(), bytes);
  if (status.ok()) {
    status = session_.run("cutopsy_read_words", kShape, probes_.pointer<WordProbe>(),
                          static_cast<std::uint32_t>(probes.size()));
  }
  if (status.ok()) status = probes_.read(probes.data(), bytes);
  values->clear();
  for (const WordProbe& probe : probes) values->push_back(probe.value);
  return status;
}

CudaStatus FaultExamination::examine(const std::vector<kernels::WrongWord>& wrong, const PatternRun::Content& content,
                                     std::vector<WordFault>* faults) {
  Values numbers, right, complement, found;
  faults->clear();
  for (const kernels::WrongWord& word : wrong) {
    faults->push_back({.word = word});
    numbers.push_back(word.number);
    right.push_back(content.word(word.number));
    complement.push_back(~right.back());
    found.push_back(right.back() ^ word.difference);
  }
  Values as_it_stood, after_complement, after_right_value;
  CudaStatus status = prepare(numbers.size());
  if (status.ok()) status = read(numbers, &as_it_stood);
  if (status.ok()) status = write(numbers, complement);
  if (status.ok()) status = read(numbers, &after_complement);
  if (status.ok()) status = write(numbers, right);
  if (status.ok()) status = read(numbers, &after_right_value);
  if (!status.ok()) return status;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const WordFault fault = classify(wrong[i], right[i], as_it_stood[i], after_complement[i], after_right_value[i]);
    // What a cache may have answered proves a stuck bit, but neither that the cell is right nor that it is wrong.
    if (past_the_cache_ || fault.kind == FaultKind::stuck) (*faults)[i] = fault;
  }
  return content.pattern == kernels::Pattern::own_address ? find_aliases(content, found, faults) : status;
}

// A word that held another one's number: does writing the other one change it?
CudaStatus FaultExamination::find_aliases(const PatternRun::Content& content, const Values& found,
                                          std::vector<WordFault>* faults) {
  std::vector<std::size_t> suspects;
  Values numbers, others, written, seen;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::uint64_t other = found[i] ^ content.flip;
    if (other >= run_.words() || other == (*faults)[i].word.number) continue;
    suspects.push_back(i);
    numbers.push_back((*faults)[i].word.number);
    others.push_back(other);
    written.push_back(~content.word(other));
  }
  if (suspects.empty()) return {};
  CudaStatus status = write(others, written);
  if (status.ok()) status = read(numbers, &seen);
  for (std::size_t k = 0; k < suspects.size() && status.ok(); ++k) {
    if (seen[k] != written[k]) continue;
    (*faults)[suspects[k]].kind = FaultKind::aliased;
    (*faults)[suspects[k]].other = others[k];
  }
  return status;
}

}  // namespace cutopsy
