#include <array>

#include "validators/checks/checks.h"
#include "validators/job_switch.h"

namespace cutopsy {

namespace {

// https://docs.nvidia.com/cuda/cuda-c-programming-guide/#env-vars
constexpr std::array kSwitches = {
    JobSwitch{"CUDA_DISABLE_PTX_JIT", "",
              "forbids the driver to compile PTX, so code without an image for the GPU fails"},
    JobSwitch{"CUDA_DISABLE_JIT", "",
              "forbids every compilation by the driver, so code without an image for the GPU fails"},
    JobSwitch{"CUDA_FORCE_PTX_JIT", "", "ignores machine code, so code without PTX fails and the first start is slow"},
    JobSwitch{"CUDA_FORCE_JIT", "", "ignores machine code, so code without PTX fails and the first start is slow"},
};

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"cuda_disable_ptx_jit", "the variable's value, if the log tells it"},
    Parameter{"cuda_force_ptx_jit", "the variable's value, if the log tells it"},
};

Answer ask(const Inquiry& inquiry) {
  return ask_switches(Job::find(inquiry.host, inquiry.parameters), kSwitches,
                      "Unset it unless it is a test on purpose.");
}

}  // namespace

extern const Check kJitEnv = {
    .name = "jit-env",
    .question = "Does the job's environment forbid or force compilation by the driver?",
    .decision = "yes when one of CUDA's JIT variables is on",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
