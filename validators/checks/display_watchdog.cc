#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/cuda_driver.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 2> kBlockedBy = {"driver-runtime", "device-visibility"};

Answer ask(const Inquiry& inquiry) {
  const CudaDriver& cuda = *inquiry.cuda;
  int limited = 0;
  CudaStatus status = cuda.cuInit(0);
  if (status.ok()) status = cuda.cuDeviceGetAttribute(&limited, cuda::DeviceAttribute::kernel_exec_timeout, 0);
  if (!status.ok()) return Answer::could_not_run(status.text());
  if (limited == 0) return Answer::no("kernels may run as long as they like on this GPU");
  return Answer::yes("the driver limits how long a kernel may run, since a display hangs on this GPU",
                     "Compute on a GPU without a display, or stop the graphical session for long kernels.");
}

}  // namespace

extern const Check kDisplayWatchdog = {
    .name = "display-watchdog",
    .question = "Does a display's watchdog end long kernels on this GPU?",
    .decision =
        "yes when CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT is set; so on every desktop, so it is asked only of "
        "what a log says",
    .check_class = CheckClass::state,
    .need = Need::context,
    .per_gpu = true,
    .blocked_by = kBlockedBy,
    .on_request = true,
    .ask = ask,
};

}  // namespace cutopsy
