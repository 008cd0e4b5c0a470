#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include "validators/checks/checks.h"
#include "validators/cuda_driver.h"
#include "validators/nvml.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"driver-runtime"};
constexpr std::array kParameters = {
    Parameter{"index", "the device that the job asked for, as CUDA numbers it: that of \"invalid device ordinal\"",
              Form::number}};

// What there is to be seen, without CUDA.
struct Machine {
  std::size_t gpus = 0;
  bool has_mig = false;
  std::string source;  // who tells; "" when nobody does
};

Machine known_gpus(const Host& host) {
  Machine machine;
  // A client of our own for a moment; the observer keeps the driver's state meanwhile.
  const Nvml nvml;
  if (nvml.status().ok()) {
    machine.source = "NVML";
    for (const Gpu& gpu : nvml.gpus()) {
      ++machine.gpus;
      const auto device = nvml.device(gpu);
      machine.has_mig = machine.has_mig || (device.ok() && nvml.mig_enabled(device.value));
    }
    return machine;
  }
  machine.gpus = host.list("/proc/driver/nvidia/gpus").size();
  if (machine.gpus > 0) machine.source = "the kernel module";
  return machine;
}

// "CUDA_VISIBLE_DEVICES=0,1", or that nothing is set.
std::string environment_text() {
  std::string text;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"}) {
    const char* const value = std::getenv(name);
    if (value) text += (text.empty() ? "" : ", ") + std::string(name) + "=" + value;
  }
  return text.empty() ? "CUDA_VISIBLE_DEVICES is not set" : text;
}

// Entries of CUDA_VISIBLE_DEVICES; no value when it is not set.
std::optional<std::size_t> devices_asked_for() {
  const char* const list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!list) return std::nullopt;
  const std::string_view text = list;
  if (text.empty()) return 0;
  std::size_t entries = 1;
  for (const char c : text) entries += c == ',';
  return entries;
}

std::string count_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " GPU" : " GPUs");
}

Answer decide(const Parameters& parameters, const Machine& machine, std::size_t seen) {
  const std::string sight = "CUDA sees " + count_text(seen) + ", " + machine.source + " " + count_text(machine.gpus) +
                            " (" + environment_text() + ")";
  const char* const advice =
      "Unset CUDA_VISIBLE_DEVICES or list what nvidia-smi -L shows; give the container or the scheduler's job its "
      "GPUs.";
  const auto index = parameters.number("index", -1, 1 << 20);
  if (index && (*index < 0 || static_cast<std::size_t>(*index) >= seen)) {
    return Answer::yes(sight + ": there is no device " + std::to_string(*index), advice);
  }
  const auto asked_for = devices_asked_for();
  if (seen == 0 && machine.gpus == 0) return Answer::could_not_run("there is no GPU: " + sight);
  if (seen == 0) return Answer::yes(sight, advice);
  if (machine.has_mig) return Answer::no(sight + "; with MIG a process computes on one instance");
  if (asked_for && seen < *asked_for) {
    return Answer::yes(sight + ": the list counts only up to its first wrong entry", advice);
  }
  if (!asked_for && seen < machine.gpus) {
    return Answer::yes(sight, "Run cutopsy check context-smoke and look at the kernel log: a GPU may be lost.");
  }
  return Answer::no(sight);
}

Answer ask(const Inquiry& inquiry) {
  const Machine machine = known_gpus(inquiry.host);
  int seen = 0;
  CudaStatus status = inquiry.cuda->cuInit(0);
  if (status.ok()) status = inquiry.cuda->cuDeviceGetCount(&seen);
  // Any other error is no matter of sight: checks that depend on this one find out.
  if (!status.ok() && status.code != cuda::kNoDevice) return Answer::undecided(status.text());
  if (machine.source.empty()) {
    return seen > 0 ? Answer::undecided("CUDA sees " + count_text(static_cast<std::size_t>(seen)) +
                                        ", nobody else tells how many there are")
                    : Answer::could_not_run("no GPU is found, by CUDA or by NVML (" + environment_text() + ")",
                                            "Run cutopsy check bus-presence module-loaded device-nodes.");
  }
  return decide(inquiry.parameters, machine, static_cast<std::size_t>(seen))
      .with("cuda_devices", std::to_string(seen))
      .with("gpus", std::to_string(machine.gpus));
}

}  // namespace

extern const Check kDeviceVisibility = {
    .name = "device-visibility",
    .question = "Does CUDA see fewer GPUs than there are or were asked for?",
    .decision =
        "yes when CUDA sees none though NVML knows some, fewer than CUDA_VISIBLE_DEVICES lists, fewer than NVML "
        "without "
        "that variable, or no device of the index that the log names; asked with the environment of this shell",
    .check_class = CheckClass::transient,
    .need = Need::context,
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
