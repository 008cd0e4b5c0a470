// Writing a file so that readers see the old one or the new one, never a part.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// Writes a file beside `path`, brings it to the disk and gives it the name; the mode of an older file stays. What is
/// no regular file (a pipe, a device) is written to as it is. Returns "" or what went wrong; `path` is then as it was.
std::string write_whole_file(const std::string& path, std::string_view text);

}  // namespace cutopsy
