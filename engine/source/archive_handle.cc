#include "engine/source/archive_handle.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace cutopsy {
namespace {

// libarchive gives what a decoder has made of a block of input only when the whole block was good. Small blocks lose
// little before a fault.
constexpr std::size_t kZipBlock = 1024;
constexpr std::size_t kTarBlock = 64 * 1024;

std::size_t block_of(Archive kind) {
  return kind == Archive::zip ? kZipBlock : kTarBlock;
}

// libarchive gives no name that the thread's locale cannot hold.
class Utf8Names {
 public:
  Utf8Names() : before_(locale() ? uselocale(locale()) : nullptr) {}
  ~Utf8Names() {
    if (before_) uselocale(before_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  static locale_t locale() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return utf8;
  }

  locale_t before_;
};

}  // namespace

void ArchiveHandle::Free::operator()(archive* handle) const {
  archive_read_free(handle);
}

void ArchiveHandle::open(Archive kind) {
  archive_.reset(archive_read_new());
  if (!archive_) throw std::bad_alloc();
  if (kind == Archive::zip) {
    archive_read_support_format_zip(archive_.get());
  } else {
    archive_read_support_format_tar(archive_.get());
  }
}

ArchiveHandle::ArchiveHandle(const std::string& path, Archive kind) {
  open(kind);
  if (archive_read_open_filename(archive_.get(), path.c_str(), block_of(kind)) < ARCHIVE_WARN) {
    throw SourceError(fmt::format("{}: {}; check the file", path, fault()));
  }
}

ArchiveHandle::ArchiveHandle(ByteSource& bytes, Archive kind) : bytes_(&bytes), buffer_(block_of(kind)) {
  open(kind);
  dead_ = archive_read_open(archive_.get(), this, nullptr, read_bytes, nullptr) < ARCHIVE_WARN;
}

ArchiveHandle::~ArchiveHandle() = default;

// What comes before an error is read like a whole archive's beginning; next() tells of the error at its end.
long ArchiveHandle::read_bytes(archive*, void* self, const void** bytes) {
  auto& handle = *static_cast<ArchiveHandle*>(self);
  *bytes = handle.buffer_.data();
  if (handle.over_) return 0;
  try {
    return static_cast<long>(handle.bytes_->read(handle.buffer_));
  } catch (const SourceError&) {
    handle.error_ = std::current_exception();
    handle.over_ = true;
    return 0;
  }
}

ArchiveHandle::Step ArchiveHandle::next() {
  data_size_ = 0;
  if (dead_) return Step::end;
  const Utf8Names names;
  const int status = archive_read_next_header(archive_.get(), &entry_);
  dead_ = status == ARCHIVE_FATAL || status == ARCHIVE_EOF;
  if (dead_ && error_) std::rethrow_exception(std::exchange(error_, nullptr));
  if (status == ARCHIVE_EOF) return Step::end;
  return status == ARCHIVE_OK || status == ARCHIVE_WARN ? Step::member : Step::fault;
}

std::string ArchiveHandle::fault() const {
  const char* text = archive_error_string(archive_.get());
  std::string fault = text ? text : "unknown fault";
  while (fault.ends_with(' ')) fault.pop_back();
  return fault;
}

ArchiveHandle::Type ArchiveHandle::type() const {
  if (archive_entry_hardlink(entry_)) return Type::other;
  if (archive_entry_filetype(entry_) == AE_IFDIR) return Type::folder;
  return archive_entry_filetype(entry_) == AE_IFREG ? Type::file : Type::other;
}

std::string ArchiveHandle::path() const {
  const Utf8Names names;
  const char* path = archive_entry_pathname_utf8(entry_);
  if (!path) path = archive_entry_pathname(entry_);
  return path ? path : "";
}

bool ArchiveHandle::is_encrypted() const {
  return archive_entry_is_data_encrypted(entry_) != 0;
}

std::size_t ArchiveHandle::read(std::span<char> buffer) {
  while (data_size_ == 0) {
    const void* data = nullptr;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(archive_.get(), &data, &data_size_, &offset);
    data_ = static_cast<const char*>(data);
    if (status == ARCHIVE_EOF) return 0;
    if (status == ARCHIVE_OK) continue;
    data_size_ = 0;
    throw SourceError(fault());
  }
  const std::size_t bytes = std::min(buffer.size(), data_size_);
  std::memcpy(buffer.data(), data_, bytes);
  data_ += bytes;
  data_size_ -= bytes;
  return bytes;
}

std::uint64_t ArchiveHandle::bytes_read() const {
  return static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_.get(), -1)));
}

}  // namespace cutopsy
