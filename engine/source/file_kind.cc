#include "engine/source/file_kind.h"

namespace cutopsy {
namespace {

using enum Compression;
using std::string_view_literals::operator""sv;

struct Magic {
  std::string_view bytes;
  std::size_t offset;
  FileKind kind;
};

constexpr FileKind compressed(Compression compression) {
  return {compression, Archive::none, {}};
}

constexpr FileKind archive(Archive archive) {
  return {none, archive, {}};
}

constexpr FileKind refused(std::string_view refusal) {
  return {none, Archive::none, refusal};
}

// gzip: RFC 1952; bzip2: after a level, pi begins a block, its square root ends the stream; xz: doc/xz-file-format.txt
// in XZ Utils; Zstandard: RFC 8878; LZ4: lz4_Frame_format.md; zip: PKWARE's APPNOTE.TXT; tar: POSIX ustar; the journal:
// https://systemd.io/JOURNAL_FILE_FORMAT; the others: file(1)'s table.
constexpr Magic kMagics[] = {
    {"\x1f\x8b\x08"sv, 0, compressed(gzip)},
    {"1AY&SY"sv, 4, compressed(bzip2)},
    {"\x17rE8P\x90"sv, 4, compressed(bzip2)},
    {"\xFD"
     "7zXZ\0"sv,
     0, compressed(xz)},
    {"\x28\xB5\x2F\xFD"sv, 0, compressed(zstd)},
    {"\x04\x22\x4D\x18"sv, 0, compressed(lz4)},

    {"PK\x03\x04"sv, 0, archive(Archive::zip)},
    {"PK\x05\x06"sv, 0, archive(Archive::zip)},
    {"ustar"sv, 257, archive(Archive::tar)},
    {"7z\xBC\xAF\x27\x1C"sv, 0, refused("is a 7z archive; unpack it and name the log files in it")},
    {"Rar!\x1A\x07"sv, 0, refused("is a rar archive; unpack it and name the log files in it")},
    {"\x1f\x9d"sv, 0, refused("is compressed with compress(1); unpack it first: uncompress -c FILE | cutopsy")},
    {"LZIP"sv, 0, refused("is compressed with lzip; unpack it first: lzip -dc FILE | cutopsy")},
    {"\x02\x21\x4C\x18"sv, 0, refused("is in lz4's legacy format; unpack it first: lz4 -dc FILE | cutopsy")},
    {"LPKSHHRH"sv, 0, refused("is a systemd journal; export it: journalctl --file FILE -o json | cutopsy")},
};

}  // namespace

FileKind file_kind(std::string_view first_bytes) {
  for (const Magic& magic : kMagics) {
    if (first_bytes.size() > magic.offset && first_bytes.substr(magic.offset).starts_with(magic.bytes)) {
      return magic.kind;
    }
  }
  return {};
}

}  // namespace cutopsy
