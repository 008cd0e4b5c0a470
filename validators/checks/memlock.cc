#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "validators/checks/checks.h"
#include "validators/processes.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"needed", "bytes that the process wants to lock; without it a finite limit is no yes", Form::bytes},
    Parameter{"pid", "the process; our own when absent"}};

constexpr const char* kAdvice =
    "Raise it: ulimit -l unlimited, --ulimit memlock=-1 for a container, LimitMEMLOCK=infinity for a service, "
    "PropagateResourceLimitsExcept=MEMLOCK for Slurm.";

constexpr unsigned kCapIpcLock = 14;  // CAP_IPC_LOCK: include/uapi/linux/capability.h

// The text behind the first line that starts with `name`.
std::optional<std::string> row(const std::optional<std::string>& text, std::string_view name) {
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return line.substr(name.size());
  }
  return std::nullopt;
}

// Whether the limit does not bind: the right to lock memory, held in the machine's own user namespace.
bool is_exempt(const Host& host, const std::string& process) {
  const auto users = host.read(process + "/uid_map");
  const auto rights = row(host.read(process + "/status"), "CapEff:\t");
  if (!users || !rights) return false;
  std::istringstream map(*users);
  std::uint64_t inside = 1, outside = 1, count = 0;
  map >> inside >> outside >> count;
  if (inside != 0 || outside != 0 || count != 0xffffffff) return false;
  std::uint64_t mask = 0;
  std::from_chars(rights->data(), rights->data() + rights->size(), mask, 16);
  return (mask >> kCapIpcLock & 1) != 0;
}

Answer ask(const Inquiry& inquiry) {
  const auto process = process_folder(inquiry.host, inquiry.parameters);
  if (!process) return without_process(inquiry.host, inquiry.parameters);
  // "Max locked memory         8388608              8388608              bytes"
  const auto limits = row(inquiry.host.read(*process + "/limits"), "Max locked memory");
  std::string soft;
  if (!limits || !(std::istringstream(*limits) >> soft)) {
    return Answer::could_not_run(*process + "/limits cannot be read", "Run as the owner of the process or as root.");
  }
  std::uint64_t bytes = 0;
  const bool finite = std::from_chars(soft.data(), soft.data() + soft.size(), bytes).ec == std::errc();
  if (!finite) return Answer::no("the process may lock memory without limit").with("soft_limit", soft);
  const std::string seen = "the process may lock " + size_text(bytes);
  if (is_exempt(inquiry.host, *process)) {
    return Answer::no(seen + ", but its rights (CAP_IPC_LOCK) exempt it").with("soft_limit_bytes", soft);
  }
  const auto needed = inquiry.parameters.bytes("needed", 1ULL << 50);
  Answer answer =
      Answer::undecided(seen + ": enough for CUDA, seldom for RDMA, which locks what it registers", kAdvice);
  if (needed && bytes < *needed) {
    answer = Answer::yes(seen + ", less than the " + size_text(*needed) + " needed", kAdvice);
  } else if (needed) {
    answer = Answer::no(seen);
  }
  return std::move(answer).with("soft_limit_bytes", soft);
}

}  // namespace

extern const Check kMemlock = {
    .name = "memlock",
    .question = "Is the limit of locked memory too low?",
    .decision =
        "yes when RLIMIT_MEMLOCK is below needed and CAP_IPC_LOCK is not held; no without a limit; else unknown: "
        "the limit binds RDMA, not CUDA's pinned memory",
    .check_class = CheckClass::transient,  // each process has its own
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
