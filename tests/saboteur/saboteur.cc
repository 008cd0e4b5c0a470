#include "tests/saboteur/saboteur.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "kernels/gemm.h"
#include "kernels/multiprocessor_sweep.h"
#include "validators/hexadecimal.h"

namespace cutopsy::saboteur {

namespace {

using kernels::SmSpan;

// Where kernels with a list of spans as first argument put what their blocks compute: an array, in equal shares, whose
// address stands so many bytes into the second argument.
struct BlockResults {
  std::string_view kernel;
  std::size_t place;
};
constexpr std::array kBlockResults = {
    BlockResults{"cutopsy_sweep", 0},
    BlockResults{"cutopsy_gemm_fp32", offsetof(kernels::GemmTask, sums)},
    BlockResults{"cutopsy_gemm_tf32", offsetof(kernels::GemmTask, sums)},
    BlockResults{"cutopsy_gemm_fp16", offsetof(kernels::GemmTask, sums)},
    BlockResults{"cutopsy_gemm_bf16", offsetof(kernels::GemmTask, sums)},
    BlockResults{"cutopsy_gemm_fp8", offsetof(kernels::GemmTask, sums)},
};

void must(const CudaStatus& status) {
  if (!status.ok()) refuse(status.text());
}

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

Saboteur& Saboteur::instance() {
  static Saboteur saboteur;
  return saboteur;
}

Saboteur::Saboteur() : acts_(parse(variable("CUTOPSY_SABOTAGE"))) {
  const std::string path = variable("CUTOPSY_SABOTEUR_DRIVER");
  if (!path.starts_with('/')) refuse("CUTOPSY_SABOTEUR_DRIVER is to be the whole path of the driver's libcuda.so.1");
  std::string why_not;
  driver_ = CudaDriver::open(&why_not, path);
  if (!driver_) refuse(why_not);
  const bool sparse = std::any_of(acts_.begin(), acts_.end(), [](const Act& act) { return act.kind == Kind::sparse; });
  if (sparse) sparse_ = std::make_unique<SparsePattern>(*driver_);
}

cuda::Result Saboteur::before(std::string_view function) {
  const std::uint64_t times = ++calls_[std::string(function)];
  for (const Act& act : acts_) {
    if ((act.kind != Kind::fail && act.kind != Kind::delay) || act.subject != function || !is_due(act, times)) continue;
    if (act.kind == Kind::fail) return static_cast<cuda::Result>(act.number);
    std::this_thread::sleep_for(std::chrono::milliseconds(act.number));
  }
  return cuda::kSuccess;
}

cuda::Result Saboteur::launch(Launch launch) {
  launch.kernel = kernels_[launch.function];
  const std::uint64_t times = ++launches_[launch.kernel];
  for (const Act& act : acts_) {
    if (act.subject != launch.kernel || !is_due(act, times)) continue;
    if (act.kind == Kind::flip) flip(place(act, act.offset), act.mask, "flip");
    if (act.kind == Kind::alias) alias(act);
  }
  if (launch.kernel == "cutopsy_plant_error") {
    cuda::Address word;
    std::memcpy(&word, launch.arguments[0], sizeof word);
    touch(word);
  }
  const bool is_sparse = sparse_ && SparsePattern::knows(launch.kernel);
  const cuda::Result result = is_sparse ? sparse_->launch(launch) : launch.run(*driver_);
  for (const Act& act : acts_) {
    if (act.kind == Kind::multiprocessor && result == cuda::kSuccess) spoil_result(launch, act);
  }
  return result;
}

void Saboteur::allocated(cuda::Address address, std::size_t bytes) {
  allocations_[address] = {++allocations_made_, bytes};
}

cuda::Address Saboteur::place(const Act& act, std::int64_t offset) const {
  const auto found =
      act.allocation == Act::kLargest
          ? std::max_element(allocations_.begin(), allocations_.end(),
                             [](const auto& a, const auto& b) { return a.second.bytes < b.second.bytes; })
          : std::find_if(allocations_.begin(), allocations_.end(),
                         [&](const auto& one) { return one.second.number == act.allocation; });
  if (found == allocations_.end()) refuse("there is no such allocation");
  const auto& [address, allocation] = *found;
  const std::uint64_t inside =
      offset < 0 ? allocation.bytes + static_cast<std::uint64_t>(offset) : static_cast<std::uint64_t>(offset);
  if (inside % sizeof(std::uint64_t) != 0 || inside >= allocation.bytes) refuse("no word of the allocation");
  return address + inside;
}

void Saboteur::touch(cuda::Address address) {
  if (sparse_) sparse_->touch(address);
}

void Saboteur::flip(cuda::Address word, std::uint64_t mask, const char* why) {
  touch(word);
  std::uint64_t value = 0;
  must(driver_->cuCtxSynchronize());
  must(driver_->cuMemcpyDtoH_v2(&value, word, sizeof value));
  value ^= mask;
  must(driver_->cuMemcpyHtoD_v2(word, &value, sizeof value));
  log(std::string(why) + " " + hexadecimal(word) + " " + hexadecimal(mask));
}

// What a dead address line leaves: both places show what was written last.
void Saboteur::alias(const Act& act) {
  std::vector<std::byte> bytes(act.number);
  const cuda::Address to = place(act, act.offset);
  const cuda::Address from = place(act, act.other);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    touch(to + i);
    touch(from + i);
  }
  must(driver_->cuCtxSynchronize());
  must(driver_->cuMemcpyDtoH_v2(bytes.data(), from, bytes.size()));
  must(driver_->cuMemcpyHtoD_v2(to, bytes.data(), bytes.size()));
  log("alias " + hexadecimal(to) + " " + hexadecimal(from));
}

void Saboteur::spoil_result(const Launch& launch, const Act& act) {
  const auto known = std::find_if(kBlockResults.begin(), kBlockResults.end(),
                                  [&](const BlockResults& one) { return one.kernel == launch.kernel; });
  if (known == kBlockResults.end()) return;
  cuda::Address spans_on_device, results;
  std::memcpy(&spans_on_device, launch.arguments[0], sizeof spans_on_device);
  std::memcpy(&results, static_cast<std::byte*>(launch.arguments[1]) + known->place, sizeof results);
  const auto allocation = allocations_.find(results);
  if (allocation == allocations_.end()) refuse(launch.kernel + " has its results elsewhere");
  std::vector<SmSpan> spans(launch.grid[0]);
  must(driver_->cuCtxSynchronize());
  must(driver_->cuMemcpyDtoH_v2(spans.data(), spans_on_device, spans.size() * sizeof(SmSpan)));
  const std::size_t share = allocation->second.bytes / spans.size();
  for (std::size_t block = 0; block < spans.size(); ++block) {
    if (spans[block].begin == act.number) flip(results + block * share, act.mask, "multiprocessor");
  }
}

std::vector<std::pair<const Act*, std::size_t>> Saboteur::acts_on_copy(Kind kind, std::size_t bytes, int from, int to) {
  std::vector<std::pair<const Act*, std::size_t>> due;
  for (const Act& act : acts_) {
    if (act.kind != kind || bytes < act.number || act.from != from || act.to != to) continue;
    if (!is_due(act, ++copies_[&act])) continue;
    const std::int64_t offset = act.offset < 0 ? static_cast<std::int64_t>(bytes) + act.offset : act.offset;
    if (offset < 0 || static_cast<std::size_t>(offset) + sizeof(std::uint64_t) > bytes)
      refuse("the copy has no such word");
    due.emplace_back(&act, offset);
  }
  return due;
}

void Saboteur::copied_to_device(cuda::Address to, std::size_t bytes) {
  for (const auto& [act, offset] : acts_on_copy(Kind::copy_to_device, bytes)) {
    flip(to + offset, act->mask, "copy_to_device");
  }
}

void Saboteur::copied_to_host(void* to, std::size_t bytes) {
  for (const auto& [act, offset] : acts_on_copy(Kind::copy_to_host, bytes)) {
    std::byte* const place = static_cast<std::byte*>(to) + offset;
    std::uint64_t word;
    std::memcpy(&word, place, sizeof word);
    word ^= act->mask;
    std::memcpy(place, &word, sizeof word);
    log("copy_to_host " + hexadecimal(offset) + " " + hexadecimal(act->mask));
  }
}

void Saboteur::copied_to_peer(cuda::Address to, cuda::Context to_context, cuda::Context from_context,
                              std::size_t bytes) {
  for (const auto& [act, offset] :
       acts_on_copy(Kind::copy_to_peer, bytes, devices_[from_context], devices_[to_context])) {
    must(driver_->cuCtxSynchronize());
    must(driver_->cuCtxSetCurrent(to_context));
    flip(to + offset, act->mask, "copy_to_peer");
    must(driver_->cuCtxSetCurrent(current_));
  }
}

}  // namespace cutopsy::saboteur
