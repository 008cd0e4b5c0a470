#include "validators/multiprocessors.h"

#include <algorithm>

namespace cutopsy {

CudaStatus OneBlockEach::prepare() {
  const CudaContext& context = session_.context();
  int count = 0;
  int bytes = 0;
  CudaStatus status = context.attribute(cuda::DeviceAttribute::multiprocessor_count, &count);
  // More than the ordinary maximum has to be asked for, which drivers before CUDA 9 have no call for.
  const auto most = session_.cuda().cuFuncSetAttribute ? cuda::DeviceAttribute::max_shared_memory_per_block_optin
                                                       : cuda::DeviceAttribute::max_shared_memory_per_block;
  if (status.ok()) status = context.attribute(most, &bytes);
  if (!status.ok()) return status;
  multiprocessors_ = static_cast<unsigned>(std::max(count, 1));
  shared_bytes_ = static_cast<unsigned>(std::max(bytes, 0));
  spans_.resize(multiprocessors_);
  return spans_on_device_.allocate(session_.cuda(), spans_.size() * sizeof(kernels::SmSpan));
}

CudaStatus OneBlockEach::allow_shared_memory(const char* kernel) {
  const CudaDriver& cuda = session_.cuda();
  if (!cuda.cuFuncSetAttribute) return {};
  cuda::Function function = nullptr;
  if (CudaStatus status = session_.module().find(kernel, &function); !status.ok()) return status;
  return cuda.cuFuncSetAttribute(function, cuda::FunctionAttribute::max_dynamic_shared_bytes,
                                 static_cast<int>(shared_bytes_));
}

void SmLedger::add_run(std::span<const kernels::SmSpan> spans, const std::vector<bool>& wrong) {
  ++runs_;
  const auto together = 2 * static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), true)) > wrong.size();
  wrong_together_ += together ? 1 : 0;
  std::set<unsigned> erred;
  for (std::size_t block = 0; block < spans.size(); ++block) {
    const kernels::SmSpan& span = spans[block];
    const bool placed = span.begin == span.end && span.begin != ~0U;
    if (placed) seen_.insert(span.begin);
    if (!wrong[block] || together) continue;
    if (placed) {
      erred.insert(span.begin);
    } else {
      ++unplaced_;
    }
  }
  for (const unsigned sm : erred) ++erred_[sm];
}

std::vector<unsigned> SmLedger::erred_at_least(unsigned runs) const {
  std::vector<unsigned> numbers;
  for (const auto& [sm, times] : erred_) {
    if (times >= runs) numbers.push_back(sm);
  }
  return numbers;
}

std::string wrong_together_text(const SmLedger& ledger, const std::string& what) {
  return "more than half of the multiprocessors " + what + " in " + std::to_string(ledger.wrong_together()) + " of " +
         std::to_string(ledger.runs()) +
         " runs: what they have in common is the kernel, its compiler and its input, not this GPU's multiprocessors";
}

std::string list_of(const std::vector<unsigned>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += i + 1 == numbers.size() ? " and " : ", ";
    text += std::to_string(numbers[i]);
  }
  return text;
}

}  // namespace cutopsy
