#include <algorithm>
#include <array>
#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/checks/under_load.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"xid", "the number that the log has; any when absent", Form::number}};

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 2> kMemory = {"memory-pattern", "sm-memory"};
constexpr std::array<std::string_view, 2> kBus = {"copy-integrity", "sdc-gemm"};
constexpr std::array<std::string_view, 2> kLinks = {"p2p-integrity", "collective-smoke"};
constexpr std::array<std::string_view, 3> kEngines = {"sm-sweep", "sdc-gemm", "memory-pattern"};
constexpr std::array<std::string_view, 4> kAny = {"memory-pattern", "copy-integrity", "sm-sweep", "sdc-gemm"};

// Which load uses what an Xid is about. https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html
struct Stress {
  int from, to;
  Names loads;
};

constexpr Stress kStresses[] = {
    {38, 38, kBus},      {48, 48, kMemory},  {54, 54, kBus},      {63, 64, kMemory},
    {74, 74, kLinks},    {79, 79, kBus},     {92, 92, kMemory},   {94, 95, kMemory},
    {140, 140, kMemory}, {144, 150, kLinks}, {158, 161, kMemory}, {171, 172, kMemory},
};

// A process that ends while the GPU works for it leaves these, whatever ended it.
constexpr std::array kOfAnEnd = {43, 45};

Names loads_for(const Parameters& parameters) {
  const auto xid = parameters.number("xid", 1, 999);
  if (!xid) return kAny;
  const auto* const stress = std::find_if(std::begin(kStresses), std::end(kStresses),
                                          [&](const Stress& row) { return row.from <= *xid && *xid <= row.to; });
  return stress == std::end(kStresses) ? Names(kEngines) : stress->loads;
}

Answer ask(const Inquiry& inquiry) {
  const LoadRecord& record = *inquiry.record;
  const auto wanted = inquiry.parameters.number("xid", 1, 999);
  const SeenXid* other = nullptr;
  for (const SeenXid& seen : record.xids) {
    const bool counts =
        wanted ? seen.number == *wanted : std::find(kOfAnEnd.begin(), kOfAnEnd.end(), seen.number) == kOfAnEnd.end();
    if (!counts) other = &seen;
    if (!counts) continue;
    return Answer::yes("Xid " + std::to_string(seen.number) + " came while the GPU was loaded: " + seen.source,
                       "cutopsy explain 'Xid " + std::to_string(seen.number) + "' says what it means and what to do.")
        .with("xid", std::to_string(seen.number));
  }
  const std::string what = wanted ? "Xid " + std::to_string(*wanted) : std::string("an Xid");
  if (other) {
    return Answer::undecided("not " + what + ", but Xid " + std::to_string(other->number) +
                             " came while the GPU was loaded: " + other->source);
  }
  if (!record.hears_xids) {
    return Answer::could_not_run("neither NVML's events nor the kernel's log can be had here",
                                 "Run as root; in a container, with --cap-add SYSLOG and --device /dev/kmsg.");
  }
  const auto time = record.time_of(loads_for(inquiry.parameters));
  if (!time) return without_load();
  return Answer::no((wanted ? what + " did not come in " : "no Xid came in ") + load_text(*time));
}

}  // namespace

extern const Check kXidReplay = {
    .name = "xid-replay",
    .question = "Does the Xid come again when the GPU is loaded?",
    .decision =
        "yes when the kernel logs the Xid, or NVML has an event of it, during the checks that load what it is about; "
        "without a number, any Xid but 43 and 45, which follow from the end of a process; unknown when another one "
        "came",
    .check_class = CheckClass::stochastic,
    .need = Need::load_record,
    .level = Level::standard,
    .per_gpu = true,
    .parameters = kParameters,
    .blocked_by = kNeedsWorkingGpu,
    .loads = loads_for,
    .ask = ask,
};

}  // namespace cutopsy
