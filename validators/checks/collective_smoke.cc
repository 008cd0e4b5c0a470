#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "validators/all_reduce.h"
#include "validators/checks/checks.h"
#include "validators/cuda_context.h"
#include "validators/hexadecimal.h"
#include "validators/job.h"
#include "validators/nccl.h"
#include "validators/python_site.h"

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 2> kBlockedBy = {"driver-runtime", "device-visibility"};
constexpr std::array kParameters = {
    Parameter{"bytes", "what each GPU gives to the largest all-reduce; 16 MiB without it", Form::bytes},
    Parameter{"patience", "milliseconds that one all-reduce may take; 10000 without it", Form::number},
};

constexpr const char* kLibrary = "libnccl.so.2";
constexpr std::uint64_t kBytes = 16ULL << 20;
constexpr std::uint64_t kMostBytes = 1ULL << 30;
constexpr std::uint64_t kSmaller = 256;  // a small one goes by another protocol of NCCL's than a large one
constexpr std::chrono::microseconds kPause{200};
const char* const kAdvice =
    "Run it with NCCL_DEBUG=INFO; then try NCCL_P2P_DISABLE=1, NCCL_SHM_DISABLE=1 and NCCL_NVLS_ENABLE=0 one by one; "
    "see cutopsy check p2p-integrity nvlink-under-load acs iommu.";

// The library beside the PyTorch of this environment, if it is root's or our own: to open one is to run it. So neither
// what a log names is looked at, nor what lies in the container of another process.
std::string library_of_environment(const Host& host) {
  const auto site = find_torch_site(host, {}, Job::find(host, {}));
  if (!site) return "";
  const std::string path = host.at(site->folder + "/nvidia/nccl/lib/" + kLibrary);
  struct stat status {};
  const bool ours = stat(path.c_str(), &status) == 0 && (status.st_uid == 0 || status.st_uid == geteuid());
  return ours ? path : "";
}

// One GPU of the collective.
class Rank {
 public:
  Rank(const CudaDriver& cuda, int ordinal) : context_(cuda, ordinal) {}

  CudaStatus open(std::size_t bytes) {
    CudaStatus status = context_.open();
    if (status.ok()) status = given_.allocate(context_.cuda(), bytes);
    if (status.ok()) status = received_.allocate(context_.cuda(), bytes);
    if (status.ok()) status = context_.cuda().cuStreamCreate(&stream_, cuda::kStreamNonBlocking);
    if (status.ok()) status = context_.cuda().cuEventCreate(&done_, 0);
    return status;
  }

  // The results are filled with ones first: what never arrives must not look right.
  CudaStatus fill(const std::vector<float>& values) {
    CudaStatus status = context_.make_current();
    if (status.ok())
      status = context_.cuda().cuMemcpyHtoD_v2(given_.address(), values.data(), values.size() * sizeof(float));
    if (status.ok()) status = received_.set(0xff);
    return status.ok() ? context_.synchronise() : status;
  }

  CudaStatus mark_end() {
    const CudaStatus status = context_.make_current();
    return status.ok() ? context_.cuda().cuEventRecord(done_, stream_) : status;
  }

  CudaStatus look() {
    const CudaStatus status = context_.make_current();
    return status.ok() ? context_.cuda().cuEventQuery(done_) : status;
  }

  CudaStatus read(std::vector<float>* values) {
    const CudaStatus status = context_.make_current();
    return status.ok() ? received_.read(values->data(), values->size() * sizeof(float)) : status;
  }

  const void* given() const { return given_.pointer<void>(); }
  void* received() const { return received_.pointer<void>(); }
  cuda::Stream stream() const { return stream_; }

 private:
  CudaContext context_;
  DeviceMemory given_, received_;
  cuda::Stream stream_ = nullptr;
  cuda::Event done_ = nullptr;
};

class CollectiveSmoke {
 public:
  explicit CollectiveSmoke(const Inquiry& inquiry) : inquiry_(inquiry) {
    const std::uint64_t wanted = inquiry.parameters.bytes("bytes", kMostBytes).value_or(kBytes);
    bytes_ = std::max(wanted / sizeof(float), kSmaller) * sizeof(float);
    patience_ = std::chrono::milliseconds(inquiry.parameters.number("patience", 1, 600'000).value_or(10'000));
  }

  Answer ask() {
    if (auto answer = open()) return *answer;
    if (auto answer = start_collective()) return stated(std::move(*answer));
    for (const std::uint64_t bytes : {bytes_ / kSmaller / sizeof(float) * sizeof(float), bytes_}) {
      if (auto answer = all_reduce(bytes / sizeof(float))) return stated(std::move(*answer));
    }
    return stated(Answer::no("all-reduce over " + std::to_string(ranks_.size()) + " GPUs gave the right sums"));
  }

 private:
  std::optional<Answer> open() {
    const CudaDriver& cuda = *inquiry_.cuda;
    int devices = 0;
    CudaStatus status = cuda.cuInit(0);
    if (status.ok()) status = cuda.cuDeviceGetCount(&devices);
    if (!status.ok()) return Answer::could_not_run(status.text());
    if (devices < 2) return Answer::not_applicable("CUDA sees only one GPU");
    std::string why_not;
    if (const std::string path = library_of_environment(inquiry_.host); !path.empty())
      nccl_ = Nccl::open(path, &why_not);
    if (!nccl_) nccl_ = Nccl::open(kLibrary, &why_not);
    if (!nccl_) return Answer::not_applicable("NCCL is not here: " + why_not);
    for (int ordinal = 0; ordinal < devices; ++ordinal) {
      ranks_.push_back(std::make_unique<Rank>(cuda, ordinal));
      status = ranks_.back()->open(bytes_);
      if (status.code == cuda::kOutOfMemory) return Answer::undecided("no memory is left: " + status.text());
      if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
    }
    return std::nullopt;
  }

  std::optional<Answer> start_collective() {
    comms_.resize(ranks_.size());
    const NcclStatus status = nccl_->CommInitAll(comms_.data(), static_cast<int>(comms_.size()), nullptr);
    if (status.ok()) return std::nullopt;
    // Not that of the job, maybe: one made for a newer driver fails so too.
    if (status.code == kNcclUnhandledCudaError) {
      return Answer::undecided("NCCL does not start: " + status.text(),
                               "See whether the driver is new enough for this NCCL: cutopsy check driver-runtime.");
    }
    return failed(status);
  }

  std::optional<Answer> all_reduce(std::size_t count) {
    std::vector<float> values(count);
    CudaStatus status;
    for (unsigned rank = 0; rank < ranks_.size() && status.ok(); ++rank) {
      for (std::size_t place = 0; place < count; ++place) values[place] = contribution(rank, size(), place);
      status = ranks_[rank]->fill(values);
    }
    if (!status.ok()) return Answer::could_not_run(status.text(), "Run cutopsy check context-smoke.");
    if (const NcclStatus started = start(count); !started.ok()) return failed(started);
    if (auto answer = wait()) return answer;
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
      status = ranks_[rank]->read(&values);
      if (!status.ok()) return Answer::yes("the all-reduce failed: " + status.text(), kAdvice);
      if (const auto wrong = wrong_sum(values, size())) return wrong_answer(rank, *wrong);
    }
    return std::nullopt;
  }

  NcclStatus start(std::size_t count) {
    NcclStatus status = nccl_->GroupStart();
    for (std::size_t rank = 0; rank < ranks_.size() && status.ok(); ++rank) {
      const Rank& one = *ranks_[rank];
      status = nccl_->AllReduce(one.given(), one.received(), count, kNcclFloat32, kNcclSum, comms_[rank], one.stream());
    }
    return status.ok() ? nccl_->GroupEnd() : status;
  }

  std::optional<Answer> wait() {
    const auto until = Clock::now() + patience_;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      CudaStatus status = ranks_[rank]->mark_end();
      while (status.ok() || status.code == cuda::kNotReady) {
        status = ranks_[rank]->look();
        if (status.ok()) break;
        if (status.code == cuda::kNotReady && Clock::now() >= until) {
          return Answer::yes("the all-reduce did not end on GPU " + std::to_string(rank) + " in " +
                                 std::to_string(patience_.count()) + " ms",
                             kAdvice)
              .with("rank", std::to_string(rank));
        }
        std::this_thread::sleep_for(kPause);
      }
      if (!status.ok()) return Answer::yes("the all-reduce failed: " + status.text(), kAdvice);
    }
    return std::nullopt;
  }

  static Answer failed(const NcclStatus& status) {
    const bool by_us =
        status.code == kNcclInvalidArgument || status.code == kNcclInvalidUsage || status.code == kNcclSymbolMissing;
    return by_us ? Answer::could_not_run(status.text()) : Answer::yes(status.text(), kAdvice);
  }

  static Answer wrong_answer(unsigned rank, const WrongSum& wrong) {
    std::string detail = "all-reduce gave wrong sums to GPU " + std::to_string(rank) + ": " +
                         std::to_string(wrong.count) + ", the first at offset " +
                         hexadecimal(wrong.first * sizeof(float)) + " is " + std::to_string(wrong.is) + " instead of " +
                         std::to_string(wrong.should_be);
    if (wrong.missing_rank) detail += ", as if GPU " + std::to_string(*wrong.missing_rank) + " had given nothing";
    return Answer::yes(detail, kAdvice)
        .with("rank", std::to_string(rank))
        .with("wrong_values", std::to_string(wrong.count))
        .with("first_offset", hexadecimal(wrong.first * sizeof(float)))
        .with("missing_rank", wrong.missing_rank ? std::to_string(*wrong.missing_rank) : "");
  }

  Answer stated(Answer answer) const {
    int version = 0;
    nccl_->GetVersion(&version);
    return std::move(answer)
        .with("gpus", std::to_string(ranks_.size()))
        .with("bytes", std::to_string(bytes_))
        .with("nccl_version", std::to_string(version));
  }

  unsigned size() const { return static_cast<unsigned>(ranks_.size()); }

  const Inquiry& inquiry_;
  std::uint64_t bytes_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<Nccl> nccl_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<NcclComm> comms_;  // left to the end of the process: to destroy one that hangs would hang
};

Answer ask(const Inquiry& inquiry) {
  return CollectiveSmoke(inquiry).ask();
}

}  // namespace

extern const Check kCollectiveSmoke = {
    .name = "collective-smoke",
    .question = "Does an all-reduce over this machine's GPUs fail, hang or give wrong sums?",
    .decision =
        "yes when NCCL reports an error that is not the call's fault (one of CUDA's at its start decides nothing), "
        "when an all-reduce of whole numbers is not done "
        "in 10 seconds, or when a sum differs from the known one by a bit; not asked without NCCL (libnccl.so.2 beside "
        "this environment's PyTorch, if it is root's or our own, else where the loader finds it)",
    .check_class = CheckClass::stochastic,
    .need = Need::two_gpus,
    .level = Level::standard,
    .deadline = std::chrono::seconds(30),
    .parameters = kParameters,
    .blocked_by = kBlockedBy,
    .hang_is_yes = true,
    .ask = ask,
};

}  // namespace cutopsy
