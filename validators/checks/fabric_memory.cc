#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/cuda_context.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};

const char* const kAdvice =
    "Start nvidia-imex on all nodes of the domain, create an IMEX channel (nvidia-modprobe -i, "
    "/dev/nvidia-caps-imex-channels) and give it to the container; NCCL_MNNVL_ENABLE=0 avoids it.";

// The smallest piece of memory that other nodes could map.
CudaStatus make(const CudaDriver& cuda) {
  cuda::MemoryProperties properties{};
  properties.type = cuda::kMemoryPinned;
  properties.handle_types = cuda::kHandleFabric;
  properties.location_type = cuda::kLocationDevice;
  std::size_t bytes = 0;
  if (CudaStatus status = cuda.cuMemGetAllocationGranularity(&bytes, &properties, 0); !status.ok()) return status;
  cuda::MemoryHandle handle = 0;
  CudaStatus status = cuda.cuMemCreate(&handle, bytes, &properties, 0);
  if (status.ok()) cuda.cuMemRelease(handle);
  return status;
}

Answer ask(const Inquiry& inquiry) {
  CudaContext context(*inquiry.cuda);
  if (CudaStatus status = context.open(); !status.ok()) {
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }
  int supported = 0;
  const CudaStatus asked = context.attribute(cuda::DeviceAttribute::handle_type_fabric_supported, &supported);
  if (asked.code == cuda::kInvalidValue) return Answer::not_applicable("the driver is older than fabric handles");
  if (!asked.ok()) return Answer::could_not_run(asked.text());
  if (!supported) return Answer::not_applicable("the GPU's memory cannot be shared between nodes");
  const CudaStatus made = make(*inquiry.cuda);
  if (made.ok()) return Answer::no("memory that other nodes can map could be made");
  if (made.code == cuda::kNotPermitted || made.code == cuda::kNotSupported) {
    return Answer::yes("the GPU can share memory between nodes, but " + made.text(), kAdvice)
        .with("error", std::to_string(made.code));
  }
  return Answer::could_not_run(made.text());
}

}  // namespace

extern const Check kFabricMemory = {
    .name = "fabric-memory",
    .question = "Is sharing GPU memory between nodes (IMEX) supported but not working?",
    .decision =
        "yes when the device has fabric handles and making 2 MiB with one returns 800 or 801; whether another node can "
        "map it is not asked",
    .check_class = CheckClass::transient,
    .need = Need::context,
    .per_gpu = true,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
