#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/hexadecimal.h"
#include "validators/memory_allowance.h"
#include "validators/parameters.h"
#include "validators/pattern_buffer.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 2> kBlockedBy = {"driver-runtime", "device-visibility"};
constexpr std::array kParameters = {
    Parameter{"bytes", "the size of each transfer; 16 MiB without it", Form::bytes},
    Parameter{"seed", "a number that chooses the data, to repeat a run; 1 without it", Form::number},
};

constexpr std::string_view kLoads = "loads";
constexpr std::string_view kStores = "stores";
constexpr std::string_view kCopies = "copies";

constexpr std::uint64_t kBytes = 16ULL << 20;
constexpr std::uint64_t kLeastBytes = 64ULL << 10;
constexpr std::array<unsigned, 2> kRoundsOfLevel = {1, 8};  // thorough: as many as there is time for

// One GPU with its context, kernels and memory.
struct Peer {
  Peer(const CudaDriver& cuda, int ordinal, std::uint64_t seed) : session(cuda, ordinal), buffer(session, seed) {}

  int ordinal() { return session.context().ordinal(); }

  KernelSession session;
  PatternBuffer buffer;
};

class P2pIntegrity {
 public:
  explicit P2pIntegrity(const Inquiry& inquiry) : inquiry_(inquiry), end_(Clock::now() + inquiry.budget) {
    seed_ = static_cast<std::uint64_t>(inquiry.parameters.number("seed", 0, INT64_MAX).value_or(1));
  }

  Answer ask() {
    if (auto not_ready = open_all()) return *not_ready;
    if (auto not_ready = enable_all()) return *not_ready;
    if (pairs_.empty()) return Answer::not_applicable("no GPU here has direct access to another one's memory");
    const bool thorough = inquiry_.level == Level::thorough;
    const unsigned most = thorough ? ~0U : kRoundsOfLevel[static_cast<std::size_t>(inquiry_.level)];
    while (rounds_ < most && (rounds_ == 0 || Clock::now() < end_)) {
      for (const auto& [from, to] : pairs_) {
        if (auto answer = test(*from, *to)) return stated(std::move(*answer));
      }
      ++rounds_;
    }
    return stated(Answer::no("no word changed in loads, stores and copies between " + std::to_string(pairs_.size()) +
                             (pairs_.size() == 1 ? " directed pair of GPUs" : " directed pairs of GPUs")));
  }

 private:
  struct Pair {
    Peer* from;
    Peer* to;
  };

  std::optional<Answer> open_all() {
    const CudaDriver& cuda = *inquiry_.cuda;
    int devices = 0;
    CudaStatus status = cuda.cuInit(0);
    if (status.ok()) status = cuda.cuDeviceGetCount(&devices);
    if (!status.ok()) return Answer::could_not_run(status.text());
    if (devices < 2) return Answer::not_applicable("CUDA sees only one GPU");
    if (!cuda.cuDeviceCanAccessPeer || !cuda.cuCtxEnablePeerAccess || !cuda.cuMemcpyPeer) {
      return Answer::could_not_run("this driver has no calls for peers");
    }
    const std::uint64_t wanted = inquiry_.parameters.bytes("bytes", kBytes).value_or(kBytes);
    for (int ordinal = 0; ordinal < devices; ++ordinal) {
      auto peer = std::make_unique<Peer>(cuda, ordinal, seed_);
      if (auto not_ready = peer->session.open()) return not_ready;
      MemoryAllowance allowance;
      status = measure(peer->session.context(), inquiry_.host, &allowance);
      const std::uint64_t size = std::min(wanted, allowance.usable_bytes) / kLeastBytes * kLeastBytes;
      if (status.ok() && size == 0)
        return Answer::undecided("no memory may be taken of GPU " + std::to_string(ordinal));
      if (status.ok() && (size_ == 0 || size < size_)) size_ = size;
      if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
      peers_.push_back(std::move(peer));
    }
    for (const auto& peer : peers_) {
      if (auto not_ready = prepare(*peer)) return not_ready;
    }
    return std::nullopt;
  }

  // The GPU's own kernels on its own memory, so that a fault of the way can be told from one of the memory.
  std::optional<Answer> prepare(Peer& peer) {
    PassJudgement judgement;
    CudaStatus status = peer.buffer.allocate(size_);
    if (status.ok()) status = peer.buffer.fill(peer.session, kComplement);
    if (status.ok()) status = peer.buffer.verify(peer.session, kComplement, &judgement);
    if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
    if (!judgement.trustworthy()) return blind();
    if (judgement.fault_count == 0) return std::nullopt;
    return Answer::undecided(
        "GPU " + std::to_string(peer.ordinal()) + " has a fault in its own memory: " + mismatch_of(judgement).text(),
        "Run cutopsy check memory-pattern.");
  }

  std::optional<Answer> enable_all() {
    const CudaDriver& cuda = *inquiry_.cuda;
    for (const auto& from : peers_) {
      for (const auto& to : peers_) {
        if (from == to) continue;
        int can = 0;
        CudaStatus status = cuda.cuDeviceCanAccessPeer(&can, from->ordinal(), to->ordinal());
        if (status.ok() && !can) continue;
        if (status.ok()) status = from->session.context().make_current();
        if (status.ok()) status = cuda.cuCtxEnablePeerAccess(to->session.context().handle(), 0);
        if (!status.ok() && status.code != cuda::kPeerAccessAlreadyEnabled) {
          return Answer::could_not_run("access from " + text_of({from.get(), to.get()}) +
                                       " is offered but cannot be had: " + status.text());
        }
        pairs_.push_back({from.get(), to.get()});
      }
    }
    return std::nullopt;
  }

  static std::string text_of(const Pair& pair, const char* way = " to ") {
    return "GPU " + std::to_string(pair.from->ordinal()) + way + "GPU " + std::to_string(pair.to->ordinal());
  }

  // What the kernels of one GPU read from another one, what they write to it, and a copy to it. Before each, the memory
  // holds the other form of the pattern: data that never arrives shows too.
  std::optional<Answer> test(Peer& from, Peer& to) {
    PassJudgement judgement;
    CudaStatus status = to.buffer.fill(to.session, kHash);
    if (status.ok()) status = to.buffer.verify(from.session, kHash, &judgement);
    if (auto answer = judged({&from, &to}, kLoads, status, judgement)) return answer;
    status = to.buffer.fill(from.session, kComplement);
    if (status.ok()) status = to.buffer.verify(to.session, kComplement, &judgement);
    if (auto answer = judged({&from, &to}, kStores, status, judgement)) return answer;
    status = from.buffer.fill(from.session, kHash);
    if (status.ok()) {
      status = inquiry_.cuda->cuMemcpyPeer(to.buffer.address(), to.session.context().handle(), from.buffer.address(),
                                           from.session.context().handle(), from.buffer.bytes());
    }
    if (status.ok()) status = from.session.context().synchronise();
    if (status.ok()) status = to.buffer.verify(to.session, kHash, &judgement);
    if (auto answer = judged({&from, &to}, kCopies, status, judgement)) return answer;
    transferred_ += 3 * to.buffer.bytes();
    return std::nullopt;
  }

  static std::optional<Answer> judged(const Pair& pair, std::string_view path, const CudaStatus& status,
                                      const PassJudgement& judgement) {
    const std::string what = std::string(path) + (" of " + text_of(pair, path == kLoads ? " from " : " to "));
    std::string fault;
    if (!status.ok()) {
      if (status.code == cuda::kOutOfMemory) return Answer::undecided("no memory is left: " + status.text());
      fault = what + " fail: " + status.text();
    } else if (judgement.fault_count > 0) {
      fault = what + " changed " + mismatch_of(judgement).text();
    } else {
      return judgement.trustworthy() ? std::nullopt : std::optional(blind());
    }
    Answer answer =
        Answer::yes(fault,
                    "Until it is repaired, run with NCCL_P2P_DISABLE=1; see cutopsy check nvlink-errors acs "
                    "iommu, and the link or bridge between these two GPUs.")
            .with("path", std::string(path))
            .with("from", std::to_string(pair.from->ordinal()))
            .with("to", std::to_string(pair.to->ordinal()));
    if (!status.ok()) return answer;
    const Mismatch mismatch = mismatch_of(judgement);
    return std::move(answer)
        .with("wrong_words", std::to_string(mismatch.count))
        .with("first_offset", hexadecimal(mismatch.first.number * sizeof mismatch.first.number))
        .with("first_mask", hexadecimal(mismatch.first.difference));
  }

  static Answer blind() {
    return Answer::could_not_run(
        "errors that the test had planted did not come back, so that it proves nothing about "
        "others",
        "Run it again; if it stays, report it with the output of --json.");
  }

  Answer stated(Answer answer) const {
    return std::move(answer)
        .with("gpus", std::to_string(peers_.size()))
        .with("pairs", std::to_string(pairs_.size()))
        .with("clean_bytes", std::to_string(transferred_))
        .with("transfer_bytes", std::to_string(size_))
        .with("seed", std::to_string(seed_));
  }

  const Inquiry& inquiry_;
  Clock::time_point end_;
  std::uint64_t seed_ = 0;
  std::uint64_t size_ = 0;  // of each buffer, in bytes
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<Pair> pairs_;
  unsigned rounds_ = 0;
  std::uint64_t transferred_ = 0;
};

Answer ask(const Inquiry& inquiry) {
  return P2pIntegrity(inquiry).ask();
}

}  // namespace

extern const Check kP2pIntegrity = {
    .name = "p2p-integrity",
    .question = "Do GPUs fail to reach each other's memory, or is data changed on the way?",
    .decision =
        "yes when a word differs after loads, stores or a copy between two GPUs with peer access, in either direction, "
        "or when such work fails or hangs, while each GPU's own kernels find its own memory in order; pairs without "
        "peer access are left to p2p-capability",
    .check_class = CheckClass::stochastic,
    .need = Need::two_gpus,
    .level = Level::standard,
    .deadline = std::chrono::seconds(60),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .hang_is_yes = true,
    .ask = ask,
};

}  // namespace cutopsy
