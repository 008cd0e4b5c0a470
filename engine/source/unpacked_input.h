// An input without the compression around it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/source/byte_source.h"
#include "engine/source/file_kind.h"
#include "engine/source/unpacking_limit.h"

namespace cutopsy {

struct UnpackedInput {
  std::unique_ptr<ByteSource> bytes;
  FileKind kind;                 ///< of the bytes; never a compressed one
  bool was_compressed = false;   ///< once or more
  std::string_view first_bytes;  ///< valid until the first read
};

/// Takes the compression off `packed` as far as it is compressed (recognised by its bytes). What that unpacks to counts
/// for `limit`. Throws SourceError when it is compressed too often; a fault met later is thrown by read(), when all
/// bytes before it have been read.
UnpackedInput unpack(std::unique_ptr<ByteSource> packed, const std::string& name,
                     std::shared_ptr<UnpackingLimit> limit);

}  // namespace cutopsy
