#include <algorithm>
#include <string>
#include <vector>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/nvlink.h"

namespace cutopsy {

namespace {

using Links = std::vector<bool>;

// The links of the other GPUs of this model, as far as they can be read.
std::vector<Links> links_of_peers(const Inquiry& inquiry) {
  std::vector<Links> peers;
  for (const Gpu& gpu : inquiry.nvml->gpus()) {
    if (gpu.index == inquiry.gpu.index || gpu.name.empty() || gpu.name != inquiry.gpu.name) continue;
    const auto device = inquiry.nvml->device(gpu);
    if (!device.ok()) continue;
    if (auto links = active_nvlinks(*inquiry.nvml, device.value); links.ok()) peers.push_back(std::move(links.value));
  }
  return peers;
}

bool active_on_all(const std::vector<Links>& peers, std::size_t link) {
  return !peers.empty() && std::all_of(peers.begin(), peers.end(),
                                       [&](const Links& links) { return link < links.size() && links[link]; });
}

void append(std::string* list, std::size_t link) {
  *list += (list->empty() ? "" : ",") + std::to_string(link);
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  const auto links = active_nvlinks(nvml, device);
  if (!links.ok()) return unanswered(links.status);
  if (links.value.empty()) return Answer::not_applicable("this GPU has no NVLink");
  if (nvml.mig_enabled(device)) return Answer::not_applicable("the GPU is divided (MIG): its NVLinks rest");
  const std::vector<Links> peers = links_of_peers(inquiry);
  std::string down;
  std::string unexplained;
  for (std::size_t link = 0; link < links.value.size(); ++link) {
    if (links.value[link]) continue;
    NvmlPciInfo remote{};
    const bool has_end = nvml.DeviceGetNvLinkRemotePciInfo_v2(device, static_cast<unsigned>(link), &remote).ok();
    append(has_end || active_on_all(peers, link) ? &down : &unexplained, link);
  }
  const auto active = std::count(links.value.begin(), links.value.end(), true);
  const std::string seen = std::to_string(active) + " of " + std::to_string(links.value.size()) + " NVLinks are active";
  Answer answer = Answer::no(seen);
  if (!down.empty()) {
    answer =
        Answer::yes(seen + "; down: " + down,
                    "Read the kernel log for Xid 74 or 149; reset the GPU with its NVSwitches; check the bridge or "
                    "cable.");
  } else if (active == 0 && peers.empty()) {
    answer = Answer::not_applicable("no NVLink is in use: no bridge or fabric is fitted, or all links are down");
  } else if (!unexplained.empty() && !peers.empty()) {
    answer = Answer::no(seen + ", as on the other GPUs of this model");
  } else if (!unexplained.empty()) {
    answer = Answer::undecided(seen + "; whether the others are meant to be cannot be told from one GPU");
  }
  return std::move(answer).with("active", std::to_string(active)).with("down", down);
}

}  // namespace

extern const Check kNvlinkLinks = {
    .name = "nvlink-links",
    .question = "Is one of the GPU's NVLinks down?",
    .decision =
        "yes when an inactive link has a remote end, or is active on every other GPU of this model here; "
        "unknown for inactive links on a single GPU, since boards leave some unconnected",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
