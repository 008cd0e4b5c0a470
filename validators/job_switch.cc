#include "validators/job_switch.h"

#include <strings.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace cutopsy {

namespace {

constexpr std::array kOff = {"", "0", "no", "n", "off", "false", "f"};

bool is_on(const std::string& value, const JobSwitch& entry) {
  if (!entry.value.empty()) return strcasecmp(value.c_str(), std::string(entry.value).c_str()) == 0;
  return std::none_of(kOff.begin(), kOff.end(), [&](const char* off) { return strcasecmp(value.c_str(), off) == 0; });
}

}  // namespace

Answer ask_switches(const Job& job, std::span<const JobSwitch> switches, std::string_view advice) {
  if (std::none_of(switches.begin(), switches.end(),
                   [&](const JobSwitch& entry) { return job.knows(entry.variable); })) {
    return job.unknown_environment();
  }
  std::string effects;
  std::vector<Measurement> measurements;
  for (const JobSwitch& entry : switches) {
    const auto value = job.variable(entry.variable);
    if (!value || !is_on(*value, entry)) continue;
    const std::string assignment = std::string(entry.variable) + "=" + *value;
    effects += (effects.empty() ? "" : "; ") + assignment + " " + std::string(entry.effect);
    measurements.push_back({std::string(entry.variable), *value});
  }
  Answer answer = effects.empty() ? Answer::no("none of these variables is on in " + job.name())
                                  : Answer::yes(effects, std::string(advice));
  answer.measurements = std::move(measurements);
  return answer;
}

}  // namespace cutopsy
