#include "engine/source/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/source/interruption.h"

namespace cutopsy {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(int descriptor, std::string name, bool owned)
      : descriptor_(descriptor), name_(std::move(name)), owned_(owned), size_(size()) {}
  ~FileSource() override {
    if (owned_) close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    while (true) {
      throw_if_interrupted(name_);
      ssize_t bytes = ::read(descriptor_, buffer.data(), buffer.size());
      if (bytes == 0) check_truncation();
      read_ += std::max<ssize_t>(bytes, 0);
      if (bytes >= 0) return static_cast<std::size_t>(bytes);
      if (errno != EINTR) {
        throw SourceError(
            fmt::format("{}: reading failed: {}; what was read before is reported", name_, std::strerror(errno)));
      }
    }
  }

 private:
  // 0 for what is no regular file.
  off_t size() const {
    struct stat status {};
    return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : 0;
  }

  // Files of /proc have no size, or always the same.
  void check_truncation() const {
    const off_t size_at_end = size();
    if (size_at_end >= size_ || size_at_end >= read_) return;
    throw SourceError(fmt::format(
        "{}: was truncated while it was read; what was read before is reported, name it again for the rest", name_));
  }

  int descriptor_;
  std::string name_;
  bool owned_;
  off_t size_;      // at the beginning
  off_t read_ = 0;  // bytes
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<char> buffer) override {
    std::size_t bytes = std::min(buffer.size(), text_.size() - at_);
    std::memcpy(buffer.data(), text_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const char* advice = errno == ENOENT   ? "check the path"
                         : errno == EACCES ? "make it readable for this user"
                                           : "check the file";
    throw SourceError(fmt::format("{}: {}; {}", path, std::strerror(errno), advice));
  }
  auto source = std::make_unique<FileSource>(descriptor, path, true);
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw SourceError(fmt::format("{}: is a folder; name the log files in it, e.g. {}/*.log", path, path));
  }
  return source;
}

std::unique_ptr<ByteSource> open_stdin() {
  return std::make_unique<FileSource>(STDIN_FILENO, "standard input", false);
}

std::unique_ptr<ByteSource> open_text(std::string text) {
  return std::make_unique<TextSource>(std::move(text));
}

}  // namespace cutopsy
