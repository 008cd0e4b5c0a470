#include <array>
#include <span>

#include "validators/checks/checks.h"
#include "validators/job_switch.h"

namespace cutopsy {

namespace {

// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html
constexpr std::array kSwitches = {
    JobSwitch{"NCCL_P2P_DISABLE", "", "keeps GPUs from copying to each other directly"},
    JobSwitch{"NCCL_P2P_LEVEL", "LOC", "keeps GPUs from copying to each other directly"},
    JobSwitch{"NCCL_P2P_LEVEL", "0", "keeps GPUs from copying to each other directly"},
    JobSwitch{"NCCL_SHM_DISABLE", "", "sends what could pass through shared memory over the network"},
    JobSwitch{"NCCL_NVLS_ENABLE", "0", "leaves the reduction in NVLink switches unused"},
    // the rest matters where there is InfiniBand or RoCE
    JobSwitch{"NCCL_IB_DISABLE", "", "sends over TCP although there is InfiniBand or RoCE"},
    JobSwitch{"NCCL_NET", "Socket", "sends over TCP although there is InfiniBand or RoCE"},
    JobSwitch{"NCCL_NET_GDR_LEVEL", "LOC", "copies through the host's memory before it sends"},
};
constexpr std::size_t kWithoutInfiniband = 5;

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"nccl_p2p_disable", "the variable's value, if the log tells it"},
    Parameter{"nccl_shm_disable", "the variable's value, if the log tells it"},
    Parameter{"nccl_ib_disable", "the variable's value, if the log tells it"},
};

Answer ask(const Inquiry& inquiry) {
  const bool infiniband = !inquiry.host.list("/sys/class/infiniband").empty();
  const std::span<const JobSwitch> switches(kSwitches);
  return ask_switches(Job::find(inquiry.host, inquiry.parameters),
                      infiniband ? switches : switches.first(kWithoutInfiniband),
                      "Unset it unless this machine needs it; NCCL chooses the fastest way that works.");
}

}  // namespace

extern const Check kNcclEnv = {
    .name = "nccl-env",
    .question = "Does the job's environment switch off one of NCCL's ways between GPUs?",
    .decision = "yes when a variable switches off peer copies, shared memory or, where the machine has it, InfiniBand",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
