// Stands between a program and its CUDA driver: sees every call, and spoils what CUTOPSY_SABOTAGE names.
//
// Device memory is changed through the real driver's own copies, so that it works in front of any driver. Not
// thread-safe: for programs that call the driver from one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/saboteur/acts.h"
#include "tests/saboteur/launch.h"
#include "tests/saboteur/sparse_pattern.h"
#include "validators/cuda_driver.h"

namespace cutopsy::saboteur {

class Saboteur {
 public:
  /// Opens the driver that CUTOPSY_SABOTEUR_DRIVER names by its path.
  static Saboteur& instance();

  const CudaDriver& driver() const { return *driver_; }

  /// Before any call: 0, or the error with which it is to end.
  cuda::Result before(std::string_view function);
  cuda::Result launch(Launch launch);

  // After calls that succeeded.
  void allocated(cuda::Address address, std::size_t bytes);
  void freed(cuda::Address address) { allocations_.erase(address); }
  void retained(cuda::Context context, cuda::Device device) { devices_[context] = device; }
  void made_current(cuda::Context context) { current_ = context; }
  void found(cuda::Function function, const char* kernel) { kernels_[function] = kernel; }
  void copied_to_device(cuda::Address to, std::size_t bytes);
  void copied_to_host(void* to, std::size_t bytes);
  void copied_to_peer(cuda::Address to, cuda::Context to_context, cuda::Context from_context, std::size_t bytes);

 private:
  struct Allocation {
    std::uint64_t number;  // counted from 1
    std::size_t bytes;
  };

  Saboteur();
  // Whether it is the act's turn; `times` counts what the act counts.
  static bool is_due(const Act& act, std::uint64_t times) { return act.nth == Act::kEvery || act.nth == times; }
  cuda::Address place(const Act& act, std::int64_t offset) const;
  void flip(cuda::Address word, std::uint64_t mask, const char* why);
  void alias(const Act& act);
  void touch(cuda::Address address);
  void spoil_result(const Launch& launch, const Act& act);
  // The acts whose turn a copy is, each with the offset of its word.
  std::vector<std::pair<const Act*, std::size_t>> acts_on_copy(Kind kind, std::size_t bytes, int from = 0, int to = 0);

  std::vector<Act> acts_;
  std::unique_ptr<CudaDriver> driver_;
  std::unique_ptr<SparsePattern> sparse_;  // when asked for
  std::map<cuda::Address, Allocation> allocations_;
  std::uint64_t allocations_made_ = 0;
  std::map<cuda::Function, std::string> kernels_;
  std::map<cuda::Context, cuda::Device> devices_;
  cuda::Context current_ = nullptr;
  std::map<std::string, std::uint64_t, std::less<>> calls_, launches_;
  std::map<const Act*, std::uint64_t> copies_;
};

}  // namespace cutopsy::saboteur
