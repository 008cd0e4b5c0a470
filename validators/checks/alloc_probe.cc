#include <array>

#include "validators/checks/checks.h"
#include "validators/memory_allowance.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {Parameter{
    "size", "bytes that the job asked for; without it, all that may be taken of the free memory", Form::bytes}};

Answer with_sizes(Answer answer, const MemoryAllowance& allowance, std::uint64_t size) {
  return std::move(answer)
      .with("asked_bytes", std::to_string(size))
      .with("free_bytes", std::to_string(allowance.free_bytes))
      .with("total_bytes", std::to_string(allowance.total_bytes));
}

// Takes the memory and writes all of it: some systems promise more than they have.
Answer probe(const CudaContext& context, std::uint64_t size, const std::string& seen) {
  DeviceMemory memory;
  const CudaStatus status = memory.allocate(context.cuda(), size);
  if (status.code == cuda::kOutOfMemory) {
    return Answer::yes(seen + ", yet " + size_text(size) + " cannot be had in one piece",
                       "Restart the processes that hold memory on this GPU.");
  }
  if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  CudaStatus touched = memory.set(0);
  if (touched.ok()) touched = context.synchronise();
  if (!touched.ok()) {
    return Answer::yes(size_text(size) + " could be had but not written: " + touched.text(),
                       "Run cutopsy check context-smoke and memory-pattern.");
  }
  return Answer::no(seen + "; " + size_text(size) + " could be had and written");
}

Answer ask(const Inquiry& inquiry) {
  CudaContext context(*inquiry.cuda);
  MemoryAllowance allowance;
  CudaStatus status = context.open();
  if (status.ok()) status = measure(context, inquiry.host, &allowance);
  if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  const std::uint64_t size = inquiry.parameters.bytes("size", UINT64_MAX).value_or(allowance.usable_bytes);
  const std::string seen =
      size_text(allowance.free_bytes) + " of " + size_text(allowance.total_bytes) + " of GPU memory are free";
  if (size == 0) return with_sizes(Answer::undecided(seen + "; nothing was asked for"), allowance, size);
  if (size > allowance.free_bytes) {
    return with_sizes(Answer::yes(seen + ", less than the " + size_text(size) + " asked for",
                                  "Ask for less (batch size, sequence length), or end what else holds memory: cutopsy "
                                  "check memory-holder."),
                      allowance, size);
  }
  if (size > allowance.usable_bytes) {
    const std::string why =
        allowance.why_less.empty() ? "too little would be left for others" : std::string(allowance.why_less);
    return with_sizes(Answer::undecided(seen + "; " + size_text(size) + " were not tried: " + why), allowance, size);
  }
  return with_sizes(probe(context, size, seen), allowance, size);
}

}  // namespace

extern const Check kAllocProbe = {
    .name = "alloc-probe",
    .question = "Is there too little free GPU memory for what was asked for?",
    .decision =
        "yes when less is free than asked for, or when it cannot be allocated and written; no when both work; unknown "
        "above 90% of what is free (10% on integrated devices and in WSL), which is not tried",
    .check_class = CheckClass::transient,
    .need = Need::context,
    .per_gpu = true,
    .deadline = std::chrono::seconds(30),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
