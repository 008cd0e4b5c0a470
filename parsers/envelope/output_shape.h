// What nothing but the output of a program looks like. Some wrappings are words that text can begin with as well; they
// are taken off only where such output follows.
#pragma once

#include <string_view>

namespace cutopsy {

/// True when `text` begins with a traceback's header, frame, source line or exception, with a rank's label, with a
/// dated timestamp, or with NCCL's "host:pid:tid [".
bool looks_like_output(std::string_view text);

}  // namespace cutopsy
