#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/hexadecimal.h"
#include "validators/memory_allowance.h"
#include "validators/pattern_buffer.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 1> kBlockedBy = {"context-smoke"};
constexpr std::array kParameters = {
    Parameter{"bytes",
              "how much to copy in each direction; without it the level decides: 256 MiB, 8 GiB, or as much "
              "as there is time for"},
    Parameter{"seed", "a number that chooses the data, to repeat a run; 1 without it"},
};

constexpr std::uint64_t kMostBuffer = 64ULL << 20;
constexpr std::uint64_t kLeastBuffer = 64ULL << 10;
constexpr std::array<std::uint64_t, 3> kBytesOfLevel = {256ULL << 20, 8ULL << 30, ~0ULL};

/// Memory of the host, in the two kinds that a driver copies in different ways.
class HostBuffer {
 public:
  HostBuffer(const CudaDriver& cuda, std::uint64_t words, bool pinned) : cuda_(cuda), words_(words) {
    void* memory = nullptr;
    if (pinned && cuda.cuMemHostAlloc(&memory, words * sizeof(std::uint64_t), 0).ok()) {
      pinned_ = static_cast<std::uint64_t*>(memory);
    } else {
      pageable_.resize(words);
    }
  }
  ~HostBuffer() {
    if (pinned_) cuda_.cuMemFreeHost(pinned_);
  }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  const char* kind() const { return pinned_ ? "pinned" : "pageable"; }
  std::uint64_t* data() { return pinned_ ? pinned_ : pageable_.data(); }
  std::uint64_t bytes() const { return words_ * sizeof(std::uint64_t); }
  void fill(const PatternBuffer& pattern, std::uint64_t flip) {
    for (std::uint64_t i = 0; i < words_; ++i) data()[i] = pattern.expected(i, flip);
  }
  Mismatch compare(const PatternBuffer& pattern, std::uint64_t flip) {
    Mismatch mismatch;
    for (std::uint64_t i = 0; i < words_; ++i) {
      const std::uint64_t difference = data()[i] ^ pattern.expected(i, flip);
      if (difference != 0 && mismatch.count++ == 0) mismatch.first = {i, difference};
    }
    return mismatch;
  }

 private:
  const CudaDriver& cuda_;
  std::uint64_t words_;
  std::uint64_t* pinned_ = nullptr;
  std::vector<std::uint64_t> pageable_;
};

class CopyIntegrity {
 public:
  CopyIntegrity(const Inquiry& inquiry, KernelSession& session)
      : inquiry_(inquiry),
        session_(session),
        end_(Clock::now() + inquiry.budget),
        seed_(static_cast<std::uint64_t>(inquiry.parameters.number("seed", 0, INT64_MAX).value_or(1))),
        buffer_(session, seed_) {}

  Answer ask() {
    MemoryAllowance allowance;
    CudaStatus status = measure(session_.context(), inquiry_.host, &allowance);
    if (!status.ok()) return failed(status);
    const auto level = kBytesOfLevel[static_cast<std::size_t>(inquiry_.level)];
    const std::uint64_t enough = inquiry_.parameters.bytes("bytes", ~0ULL).value_or(level);
    const std::uint64_t size = std::min({enough, allowance.usable_bytes, kMostBuffer}) / kLeastBuffer * kLeastBuffer;
    if (size == 0) return Answer::undecided("less than " + size_text(kLeastBuffer) + " of memory may be taken");
    status = buffer_.allocate(size);
    if (!status.ok()) return failed(status);
    HostBuffer pinned(session_.cuda(), buffer_.words(), true);
    HostBuffer pageable(session_.cuda(), buffer_.words(), false);
    Clock::duration last{};
    do {
      const auto start = Clock::now();
      for (HostBuffer* host : {&pinned, &pageable}) {
        if (auto answer = round(*host)) return stated(std::move(*answer));
      }
      last = Clock::now() - start;
    } while (copied_ < enough && Clock::now() + last < end_);
    return stated(Answer::no("no word changed in " + size_text(copied_) +
                             " from the host to the device and as much "
                             "back, through pinned and pageable memory"));
  }

 private:
  // Data there and back through one kind of host memory; no value when all of it arrived.
  std::optional<Answer> round(HostBuffer& host) {
    const std::uint64_t there = rounds_++ % 4 < 2 ? kHash : kComplement;
    const std::uint64_t back = ~there;
    if (auto answer = fault_of_memory({there, back})) return answer;
    PassJudgement judgement;
    CudaStatus status;
    host.fill(buffer_, there);
    if (status.ok()) status = session_.cuda().cuMemcpyHtoD_v2(buffer_.address(), host.data(), host.bytes());
    if (status.ok()) status = buffer_.verify(session_, there, &judgement);
    if (!status.ok()) return failed(status);
    if (!judgement.complete) return blind();
    const Mismatch to_device = mismatch_of(judgement);
    // The host's memory still holds the other form, so that a copy that moves nothing shows.
    status = buffer_.fill(session_, back);
    if (status.ok()) status = session_.cuda().cuMemcpyDtoH_v2(host.data(), buffer_.address(), host.bytes());
    if (!status.ok()) return failed(status);
    const Mismatch to_host = host.compare(buffer_, back);
    if (to_device.count > 0 || to_host.count > 0) return corrupted(to_device, to_host, host.kind());
    if (!judgement.controls_came_back) return blind();
    copied_ += host.bytes();
    return std::nullopt;
  }

  /// What the device's own kernels write and read tells its memory from the way. A stuck bit shows in one form only.
  std::optional<Answer> fault_of_memory(std::initializer_list<std::uint64_t> forms) {
    for (const std::uint64_t form : forms) {
      PassJudgement judgement;
      CudaStatus status = buffer_.fill(session_, form);
      if (status.ok()) status = buffer_.verify(session_, form, &judgement);
      if (!status.ok()) return failed(status);
      if (!judgement.trustworthy()) return blind();
      if (judgement.fault_count == 0) continue;
      return Answer::undecided(
          "the device's own memory differs from what its kernels wrote: " + mismatch_of(judgement).text(),
          "Run cutopsy check memory-pattern.");
    }
    return std::nullopt;
  }

  static Answer failed(const CudaStatus& status) {
    if (status.code == cuda::kOutOfMemory) return Answer::undecided("what was free could not be had: " + status.text());
    return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
  }

  static Answer blind() {
    return Answer::could_not_run(
        "errors that the test had planted did not come back, so that it proves nothing about "
        "others",
        "Run it again; if it stays, report it with the output of --json.");
  }

  static Answer corrupted(const Mismatch& to_device, const Mismatch& to_host, const char* kind) {
    const bool both = to_device.count > 0 && to_host.count > 0;
    const char* const direction = both ? "both" : to_device.count > 0 ? "host to device" : "device to host";
    std::string what;
    if (to_device.count > 0) what = "from the host to the device: " + to_device.text();
    if (to_host.count > 0) what += (both ? "; " : "") + ("from the device to the host: " + to_host.text());
    const Mismatch& first = to_device.count > 0 ? to_device : to_host;
    return Answer::yes("data changed on the way through " + std::string(kind) + " memory, " + what,
                       "Reseat the GPU or move it to another slot, and test the host's memory: see cutopsy check "
                       "pcie-link kernel-log-aer edac.")
        .with("direction", direction)
        .with("host_memory", kind)
        .with("wrong_words", std::to_string(to_device.count + to_host.count))
        .with("first_offset", hexadecimal(first.first.number * sizeof first.first.number))
        .with("first_mask", hexadecimal(first.first.difference));
  }

  Answer stated(Answer answer) const {
    return std::move(answer)
        .with("clean_bytes_each_way", std::to_string(copied_))
        .with("copy_bytes", std::to_string(buffer_.bytes()))
        .with("seed", std::to_string(seed_))
        .with("kernels", std::string(session_.form()));
  }

  const Inquiry& inquiry_;
  KernelSession& session_;
  Clock::time_point end_;
  std::uint64_t seed_;
  PatternBuffer buffer_;
  std::uint64_t rounds_ = 0;
  std::uint64_t copied_ = 0;
};

Answer ask(const Inquiry& inquiry) {
  KernelSession session(*inquiry.cuda);
  if (auto not_ready = session.open()) return *not_ready;
  return CopyIntegrity(inquiry, session).ask();
}

}  // namespace

extern const Check kCopyIntegrity = {
    .name = "copy-integrity",
    .question = "Does data change on its way between the host and the GPU?",
    .decision =
        "yes when a word that was copied to the device differs there, or one that was copied back differs on the host, "
        "while what the device's own kernels write into the same memory stays; no only when planted errors came back "
        "in each comparison",
    .check_class = CheckClass::stochastic,
    .need = Need::idle_gpu,
    .level = Level::standard,
    .per_gpu = true,
    .deadline = std::chrono::seconds(30),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
