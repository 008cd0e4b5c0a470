#include <cstdint>
#include <string>

#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr const char* kControllers = "/sys/devices/system/edac/mc";

Answer ask(const Inquiry& inquiry) {
  std::uint64_t uncorrected = 0, corrected = 0;
  unsigned controllers = 0;
  for (const std::string& name : inquiry.host.list(kControllers)) {
    const std::string folder = std::string(kControllers) + "/" + name;
    const auto ue = inquiry.host.number(folder + "/ue_count");
    const auto ce = inquiry.host.number(folder + "/ce_count");
    if (!ue || !ce) continue;
    ++controllers;
    uncorrected += *ue;
    corrected += *ce;
  }
  if (controllers == 0) return Answer::not_applicable("no driver counts the errors of the host's memory (EDAC)");
  const std::string seen = std::to_string(uncorrected) + " uncorrected and " + std::to_string(corrected) +
                           " corrected errors of host memory since boot";
  Answer answer = Answer::no(seen);
  if (uncorrected > 0) {
    answer = Answer::yes(seen, "Replace the memory module that the kernel log names (EDAC lines).");
  } else if (corrected > 0) {
    answer = Answer::undecided(seen + "; corrected ones harm nothing as long as they stay few");
  }
  return std::move(answer)
      .with("uncorrected_errors", std::to_string(uncorrected))
      .with("corrected_errors", std::to_string(corrected));
}

}  // namespace

extern const Check kEdac = {
    .name = "edac",
    .question = "Has the host's memory had uncorrectable errors?",
    .decision = "yes when the sum of ue_count over the memory controllers is above 0; unknown when only ce_count is",
    .check_class = CheckClass::transient,
    .ask = ask,
};

}  // namespace cutopsy
