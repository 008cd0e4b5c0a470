#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "validators/checks/checks.h"
#include "validators/kernel_log.h"
#include "validators/pci_devices.h"
#include "validators/xid_line.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"xid", "the number asked for; when absent, any that speaks of the GPU rather than of a program",
              Form::number},
    Parameter{"pci", "the PCI address of a GPU; all GPUs when absent"}};

// Xids that the hardware, its firmware or its links cause, and that no program can: memory, power, bus, NVLink, GSP.
// https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html
constexpr std::array kOfTheGpu = {48,  54,  62,  63,  64,  74,  79,  92,  94,  95,  110, 119, 120, 136,
                                  140, 143, 157, 158, 160, 161, 165, 167, 168, 169, 171, 172, 173, 175};

bool is_of_the_gpu(int number) {
  return std::find(kOfTheGpu.begin(), kOfTheGpu.end(), number) != kOfTheGpu.end();
}

std::string listed(const std::set<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

Answer ask(const Inquiry& inquiry) {
  const auto log = read_kernel_log(inquiry.host);
  if (!log) return without_kernel_log();
  const auto wanted = inquiry.parameters.number("xid", 1, 999);
  const std::string address = pci_address(inquiry.parameters.text("pci").value_or(""));
  KernelLogHits hits;
  std::set<int> numbers, others;
  for (const std::string& line : log->lines) {
    const auto xid = xid_in(line);
    if (!xid || (!address.empty() && xid->address != address)) continue;
    if (wanted ? xid->number != *wanted : !is_of_the_gpu(xid->number)) {
      others.insert(xid->number);
      continue;
    }
    numbers.insert(xid->number);
    hits.add(line);
  }
  if (hits.count > 0) {
    return hits.measured(Answer::yes("the kernel has logged Xid " + listed(numbers) + ": " + hits.last,
                                     "cutopsy on that log (dmesg) says what each Xid means and what to do."));
  }
  if (!others.empty() && !wanted) {
    return hits.measured(Answer::undecided("only Xids that programs can cause are logged: " + listed(others)));
  }
  const std::string seen = wanted ? "no Xid " + std::to_string(*wanted) + " in " : "no Xid in ";
  if (!log->since_boot) return hits.measured(Answer::undecided(seen + log->source + ", whose beginning is lost"));
  return hits.measured(Answer::no(seen + log->source + " since boot"));
}

}  // namespace

extern const Check kKernelLogXids = {
    .name = "kernel-log-xids",
    .question = "Has the kernel logged an Xid of a GPU since boot?",
    .decision =
        "yes when the Xid asked for, or without one any that hardware, firmware or links cause, is there; unknown "
        "without the right to read the log, when its beginning is lost, and when only programs are blamed",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
