#include "engine/live/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "engine/live/write_all.h"

namespace cutopsy {
namespace {

constexpr mode_t kNewFile = 0666;

std::string last_error() {
  return std::strerror(errno);
}

std::string write_open(int descriptor, std::string_view text) {
  std::string error;
  if (!write_all(descriptor, text)) error = last_error();
  if (close(descriptor) != 0 && error.empty()) error = last_error();
  return error;
}

// Where a link leads, so that the link stays one.
std::string target_of(const std::string& path) {
  const std::unique_ptr<char, decltype(&free)> target(realpath(path.c_str(), nullptr), free);
  return target ? std::string(target.get()) : path;
}

// The name is on the disk when its folder is.
void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);  // some file systems know no such thing; the file itself is written
  close(descriptor);
}

std::string write_part(const std::string& part, std::string_view text, mode_t mode, bool replaces) {
  std::remove(part.c_str());  // of a process of the same number that was killed
  const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return last_error();
  std::string error;
  if (!write_all(descriptor, text) || (replaces && fchmod(descriptor, mode) != 0) || fsync(descriptor) != 0)
    error = last_error();
  if (close(descriptor) != 0 && error.empty()) error = last_error();
  return error;
}

}  // namespace

std::string write_whole_file(const std::string& path, std::string_view text) {
  const std::string target = target_of(path);
  struct stat old {};
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return std::strerror(EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    const int descriptor = open(target.c_str(), O_WRONLY | O_CLOEXEC);
    return descriptor < 0 ? last_error() : write_open(descriptor, text);
  }
  const std::string part = fmt::format("{}.{}.part", target, getpid());
  std::string error = write_part(part, text, exists ? old.st_mode & 07777 : kNewFile, exists);
  if (error.empty() && std::rename(part.c_str(), target.c_str()) != 0) error = last_error();
  if (error.empty()) {
    sync_folder(target);
  } else {
    std::remove(part.c_str());
  }
  return error;
}

}  // namespace cutopsy
