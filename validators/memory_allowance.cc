#include "validators/memory_allowance.h"

#include <cstddef>

#include "validators/surroundings.h"

namespace cutopsy {

CudaStatus measure(const CudaContext& context, const Host& host, MemoryAllowance* allowance) {
  std::size_t free = 0;
  std::size_t total = 0;
  if (CudaStatus status = context.cuda().cuMemGetInfo_v2(&free, &total); !status.ok()) return status;
  int integrated = 0;
  CudaStatus status = context.attribute(cuda::DeviceAttribute::integrated, &integrated);
  if (!status.ok()) return status;
  *allowance = {.free_bytes = free, .total_bytes = total, .usable_bytes = free / 10 * 9, .why_less = ""};
  if (integrated != 0) allowance->why_less = "the device's memory is the host's";
  if (in_wsl(host)) allowance->why_less = "WSL promises more memory than there is";
  if (!allowance->why_less.empty()) allowance->usable_bytes = free / 10;
  return status;
}

}  // namespace cutopsy
