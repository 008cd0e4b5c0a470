// Bytes of one input: a file or standard input. Reads; never maps (a mapped file counts as resident memory).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace cutopsy {

/// An input that cannot be read. `what()` names it and says what to do.
class SourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `buffer` as far as one read goes; 0 at the end. Throws SourceError.
  virtual std::size_t read(std::span<char> buffer) = 0;
};

/// Opens a file; throws SourceError when it is missing, unreadable or a folder.
std::unique_ptr<ByteSource> open_file(const std::string& path);
std::unique_ptr<ByteSource> open_stdin();
/// Text in memory (rule examples, tests); the text is copied.
std::unique_ptr<ByteSource> open_text(std::string text);

}  // namespace cutopsy
