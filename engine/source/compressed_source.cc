#include "engine/source/compressed_source.h"

#include <fmt/format.h>

#include <cstring>

namespace cutopsy {

CompressedSource::CompressedSource(std::unique_ptr<ByteSource> packed, Compression compression, std::string name,
                                   std::shared_ptr<UnpackingLimit> limit)
    : packed_(std::move(packed)),
      compression_(compression),
      name_(std::move(name)),
      limit_(std::move(limit)),
      buffer_(64 * 1024) {}

void CompressedSource::fail(const char* why) const {
  throw SourceError(fmt::format("{}: {}; what could be unpacked before that is reported", name_, why));
}

// Adds packed bytes to the buffer; false at their end.
bool CompressedSource::fill() {
  std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
  filled_ -= at_;
  at_ = 0;
  if (filled_ == buffer_.size()) return false;
  const std::size_t got = packed_->read(std::span(buffer_).subspan(filled_));
  filled_ += got;
  return got > 0;
}

// Between members: false when there is no further one. Zeros that fill up a block of a tape or disk are skipped.
bool CompressedSource::begin_member() {
  constexpr std::size_t kLongestMagic = 10;
  while (true) {
    while (at_ < filled_ && buffer_[at_] == '\0') ++at_;
    if (filled_ - at_ >= kLongestMagic || !fill()) break;
  }
  if (at_ == filled_) return false;
  if (file_kind({buffer_.data() + at_, filled_ - at_}).compression != compression_) {
    fail("other data follows the compressed data and was left out");
  }
  decompressor_ = make_decompressor(compression_);
  return true;
}

std::size_t CompressedSource::read(std::span<char> buffer) {
  if (*fault_ != '\0') fail(fault_);
  while (true) {
    if (!decompressor_ && !begin_member()) return 0;
    if (wants_input_ && !fill()) fail("the compressed data is cut off");
    const auto packed = std::span(buffer_).subspan(at_, filled_ - at_);
    const Decompressor::Step step = decompressor_->step(packed, buffer);
    at_ += step.consumed;
    fault_ = step.fault;
    // A decoder that filled the buffer may hold more than that.
    wants_input_ = !step.ended && step.produced < buffer.size() && (at_ == filled_ || step.consumed == 0);
    if (step.ended) decompressor_.reset();
    limit_->add_unpacked(step.produced);
    if (step.produced > 0) return step.produced;
    if (*fault_ != '\0') fail(fault_);
  }
}

}  // namespace cutopsy
