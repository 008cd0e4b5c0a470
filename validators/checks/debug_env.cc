#include <array>

#include "validators/checks/checks.h"
#include "validators/job_switch.h"

namespace cutopsy {

namespace {

constexpr std::array kSwitches = {
    JobSwitch{"CUDA_LAUNCH_BLOCKING", "", "makes each launch wait until its kernel is done"},
    JobSwitch{"PYTORCH_NO_CUDA_MEMORY_CACHING", "", "makes each tensor an allocation of the driver's"},
    JobSwitch{"TORCH_DISTRIBUTED_DEBUG", "DETAIL", "checks each collective with another one"},
    JobSwitch{"NCCL_DEBUG", "TRACE", "writes a line for each of NCCL's steps"},
    JobSwitch{"TORCH_NCCL_BLOCKING_WAIT", "", "makes the process wait for each collective"},
    JobSwitch{"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "",
              "writes the GPU's state to a file at an error, which can take minutes"},
};

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"cuda_launch_blocking", "the variable's value, if the log tells it"},
};

Answer ask(const Inquiry& inquiry) {
  return ask_switches(Job::find(inquiry.host, inquiry.parameters), kSwitches, "Unset it when the search is over.");
}

}  // namespace

extern const Check kDebugEnv = {
    .name = "debug-env",
    .question = "Is a switch for debugging left on that makes the job slow?",
    .decision = "yes when one of the variables of CUDA, PyTorch and NCCL that serialise or trace is on",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
