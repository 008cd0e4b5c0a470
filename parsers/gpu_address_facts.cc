// Formats:
//   NCCL >= 2.4, src/init.cc, at NCCL_DEBUG=INFO (`nvmlDev` from 2.17 on):
//     node1:4242:4310 [3] NCCL INFO comm 0x55d0 rank 3 nranks 8 cudaDev 3 nvmlDev 3 busId 86000 commId 0x6f2c - Init
//     START node1:4242:4310 [3] NCCL INFO ncclCommSplit comm 0x55d1 rank 1 nranks 2 cudaDev 3 nvmlDev 3 busId 86000
//     parent ...
//   TensorFlow, tensorflow/core/common_runtime/gpu/gpu_device.cc:
//     Created TensorFlow device (/device:GPU:0 with ... MB memory) -> physical GPU (device: 0, name: Tesla T4, pci bus
//     id: 0000:00:1e.0, compute capability: 7.5)
//   llama.cpp, src/llama.cpp (from 2025 on):
//     llama_model_load_from_file_impl: using device CUDA0 (NVIDIA A40) (0000:3b:00.0) - 45000 MiB free
//   nvidia-smi's table.
//
// Two numberings are kept apart: CUDA's own, which CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER change from process to
// process (`gpu_pci`), and that of NVML, which nvidia-smi prints (`smi_gpu_pci`). A communicator's ranks are the job's
// only in the group of all, so `comm_gpu` names its size.
#include "parsers/gpu_address_facts.h"

#include <string>
#include <utility>

#include "parsers/pci_address.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kPhrases[] = {
    {" cudaDev ",
     R"((?:(?P<host>[\w.-]+):(?P<pid>\d+):\d+ +\[-?\d+\] +)?NCCL INFO (?:\w+ )?comm 0x[0-9a-f]+ rank (?P<rank>\d+) )"
     R"(nranks (?P<comm_ranks>\d+) cudaDev (?P<gpu>\d+) (?:nvmlDev (?P<smi_gpu>\d+) )?busId (?P<bus_id>[0-9a-f]+)\b)"},
    {"pci bus id: ", R"(\bdevice: (?P<gpu>\d+), name: [^,]+, pci bus id: (?P<pci>[0-9a-fA-F:.]+))"},
    {"using device CUDA", R"(using device CUDA(?P<gpu>\d+) \([^()]*\) \((?P<pci>[0-9a-fA-F]+:[0-9a-fA-F:.]+)\))"},
    {"00000000:", R"(^\| +(?P<smi_gpu>\d+) +[A-Z]\S*(?: \S+)* +(?:On|Off|N/A|TCC|WDDM|MCDM) +\| +)"
                  R"((?P<pci>00000000:[0-9A-F]{2}:[0-9A-F]{2}\.\d))"},
};

constexpr auto kTriggers = triggers_of(kPhrases);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook phrases(kPhrases);
  Fields found;
  if (!phrases.find(line.text, found)) return;
  const std::string address =
      found.has("bus_id") ? pci_address_of_bus_id(found.get("bus_id")) : canonical_pci_address(found.get("pci"));
  if (address.empty()) return;
  Fact fact{"gpu_pci", address, line.envelope, line.where, std::string(found.get("gpu"))};
  if (fact.envelope.host.empty()) fact.envelope.host = found.get("host");
  if (fact.envelope.pid.empty()) fact.envelope.pid = found.get("pid");
  if (!fact.gpu.empty()) sink.on_fact(fact);
  if (found.has("comm_ranks")) {
    Fact member = fact;
    member.name = "comm_gpu";
    member.value = std::string(found.get("rank")) + " of " + std::string(found.get("comm_ranks")) + " at " + address;
    sink.on_fact(std::move(member));
  }
  if (!found.has("smi_gpu")) return;
  fact.name = "smi_gpu_pci";
  fact.gpu = found.get("smi_gpu");
  sink.on_fact(std::move(fact));
}

}  // namespace

constinit const LineParser kGpuAddressFactsParser{"gpu_address_facts", kTriggers, parse};

}  // namespace cutopsy
