// The bytes that a compressed file or pipe holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/source/byte_source.h"
#include "engine/source/decompressor.h"
#include "engine/source/unpacking_limit.h"

namespace cutopsy {

/// Decompresses while it reads, in constant memory; members that follow each other are one text, as for zcat. What a
/// corrupt or truncated input still yields is given before the SourceError that names `name`.
class CompressedSource : public ByteSource {
 public:
  /// `packed` begins with the magic of `compression`. What it unpacks to counts for `limit`.
  CompressedSource(std::unique_ptr<ByteSource> packed, Compression compression, std::string name,
                   std::shared_ptr<UnpackingLimit> limit);
  std::size_t read(std::span<char> buffer) override;

 private:
  bool fill();
  bool begin_member();
  [[noreturn]] void fail(const char* why) const;

  std::unique_ptr<ByteSource> packed_;
  Compression compression_;
  std::string name_;
  std::shared_ptr<UnpackingLimit> limit_;
  std::unique_ptr<Decompressor> decompressor_;  // null between members
  std::vector<char> buffer_;                    // packed bytes; those from at_ to filled_ are still to be decoded
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  bool wants_input_ = false;  // the decompressor has nothing left to decode or to give
  const char* fault_ = "";    // of the last step, to be thrown by the next read
};

}  // namespace cutopsy
