// What stops an archive bomb: how much an input may unpack to.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace cutopsy {

struct UnpackingBounds {
  std::uint64_t free_bytes = 1ULL << 30;  ///< that any input may unpack to
  std::uint64_t ratio = 250;      ///< beyond that: unpacked bytes for each packed one; logs pack to 1/10 to 1/100
  std::size_t members = 100'000;  ///< of an archive and those in it
};

/// Counts what one input unpacks to, over all its layers and members. Logs are read in constant memory, so that a bomb
/// costs time only; this bounds the time. Thread-safe.
class UnpackingLimit {
 public:
  explicit UnpackingLimit(std::string name, const UnpackingBounds& bounds = {})
      : name_(std::move(name)), bounds_(bounds) {}

  /// So much more of the input itself was read, or will be.
  void add_packed(std::uint64_t bytes) { packed_ += bytes; }
  /// Throws SourceError when that is more than the input may unpack to.
  void add_unpacked(std::uint64_t bytes);
  /// The same for a further member of an archive.
  void add_member();

  bool is_reached() const { return reached_; }

 private:
  std::string name_;
  UnpackingBounds bounds_;
  std::atomic<std::uint64_t> packed_ = 0;
  std::atomic<std::uint64_t> unpacked_ = 0;
  std::atomic<std::size_t> members_ = 0;
  std::atomic<bool> reached_ = false;
};

}  // namespace cutopsy
