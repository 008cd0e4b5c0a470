#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"pid", "the process; our own when absent"},
    Parameter{"pci", "the PCI address of its GPU; when absent, a GPU near any of its CPUs is enough"}};

constexpr unsigned kMostCpus = 65'536;

// Of "0-31,64-95"; what is no list of numbers ends it.
std::set<unsigned> cpus_in(const std::string& list) {
  std::set<unsigned> cpus;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    unsigned from = 0;
    const char* const end = range.data() + range.size();
    const auto [after, error] = std::from_chars(range.data(), end, from);
    if (error != std::errc()) break;
    unsigned to = from;
    if (after != end && *after == '-') std::from_chars(after + 1, end, to);
    for (unsigned cpu = from; cpu <= to && cpu < kMostCpus; ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

// https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
std::optional<std::string> allowed_cpus(const Host& host, const std::string& process) {
  static constexpr std::string_view kName = "\nCpus_allowed_list:\t";
  const auto status = host.read(process + "/status");
  const std::size_t at = status ? status->find(kName) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  const std::size_t from = at + kName.size();
  return status->substr(from, status->find('\n', from) - from);
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  auto gpus = nvidia_gpus(host);
  if (const auto printed = inquiry.parameters.text("pci")) {
    std::erase_if(gpus, [&](const PciDevice& gpu) { return gpu.address != pci_address(*printed); });
  }
  if (gpus.empty()) return Answer::not_applicable("there is no such NVIDIA GPU on the PCI bus");
  const auto process = process_folder(host, inquiry.parameters);
  if (!process) return without_process(host, inquiry.parameters);
  const auto allowed = allowed_cpus(host, *process);
  if (!allowed) return Answer::could_not_run("the CPUs that the process may use cannot be read");
  const auto cpus = cpus_in(*allowed);
  std::string near;
  for (const PciDevice& gpu : gpus) {
    if (host.value(gpu.folder() + "/numa_node").value_or("-1") == "-1") {
      return Answer::undecided("the firmware does not say to which NUMA node GPU " + gpu.address + " belongs");
    }
    near = host.value(gpu.folder() + "/local_cpulist").value_or("");
    if (near.empty()) return Answer::undecided("no CPU is local to GPU " + gpu.address);
    for (const unsigned cpu : cpus_in(near)) {
      if (cpus.contains(cpu)) return Answer::no("the process may use CPUs near GPU " + gpu.address);
    }
  }
  return Answer::yes(
             "the process may use CPUs " + *allowed + ", none of them near GPU " + gpus.back().address + " (" + near +
                 ")",
             "Bind the process to the GPU's node: numactl --cpunodebind, srun --gpu-bind=closest, cpuset of the "
             "container.")
      .with("allowed_cpus", *allowed)
      .with("local_cpus", near);
}

}  // namespace

extern const Check kNumaAffinity = {
    .name = "numa-affinity",
    .question = "Is the process kept on CPUs far from its GPU?",
    .decision =
        "yes when none of the CPUs that it may use is local to the GPU named, or to any GPU; unknown when the "
        "firmware gives no NUMA node",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
