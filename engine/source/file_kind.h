// What a file is, by its first bytes; names and suffixes say nothing of a pipe and lie of renamed files.
#pragma once

#include <cstddef>
#include <string_view>

namespace cutopsy {

enum class Compression { none, gzip, bzip2, xz, zstd, lz4 };

enum class Archive { none, zip, tar };

struct FileKind {
  Compression compression = Compression::none;
  Archive archive = Archive::none;
  std::string_view refusal;  ///< what the file is and what to do, when it is no log that can be read; else ""
};

/// Text, and whatever is not known, is of no kind: all members empty.
FileKind file_kind(std::string_view first_bytes);

/// As many first bytes as file_kind() looks at.
inline constexpr std::size_t kTellingBytes = 512;

}  // namespace cutopsy
