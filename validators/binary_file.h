// A file that is read here and there, never trusted and never mapped: a library of several GB costs what is looked at,
// and one that shrinks under our hands gives an error instead of a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

class BinaryFile {
 public:
  /// Only regular files open; otherwise `*why_not` says what is wrong.
  static std::optional<BinaryFile> open(const std::string& path, std::string* why_not);
  BinaryFile(BinaryFile&& other) noexcept;
  BinaryFile& operator=(BinaryFile&&) = delete;
  BinaryFile(const BinaryFile&) = delete;
  BinaryFile& operator=(const BinaryFile&) = delete;
  ~BinaryFile();

  std::uint64_t size() const { return size_; }
  /// Exactly `bytes` bytes at `offset`; false when the file has not that many there.
  bool read(std::uint64_t offset, void* to, std::size_t bytes) const;

 private:
  BinaryFile(int file, std::uint64_t size) : file_(file), size_(size) {}

  int file_;
  std::uint64_t size_;
};

/// A part of a file; it lies within the file.
struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// What is read of an ELF file (64 bit, little endian): https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
class ElfFile {
 public:
  /// No value when `file` is no such file or its tables lead nowhere. `file` must outlive it.
  static std::optional<ElfFile> parse(const BinaryFile& file);

  /// The sections of that name, those that are no part of the file (.bss) excepted.
  std::vector<FileRange> sections(std::string_view name) const;
  /// The first `most` bytes, or fewer, of the code of a function that the library exports; empty when it exports none
  /// of that name.
  std::vector<unsigned char> function(std::string_view name, std::size_t most) const;
  /// EM_X86_64, EM_AARCH64, ...
  unsigned machine() const { return machine_; }

 private:
  struct Section {
    std::string name;
    std::uint32_t type;
    std::uint64_t address;
    FileRange range;
    std::uint32_t link;  // index of another section
  };

  const BinaryFile* file_ = nullptr;
  unsigned machine_ = 0;
  std::vector<Section> sections_;
};

}  // namespace cutopsy
