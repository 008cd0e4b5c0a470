#include "engine/source/unpacked_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "engine/source/compressed_source.h"

namespace cutopsy {
namespace {

// True when bytes that come from a pipe, however few, can only be text: no archive has such a first line.
bool starts_with_text_line(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == bytes.npos || bytes.starts_with("BZh") || bytes.starts_with("PK")) return false;
  return std::ranges::all_of(bytes.substr(0, end),
                             [](unsigned char c) { return c >= ' ' || c == '\t' || c == '\r' || c == '\x1b'; });
}

// A source whose first bytes can be looked at before they are read. An error met on the way is thrown when all bytes
// before it have been read.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)), first_(4096) {
    std::size_t have = 0;
    try {
      while (have < kTellingBytes && !starts_with_text_line({first_.data(), have})) {
        const std::size_t got = source_->read(std::span(first_).subspan(have));
        if (got == 0) break;
        have += got;
      }
    } catch (const SourceError&) {
      error_ = std::current_exception();
    }
    first_.resize(have);
  }

  std::string_view first_bytes() const { return {first_.data(), first_.size()}; }

  std::size_t read(std::span<char> buffer) override {
    if (at_ == first_.size()) {
      if (error_) std::rethrow_exception(error_);
      return source_->read(buffer);
    }
    const std::size_t bytes = std::min(buffer.size(), first_.size() - at_);
    std::memcpy(buffer.data(), first_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> first_;
  std::size_t at_ = 0;
  std::exception_ptr error_;
};

}  // namespace

UnpackedInput unpack(std::unique_ptr<ByteSource> packed, const std::string& name,
                     std::shared_ptr<UnpackingLimit> limit) {
  constexpr int kMaxLayers = 4;  // logs that were compressed twice exist
  for (int layers = 0; layers < kMaxLayers; ++layers) {
    auto peeked = std::make_unique<PeekedSource>(std::move(packed));
    const FileKind kind = file_kind(peeked->first_bytes());
    if (kind.compression == Compression::none) {
      const std::string_view first_bytes = peeked->first_bytes();
      return {std::move(peeked), kind, layers > 0, first_bytes};
    }
    packed = std::make_unique<CompressedSource>(std::move(peeked), kind.compression, name, limit);
  }
  throw SourceError(fmt::format("{}: is compressed more than {} times; unpack it first", name, kMaxLayers));
}

}  // namespace cutopsy
