// What is named on the command line, opened.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/source/archive.h"
#include "engine/source/byte_source.h"

namespace cutopsy {

/// Opens a file, or standard input for "-", as one text; what is compressed (recognised by its bytes) is read unpacked.
/// Throws SourceError when it cannot be opened or is no text: a folder, an archive, a journal.
std::unique_ptr<ByteSource> open_input(const std::string& name);

/// Reads all texts of an input: itself, or the logs in the archive that it is. One per input, or per part of it.
struct InputTexts {
  std::string name;                       ///< "-" for standard input
  std::shared_ptr<UnpackingLimit> limit;  ///< shared by the input's parts
  ArchivePart part = {};                  ///< other than the first only of a zip archive in a file
  std::function<std::unique_ptr<ByteSource>()> open_stdin = {};  ///< open_stdin() of byte_source.h if empty
  std::function<void(std::uint64_t)> on_read = {};               ///< told of bytes of the input as they are read

  /// Throws SourceError when the input cannot be opened; faults in a text are thrown where `see` reads it.
  ArchiveNotes read(const ArchiveReader::See& see) const;
};

/// True for what several InputTexts can read in parts.
bool can_be_shared(const std::string& path);

}  // namespace cutopsy
