#include "validators/check.h"

namespace cutopsy {

std::string_view to_string(CheckClass check_class) {
  static constexpr std::string_view kNames[] = {"state", "transient", "stochastic"};
  return kNames[static_cast<int>(check_class)];
}

std::string_view to_string(Need need) {
  static constexpr std::string_view kNames[] = {"nothing", "nvml", "context", "idle_gpu", "two_gpus"};
  return kNames[static_cast<int>(need)];
}

std::string_view to_string(Level level) {
  static constexpr std::string_view kNames[] = {"quick", "standard", "thorough"};
  return kNames[static_cast<int>(level)];
}

}  // namespace cutopsy
