#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/cuda_driver.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 2> kBlockedBy = {"driver-runtime", "device-visibility"};

// A multicast team of all devices; nothing is bound to it.
CudaStatus make_team(const CudaDriver& cuda, int devices) {
  cuda::MulticastProperties properties{};
  properties.devices = static_cast<unsigned>(devices);
  if (CudaStatus status = cuda.cuMulticastGetGranularity(&properties.bytes, &properties, 0); !status.ok()) {
    return status;
  }
  cuda::MemoryHandle team = 0;
  CudaStatus status = cuda.cuMulticastCreate(&team, &properties);
  if (!status.ok()) return status;
  for (int device = 0; device < devices && status.ok(); ++device) status = cuda.cuMulticastAddDevice(team, device);
  cuda.cuMemRelease(team);
  return status;
}

Answer ask(const Inquiry& inquiry) {
  const CudaDriver& cuda = *inquiry.cuda;
  int devices = 0;
  CudaStatus status = cuda.cuInit(0);
  if (status.ok()) status = cuda.cuDeviceGetCount(&devices);
  if (!status.ok()) return Answer::could_not_run(status.text());
  if (devices < 2) return Answer::not_applicable("CUDA sees only one GPU");
  for (int device = 0; device < devices; ++device) {
    int supported = 0;
    status = cuda.cuDeviceGetAttribute(&supported, cuda::DeviceAttribute::multicast_supported, device);
    if (status.code == cuda::kInvalidValue) return Answer::not_applicable("the driver is older than multicast");
    if (!status.ok()) return Answer::could_not_run(status.text());
    if (!supported) return Answer::not_applicable("device " + std::to_string(device) + " has no multicast");
  }
  status = make_team(cuda, devices);
  const std::string team = "a multicast team of " + std::to_string(devices) + " GPUs";
  if (status.ok()) return Answer::no(team + " could be made");
  return Answer::yes("every GPU has multicast, but " + team + " could not be made: " + status.text(),
                     "Run cutopsy check fabric-ready; restart the fabric manager; NCCL_NVLS_ENABLE=0 avoids it.")
      .with("error", std::to_string(status.code));
}

}  // namespace

extern const Check kMulticast = {
    .name = "multicast",
    .question = "Is NVSwitch multicast (NVLS) supported but not working?",
    .decision =
        "yes when every device has multicast and a team of all of them cannot be made; binding memory to it and "
        "reducing through it are not tried",
    .check_class = CheckClass::transient,
    .need = Need::context,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
