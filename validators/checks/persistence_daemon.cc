#include <string>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

// Where systemctl enable leaves its mark.
constexpr const char* kEnabled = "/etc/systemd/system/multi-user.target.wants/nvidia-persistenced.service";

Answer ask(const Inquiry& inquiry) {
  if (!nvidia_module(inquiry.host)) return Answer::not_applicable("NVIDIA's kernel module is not loaded");
  if (const auto daemon = find_process(inquiry.host, "nvidia-persistenced")) {
    return Answer::no("nvidia-persistenced runs as process " + std::to_string(daemon->pid));
  }
  if (!shows_all_processes(inquiry.host)) {
    return Answer::could_not_run("not all processes of the machine can be seen from here");
  }
  // exists() would follow the link, out of a copy.
  if (inquiry.host.link(kEnabled)) {
    return Answer::yes("nvidia-persistenced is enabled but does not run",
                       "systemctl status nvidia-persistenced says why; start it again.");
  }
  return Answer::undecided("nvidia-persistenced does not run; the GPUs may still be set to persist (nvidia-smi -pm)");
}

}  // namespace

extern const Check kPersistenceDaemon = {
    .name = "persistence-daemon",
    .question = "Has the persistence daemon stopped?",
    .decision =
        "yes when its service is enabled and the process is not there; unknown when it was never enabled: "
        "each GPU's own persistence mode decides then",
    .check_class = CheckClass::transient,
    .ask = ask,
};

}  // namespace cutopsy
