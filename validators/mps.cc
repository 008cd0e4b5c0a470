#include "validators/mps.h"

#include <unistd.h>

#include <string_view>

#include "validators/processes.h"

namespace cutopsy {

namespace {

constexpr std::string_view kVariables = "CUDA_MPS_";
constexpr const char* kSocket = "/tmp/nvidia-mps/control";  // unless CUDA_MPS_PIPE_DIRECTORY says otherwise

}  // namespace

std::string signs_of_mps(const Host& host) {
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with(kVariables)) return std::string(text.substr(0, text.find('='))) + " is set";
  }
  // The kernel keeps 15 bytes of a name, so that one stands for nvidia-cuda-mps-control and nvidia-cuda-mps-server.
  if (const auto process = find_process(host, "nvidia-cuda-mps"))
    return "process " + std::to_string(process->pid) + " (" + process->name + ") runs";
  if (host.exists(kSocket)) return std::string(kSocket) + " is there";
  return "";
}

}  // namespace cutopsy
