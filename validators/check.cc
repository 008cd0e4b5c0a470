#include "validators/check.h"

namespace cutopsy {

std::string_view to_string(CheckClass check_class) {
  static constexpr std::string_view kNames[] = {"state", "transient", "stochastic"};
  return kNames[static_cast<int>(check_class)];
}

std::string_view to_string(Need need) {
  static constexpr std::string_view kNames[] = {"nothing", "nvml", "context", "idle_gpu", "two_gpus", "load_record"};
  return kNames[static_cast<int>(need)];
}

std::string_view to_string(Level level) {
  static constexpr std::string_view kNames[] = {"quick", "standard", "thorough"};
  return kNames[static_cast<int>(level)];
}

std::string malformed(const Parameters& parameters) {
  for (const Check* check : all_checks()) {
    for (const auto& [name, meaning, form] : check->parameters) {
      const auto given = parameters.values().find(name);
      if (given == parameters.values().end()) continue;
      const std::string what = std::string(name) + " '" + given->second + "' is no ";
      if (form == Form::bytes && !parameters.bytes(name, UINT64_MAX)) return what + "size; write 20 GiB";
      if (form == Form::number && !parameters.number(name, INT64_MIN, INT64_MAX)) {
        return what + "whole number; write 7";
      }
    }
  }
  return "";
}

}  // namespace cutopsy
