#include "validators/pattern_run.h"

#include <algorithm>

namespace cutopsy {

namespace {

using kernels::PatternArea;
using kernels::PatternReport;
using kernels::Quad;

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 2,048 threads, the most that one holds
constexpr std::uint64_t kLeastChunk = 1 << 20;    // bytes; smaller pieces of memory are left alone
constexpr std::size_t kMostChunks = 1024;
constexpr std::uint64_t kFirstPiece = 1 << 16;    // quads; 1 MiB
constexpr std::uint64_t kMostPiece = 1ULL << 33;  // quads; 128 GiB
// Pieces double below the first and halve above the second: at 50 ms none arrives unless the device slows down by half
// from one launch to the next.
constexpr std::chrono::milliseconds kShortLaunch{12};
constexpr std::chrono::milliseconds kLongLaunch{25};

}  // namespace

CudaStatus PatternRun::prepare() {
  int multiprocessors = 0;
  CudaStatus status = session_.context().attribute(cuda::DeviceAttribute::multiprocessor_count, &multiprocessors);
  if (!status.ok()) return status;
  shape_ = {.grid = static_cast<unsigned>(std::max(multiprocessors, 1)) * kBlocksPerMultiprocessor, .block = kThreads};
  piece_ = kFirstPiece;
  return report_.allocate(session_.cuda(), sizeof(PatternReport));
}

CudaStatus PatternRun::allocate(std::uint64_t bytes) {
  if (CudaStatus status = prepare(); !status.ok()) return status;
  CudaStatus refused;
  std::uint64_t wanted = bytes / sizeof(Quad) * sizeof(Quad);
  const std::uint64_t least = std::min(kLeastChunk, wanted);
  std::uint64_t next = wanted;
  while (next >= least && next > 0 && chunks_.size() < kMostChunks) {
    Chunk chunk;
    CudaStatus status = chunk.memory.allocate(session_.cuda(), next);
    if (status.code == cuda::kOutOfMemory) {
      refused = status;
      next = next / 2 / sizeof(Quad) * sizeof(Quad);
      continue;
    }
    if (!status.ok()) return status;
    chunk.quads = next / sizeof(Quad);
    chunk.base = chunks_.empty() ? 0 : chunks_.back().base + 2 * chunks_.back().quads;
    chunks_.push_back(std::move(chunk));
    wanted -= next;
    next = std::min(next, wanted);
  }
  return chunks_.empty() ? refused : CudaStatus{};
}

std::uint64_t PatternRun::words() const {
  return chunks_.empty() ? 0 : chunks_.back().base + 2 * chunks_.back().quads;
}

cuda::Address PatternRun::address_of(std::uint64_t number) const {
  for (const Chunk& chunk : chunks_) {
    const std::uint64_t inside = number - chunk.base;
    if (number >= chunk.base && inside < 2 * chunk.quads) return chunk.memory.address() + inside * sizeof(number);
  }
  return 0;
}

CudaStatus PatternRun::flip_bits(std::uint64_t number, std::uint64_t bits) {
  return session_.run("cutopsy_plant_error", {.grid = 1, .block = 1}, address_of(number), bits);
}

void PatternRun::adapt(Clock::duration took) {
  if (took < kShortLaunch) piece_ = std::min(2 * piece_, kMostPiece);
  if (took > kLongLaunch) piece_ = std::max(piece_ / 2, std::uint64_t{kThreads});
}

template <typename... Arguments>
CudaStatus PatternRun::sweep(const char* kernel, const Chunk& chunk, const Content& content, bool falling,
                             Clock::time_point deadline, std::uint64_t* done, Arguments... arguments) {
  CudaStatus status;
  *done = 0;
  while (status.ok() && *done < chunk.quads && Clock::now() < deadline) {
    // From above, too, a launch begins where one from below could.
    const std::uint64_t left = chunk.quads - *done;
    const std::uint64_t below = left > piece_ ? (left - piece_) / kThreads * kThreads : 0;
    const PatternArea area{.memory = chunk.memory.pointer<Quad>(),
                           .begin = falling ? below : *done,
                           .end = falling ? left : *done + std::min(piece_, left),
                           .base = chunk.base,
                           .seed = content.seed,
                           .flip = content.flip,
                           .turn = falling ? ~0ULL : 0,
                           .pattern = content.pattern};
    const auto start = Clock::now();
    status = session_.run(kernel, shape_, area, arguments...);
    adapt(Clock::now() - start);
    *done += area.end - area.begin;
  }
  return status;
}

CudaStatus PatternRun::fill(const Content& content, Clock::time_point deadline) {
  CudaStatus status;
  for (std::size_t i = 0; i < chunks_.size() && status.ok(); ++i) {
    std::uint64_t done = 0;
    status = sweep("cutopsy_pattern_fill", chunks_[i], content, false, deadline, &done);
    if (done == chunks_[i].quads || filled_) continue;
    chunks_[i].quads = done;
    chunks_.resize(done == 0 ? i : i + 1);
  }
  filled_ = true;
  return status;
}

CudaStatus PatternRun::compare(const char* kernel, const Content& content, bool falling, Clock::time_point deadline,
                               const Controls& controls, PassJudgement* judgement) {
  CudaStatus status = report_.set(0);
  for (const Control& control : controls) {
    if (status.ok()) status = flip_bits(control.number, control.difference);
  }
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (!status.ok()) return status;
    const Chunk& chunk = chunks_[falling ? chunks_.size() - 1 - i : i];
    status = sweep(kernel, chunk, content, falling, deadline, &done, report_.pointer<PatternReport>());
  }
  PatternReport report{};
  if (status.ok()) status = report_.read(&report, sizeof report);
  if (status.ok()) *judgement = judge(report, controls, words());
  return status;
}

CudaStatus PatternRun::verify(const Content& content, Clock::time_point deadline, PassJudgement* judgement) {
  return compare("cutopsy_pattern_verify", content, false, deadline, choose_controls(words(), seed_, ++passes_),
                 judgement);
}

CudaStatus PatternRun::invert(const Content& content, bool falling, Clock::time_point deadline,
                              PassJudgement* judgement) {
  const Controls controls = choose_controls(words(), seed_, ++passes_);
  CudaStatus status = compare("cutopsy_pattern_invert", content, falling, deadline, controls, judgement);
  if (judgement->fault_count > 0) return status;
  for (const Control& control : controls) {
    // The whole quad was left alone: the other word, too, still holds the form that was read.
    if (status.ok()) status = flip_bits(control.number, ~control.difference);
    if (status.ok()) status = flip_bits(control.number ^ 1, ~0ULL);
  }
  return status;
}

}  // namespace cutopsy
