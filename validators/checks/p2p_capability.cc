#include <array>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/cuda_driver.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 2> kBlockedBy = {"driver-runtime", "device-visibility"};
constexpr std::array kParameters = {
    Parameter{"from", "the device that reaches out, as CUDA numbers it; without it, every device", Form::number},
    Parameter{"to", "the device whose memory is reached; without it, every device", Form::number},
    Parameter{"atomics", "1 when native atomics on the peer's memory are needed too", Form::number},
};

struct Pair {
  int from = 0;
  int to = 0;
  std::string text() const { return std::to_string(from) + " to " + std::to_string(to); }
};

// What a pair lacks: "" for nothing; no value when the driver does not tell, and `*status` says why.
std::optional<std::string> lack_of(const CudaDriver& cuda, Pair pair, bool atomics, CudaStatus* status) {
  int can = 0;
  *status = cuda.cuDeviceCanAccessPeer(&can, pair.from, pair.to);
  if (!status->ok()) return std::nullopt;
  if (!can) return "no access from " + pair.text();
  // Drivers before CUDA 8 have no attributes of pairs.
  if (!cuda.cuDeviceGetP2PAttribute) return atomics ? std::nullopt : std::optional<std::string>("");
  int value = 0;
  *status = cuda.cuDeviceGetP2PAttribute(&value, cuda::PeerAttribute::access_supported, pair.from, pair.to);
  if (!status->ok()) return std::nullopt;
  if (!value) return "no access from " + pair.text() + ", by its attribute";
  *status = cuda.cuDeviceGetP2PAttribute(&value, cuda::PeerAttribute::native_atomic_supported, pair.from, pair.to);
  if (!status->ok()) return std::nullopt;
  return atomics && !value ? "no native atomics from " + pair.text() : "";
}

// The pairs that the parameters choose.
std::vector<Pair> pairs_of(const Parameters& parameters, int devices) {
  const auto from = parameters.number("from", 0, INT32_MAX);
  const auto to = parameters.number("to", 0, INT32_MAX);
  std::vector<Pair> pairs;
  for (int one = 0; one < devices; ++one) {
    for (int other = 0; other < devices; ++other) {
      const bool chosen = (!from || *from == one) && (!to || *to == other);
      if (one != other && chosen) pairs.push_back({one, other});
    }
  }
  return pairs;
}

Answer ask(const Inquiry& inquiry) {
  const CudaDriver& cuda = *inquiry.cuda;
  int devices = 0;
  CudaStatus status = cuda.cuInit(0);
  if (status.ok()) status = cuda.cuDeviceGetCount(&devices);
  if (!status.ok()) return Answer::could_not_run(status.text());
  if (devices < 2) return Answer::not_applicable("CUDA sees only one GPU");
  const std::vector<Pair> pairs = pairs_of(inquiry.parameters, devices);
  if (pairs.empty())
    return Answer::could_not_run("CUDA has no such pair among its " + std::to_string(devices) + " GPUs");
  const bool atomics = inquiry.parameters.number("atomics", 0, 1).value_or(0) == 1;
  std::size_t lacking = 0;
  std::string first;
  for (const Pair& pair : pairs) {
    const auto lack = lack_of(cuda, pair, atomics, &status);
    if (!lack) return Answer::could_not_run("the driver does not tell of " + pair.text() + ": " + status.text());
    if (lack->empty()) continue;
    if (lacking++ == 0) first = *lack;
  }
  const std::string of_all = " of " + std::to_string(pairs.size()) + " directed pairs of GPUs";
  Answer answer = lacking == 0
                      ? Answer::no("each" + of_all + " has peer access" + (atomics ? " with atomics" : ""))
                      : Answer::yes(std::to_string(lacking) + of_all + " lack it: " + first,
                                    "See nvidia-smi topo -p2p r for the reason; NCCL works without it, slower, "
                                    "with NCCL_P2P_DISABLE=1.");
  return std::move(answer).with("pairs", std::to_string(pairs.size())).with("pairs_lacking", std::to_string(lacking));
}

}  // namespace

extern const Check kP2pCapability = {
    .name = "p2p-capability",
    .question = "Are there GPUs that cannot reach each other's memory directly?",
    .decision =
        "yes when cuDeviceCanAccessPeer or the pair's attributes deny access (or native atomics, if asked for) in any "
        "direction; many boards do so by design, so it is asked only of what a log says; whether data arrives unharmed "
        "is not asked here",
    .check_class = CheckClass::state,
    .need = Need::context,
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .on_request = true,
    .ask = ask,
};

}  // namespace cutopsy
