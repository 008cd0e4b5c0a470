#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/job.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

constexpr std::string_view kVariable = "CUDA_MPS_PIPE_DIRECTORY";
constexpr std::string_view kDaemon = "nvidia-cuda-mps-control";

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"cuda_mps_pipe_directory", "the variable's value, if the log tells it"},
};

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (!job.knows(kVariable)) return job.unknown_environment();
  const auto folder = job.variable(kVariable);
  if (!folder || folder->empty()) return Answer::no(std::string(kVariable) + " is not set in " + job.name());
  const std::string seen = std::string(kVariable) + "=" + *folder;
  // The daemon's socket: https://docs.nvidia.com/deploy/mps/
  const bool has_socket = inquiry.host.exists(job.root() + *folder + "/control");
  const auto daemon = find_process(inquiry.host, kDaemon);
  if (!has_socket) {
    return Answer::yes(seen + ", and no MPS daemon has its socket there",
                       "Start nvidia-cuda-mps-control with that folder, or unset the variable.");
  }
  if (daemon) return Answer::no(seen + ", where process " + std::to_string(daemon->pid) + " serves");
  if (shows_all_processes(inquiry.host)) {
    return Answer::yes(seen + " holds a socket that no MPS daemon serves any more",
                       "Start nvidia-cuda-mps-control again, or unset the variable.");
  }
  return Answer::undecided(seen + " holds a socket; the daemon's process cannot be seen from here");
}

}  // namespace

extern const Check kMpsEnv = {
    .name = "mps-env",
    .question = "Does the job look for an MPS server that is not there?",
    .decision =
        "yes when CUDA_MPS_PIPE_DIRECTORY names a folder without the daemon's socket or all processes are seen "
        "and none is the daemon",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
