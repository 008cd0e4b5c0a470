// libarchive's reader with errors as values and its memory owned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "engine/source/byte_source.h"
#include "engine/source/file_kind.h"

struct archive;
struct archive_entry;

namespace cutopsy {

/// An open archive and the member at which it stands. Not thread-safe.
class ArchiveHandle {
 public:
  /// Throws SourceError when the file cannot be opened.
  ArchiveHandle(const std::string& path, Archive kind);
  /// `bytes` must stay until the handle is gone.
  ArchiveHandle(ByteSource& bytes, Archive kind);
  ~ArchiveHandle();
  ArchiveHandle(const ArchiveHandle&) = delete;
  ArchiveHandle& operator=(const ArchiveHandle&) = delete;

  enum class Step { member, fault, end };
  /// Goes on to the next member. After a fault, which fault() describes, the next call looks for a further one. Throws
  /// what ended the bytes early.
  Step next();
  std::string fault() const;

  enum class Type { file, folder, other };
  Type type() const;
  std::string path() const;  ///< as it stands in the archive, in UTF-8 where that is known; "" when it has none
  bool is_encrypted() const;

  /// Some of the member's data, as ByteSource::read(); throws SourceError without the member's name.
  std::size_t read(std::span<char> buffer);

  std::uint64_t bytes_read() const;  ///< of the archive, so far

 private:
  static long read_bytes(archive*, void* self, const void** bytes);

  struct Free {
    void operator()(archive* handle) const;
  };
  void open(Archive kind);

  std::unique_ptr<archive, Free> archive_;
  archive_entry* entry_ = nullptr;
  ByteSource* bytes_ = nullptr;
  std::vector<char> buffer_;    // of bytes_
  std::exception_ptr error_;    // thrown by bytes_, to be told of
  bool over_ = false;           // bytes_ gives no more
  const char* data_ = nullptr;  // of the member, not yet given
  std::size_t data_size_ = 0;
  bool dead_ = false;  // nothing more can be read
};

}  // namespace cutopsy
