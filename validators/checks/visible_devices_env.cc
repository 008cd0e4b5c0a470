#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"cuda_visible_devices", "the variable's value, if the log tells it; may be empty"},
    Parameter{"nvidia_visible_devices", "the variable's value, if the log tells it"},
    Parameter{"cuda_device_order", "the variable's value, if the log tells it"},
};

struct Devices {
  std::size_t count = 0;           // 0 when the driver's list cannot be seen or MIG makes other devices of them
  std::vector<std::string> uuids;  // empty when not all are known
};

Devices listed_devices(const Host& host) {
  constexpr std::string_view kKey = "GPU UUID:";
  Devices devices;
  for (const std::string& gpu : host.list("/proc/driver/nvidia/capabilities")) {
    if (!host.list("/proc/driver/nvidia/capabilities/" + gpu + "/mig").empty() && gpu != "mig") return {};
  }
  const std::vector<std::string> addresses = host.list("/proc/driver/nvidia/gpus");
  devices.count = addresses.size();
  for (const std::string& address : addresses) {
    const std::string text = host.read("/proc/driver/nvidia/gpus/" + address + "/information").value_or("");
    const std::size_t key = text.find(kKey);
    const std::size_t from = key == std::string::npos ? key : text.find_first_not_of(" \t", key + kKey.size());
    const std::string uuid = from == std::string::npos ? "" : text.substr(from, text.find_first_of(" \n", from) - from);
    if (uuid.empty() || uuid.find('?') != std::string::npos) return {devices.count, {}};
    devices.uuids.push_back(uuid);
  }
  return devices;
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    std::string_view word = list.substr(at, comma - at);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    words.emplace_back(word);
    at = comma + 1;
  }
  return words;
}

bool has_prefix_in(const std::vector<std::string>& uuids, const std::string& prefix) {
  return std::any_of(uuids.begin(), uuids.end(), [&](const std::string& uuid) { return uuid.starts_with(prefix); });
}

// What is wrong with one word of the list; "" for nothing. `ends` is set where the list ends on purpose.
std::string fault_of(const std::string& word, bool first, const Devices& devices, bool* ends) {
  if (word.starts_with("GPU-") || word.starts_with("MIG-GPU-")) {
    const bool absent = word.starts_with("GPU-") && !devices.uuids.empty() && !has_prefix_in(devices.uuids, word);
    return absent ? "\"" + word + "\" is no GPU of this machine" : "";
  }
  if (word.starts_with("MIG-")) return "";
  long number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc()) return "\"" + word + "\" is neither an index nor a UUID";
  if (number < 0) {
    *ends = true;
    return first ? "it begins with " + word + ", which hides every GPU" : "";
  }
  if (end != word.data() + word.size()) {
    return "of \"" + word + "\" CUDA reads only the " + std::to_string(number) +
           "; ranges and names are not understood";
  }
  if (devices.count > 0 && static_cast<std::size_t>(number) >= devices.count) {
    return "this machine has no GPU " + word + ", only 0 to " + std::to_string(devices.count - 1);
  }
  return "";
}

// https://docs.nvidia.com/cuda/cuda-c-programming-guide/#env-vars; repeated and mixed words as PyTorch's
// torch/cuda/__init__.py describes what CUDA does.
std::string list_fault(const std::string& list, const Devices& devices) {
  if (list.find_first_not_of(' ') == std::string::npos) return "it is empty, which hides every GPU";
  std::set<std::string> seen;
  bool names_uuids = false;
  bool names_indices = false;
  bool first = true;
  for (const std::string& word : split_list(list)) {
    bool ends = false;
    if (std::string fault = fault_of(word, first, devices, &ends); !fault.empty()) return fault;
    if (ends) break;
    first = false;
    if (!seen.insert(word).second) return "it names " + word + " twice, which hides every GPU";
    (std::isdigit(static_cast<unsigned char>(word[0])) ? names_indices : names_uuids) = true;
    if (names_uuids && names_indices) return "it mixes indices and UUIDs: what follows the change is hidden";
  }
  return "";
}

// void hides the GPUs from the container toolkit's old hook; with device nodes present another way gave them.
std::string container_fault(const Host& host, const Job& job) {
  const auto value = job.variable("NVIDIA_VISIBLE_DEVICES");
  if (!value || (*value != "void" && *value != "none" && !value->empty())) return "";
  for (const std::string& node : host.list(job.root() + "/dev")) {
    if (node.starts_with("nvidia") && node.size() > 6 && std::isdigit(static_cast<unsigned char>(node[6]))) return "";
  }
  return "NVIDIA_VISIBLE_DEVICES=" + *value + " gave this container no GPU";
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  if (!job.knows("CUDA_VISIBLE_DEVICES")) return job.unknown_environment();
  const auto list = job.variable("CUDA_VISIBLE_DEVICES");
  if (list) {
    if (const std::string fault = list_fault(*list, listed_devices(inquiry.host)); !fault.empty()) {
      return Answer::yes("CUDA_VISIBLE_DEVICES=" + *list + " in " + job.name() + ": " + fault,
                         "Unset it, or list indices (0,1) or UUIDs as nvidia-smi -L prints them.")
          .with("CUDA_VISIBLE_DEVICES", *list);
    }
  }
  if (std::string fault = container_fault(inquiry.host, job); !fault.empty()) {
    return Answer::yes(std::move(fault), "Start the container with --gpus all, or set the variable to all.");
  }
  const auto order = job.variable("CUDA_DEVICE_ORDER");
  if (order && !order->empty() && *order != "FASTEST_FIRST" && *order != "PCI_BUS_ID") {
    return Answer::yes("CUDA_DEVICE_ORDER=" + *order + " is no order that CUDA knows, so indices may mean other GPUs",
                       "Set it to PCI_BUS_ID.");
  }
  if (!list) return Answer::no("CUDA_VISIBLE_DEVICES is not set in " + job.name() + ", so it hides no GPU");
  return Answer::no("CUDA_VISIBLE_DEVICES=" + *list + " in " + job.name() + " is well formed")
      .with("CUDA_VISIBLE_DEVICES", *list);
}

}  // namespace

extern const Check kVisibleDevicesEnv = {
    .name = "visible-devices-env",
    .question = "Does the job's environment hide GPUs from it?",
    .decision =
        "yes when CUDA_VISIBLE_DEVICES is empty, begins with -1, is malformed or names what is not here, when "
        "NVIDIA_VISIBLE_DEVICES is void and no device node is there, or CUDA_DEVICE_ORDER is unknown to CUDA",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
