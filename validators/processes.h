// The processes of a machine, from /proc: https://man7.org/linux/man-pages/man5/proc_pid_comm.5.html
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/answer.h"
#include "validators/host.h"
#include "validators/parameters.h"

namespace cutopsy {

struct Process {
  int pid = 0;
  std::string name;  ///< what the kernel keeps of it: 15 bytes, "nvidia-persiste"
};

/// By process id; without those that another user's /proc (hidepid) or a pid namespace hides.
std::vector<Process> processes(const Host& host);
/// The first whose name is what the kernel keeps of `name`.
std::optional<Process> find_process(const Host& host, std::string_view name);

/// Whether none is hidden, so that the absence of one proves something: we are in the machine's first pid namespace and
/// may look at process 1.
bool shows_all_processes(const Host& host);

/// The folder in /proc of the process that the parameter `pid` names, or our own without it; no value when it is gone,
/// and for a copy without `pid`: whose own process would that be?
std::optional<std::string> process_folder(const Host& host, const Parameters& parameters);
/// What a check answers when process_folder() has no value.
Answer without_process(const Host& host, const Parameters& parameters);

}  // namespace cutopsy
