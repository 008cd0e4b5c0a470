#include <array>
#include <cstdint>
#include <string>

#include "validators/cgroup.h"
#include "validators/checks/checks.h"
#include "validators/meminfo.h"
#include "validators/processes.h"
#include "validators/size_text.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"needed", "bytes that the job wants to pin; without it the answer is unknown", Form::bytes},
    Parameter{"pid", "the process; our own when absent"}};

Answer ask(const Inquiry& inquiry) {
  const auto process = process_folder(inquiry.host, inquiry.parameters);
  if (!process) return without_process(inquiry.host, inquiry.parameters);
  const auto memory = read_meminfo(inquiry.host);
  if (!memory) return Answer::could_not_run("/proc/meminfo cannot be read");
  std::uint64_t most = memory->available;
  std::string limit = "the machine's available memory";
  const auto levels = memory_cgroups(inquiry.host, *process);
  if (const MemoryCgroup* const level = tightest(levels); level && level->left() < most) {
    most = level->left();
    limit = "the control group";
  }
  const std::string seen = limit + " leaves " + size_text(most) + " to pin";
  const auto needed = inquiry.parameters.bytes("needed", 1ULL << 50);
  Answer answer = Answer::undecided(seen + "; whether that is enough depends on the size asked for", "Give needed.");
  if (needed && most < *needed) {
    answer = Answer::yes(seen + ", less than the " + size_text(*needed) + " needed",
                         "Pin less (pin_memory=False, smaller offload buffers) or give the job more memory.");
  } else if (needed && in_wsl(inquiry.host)) {
    answer = Answer::undecided(seen + ", but WSL lets CUDA pin only a part of it");
  } else if (needed) {
    answer = Answer::no(seen);
  }
  return std::move(answer).with("available_bytes", std::to_string(most));
}

}  // namespace

extern const Check kPinnedLimit = {
    .name = "pinned-limit",
    .question = "Is there too little host memory to pin?",
    .decision =
        "yes when the machine's available memory or what the control group leaves is below needed; swap is no "
        "help, and RLIMIT_MEMLOCK does not bind NVIDIA's driver (see memlock)",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
