// What is named on the command line, opened as text.
#pragma once

#include <memory>
#include <string>

#include "engine/source/byte_source.h"

namespace cutopsy {

/// Opens a file, or standard input for "-"; what is compressed (recognised by its bytes) is read unpacked. Throws
/// SourceError when it cannot be opened or is no text: a folder, an archive, a journal.
std::unique_ptr<ByteSource> open_input(const std::string& name);

/// The same for bytes that are open already.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source, const std::string& name);

}  // namespace cutopsy
