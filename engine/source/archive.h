// The logs in a zip or tar archive, read in place: nothing is written to disk.
//
// libarchive reads the formats. Compressed members and a tar's own compression go through the decoders of
// decompressor.h, which give what stands before a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/source/byte_source.h"
#include "engine/source/file_kind.h"
#include "engine/source/unpacking_limit.h"

namespace cutopsy {

/// What several threads that read one zip archive share it by: of its members each takes every `of`-th.
struct ArchivePart {
  std::size_t number = 0;
  std::size_t of = 1;
};

/// What came of an archive besides its logs.
struct ArchiveNotes {
  struct Error {
    std::size_t number = 0;  ///< of the member of the outermost archive at which it was met
    std::string text;        ///< says what to do
  };
  std::map<std::string, std::size_t> skipped;  ///< members that are no logs: how many, by reason
  std::vector<Error> errors;
};

/// A log in an archive. Its name is the archive's, then '/' and its path there without "..", a drive or a leading '/'
/// (a second one of a name has "#2" behind it).
struct ArchiveMember {
  std::string name;
  std::size_t number = 0;  ///< of the member of the outermost archive that it is or stands in
  ByteSource& text;        ///< a damaged one gives what can be read, then throws SourceError
};

/// Shows every log in the archive to `see`, in its order, also those of archives in it; those of archives in these are
/// not read. Names decide as below a folder what is a log. A damaged member or end becomes an error and the rest is
/// read where the format allows that.
class ArchiveReader {
 public:
  using See = std::function<void(const ArchiveMember&)>;

  ArchiveReader(std::shared_ptr<UnpackingLimit> limit, See see) : limit_(std::move(limit)), see_(std::move(see)) {}

  /// `path`: of a file of this kind, which counts as packed. `on_read`, if given, is told of its bytes as they are
  /// read. Throws SourceError when it cannot be opened.
  void read_file(const std::string& path, Archive kind, ArchivePart part = {},
                 const std::function<void(std::uint64_t)>& on_read = {});
  /// The same for bytes that cannot be read out of order.
  void read_stream(ByteSource& bytes, const std::string& name, Archive kind);

  const ArchiveNotes& notes() const { return notes_; }

 private:
  struct Level;

  void read_members(Level& level);
  bool read_next(Level& level);
  static std::string_view reason_to_skip(const Level& level, const std::string& path);
  void read_member(Level& level, const std::string& path);
  void read_nested(Level& level, ByteSource& bytes, const std::string& name, Archive kind);

  std::shared_ptr<UnpackingLimit> limit_;
  See see_;
  ArchiveNotes notes_;
};

}  // namespace cutopsy
