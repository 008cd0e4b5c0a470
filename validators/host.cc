#include "validators/host.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace cutopsy {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostNames = 10'000;

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&free)> real(realpath(path.c_str(), nullptr), free);
  return real ? std::string(real.get()) : "";
}

// Opens `path` as if `root` were the root folder: openat2(2), RESOLVE_IN_ROOT; before Linux 5.6, and where a sandbox
// forbids it, only what lies below the root by its links' own words.
int open_below(const std::string& root, const std::string& path, int flags) {
  const int folder = open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_IN_ROOT;
  const auto file = static_cast<int>(syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how));
  const bool is_unknown = file < 0 && (errno == ENOSYS || errno == EPERM);
  close(folder);
  if (!is_unknown) return file;
  const std::string within = real_path(root), real = real_path(root + path);
  return !within.empty() && real.starts_with(within) ? open(real.c_str(), flags) : -1;
}

}  // namespace

int Host::open(std::string_view path, int flags) const {
  const std::string name(path);
  return root_.empty() ? ::open(name.c_str(), flags | O_CLOEXEC) : open_below(root_, name, flags | O_CLOEXEC);
}

std::string Host::at(std::string_view path) const {
  std::string whole = root_ + std::string(path);
  if (root_.empty()) return whole;
  // The name that the kernel gives to what stands there.
  const int file = open(path, O_PATH);
  if (file < 0) return access(whole.c_str(), F_OK) == 0 ? "" : whole;
  std::string real = real_path("/proc/self/fd/" + std::to_string(file));
  close(file);
  return real;
}

std::optional<std::string> Host::read(std::string_view path) const {
  // Not blocking: a path of a copy may be a FIFO.
  const int file = open(path, O_RDONLY | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::string text;
  std::vector<char> buffer(4096);
  ssize_t got = 0;
  while (text.size() < kMostBytes && (got = ::read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(file);
  if (got < 0 && text.empty()) return std::nullopt;
  return text;
}

std::optional<std::string> Host::value(std::string_view path) const {
  auto text = read(path);
  if (!text) return std::nullopt;
  static constexpr std::string_view kSpace{" \t\r\n\0", 5};
  const std::size_t from = text->find_first_not_of(kSpace);
  if (from == std::string::npos) return "";
  return text->substr(from, text->find_last_not_of(kSpace) + 1 - from);
}

std::optional<std::uint64_t> Host::number(std::string_view path) const {
  const auto text = value(path);
  if (!text || text->empty()) return std::nullopt;
  const bool hexadecimal = text->starts_with("0x");
  const char* const from = text->data() + (hexadecimal ? 2 : 0);
  const char* const to = text->data() + text->size();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(from, to, number, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != to) return std::nullopt;
  return number;
}

bool Host::exists(std::string_view path) const {
  const int file = open(path, O_PATH);
  if (file >= 0) close(file);
  return file >= 0;
}

std::vector<std::string> Host::list(std::string_view path) const {
  std::vector<std::string> names;
  const int file = open(path, O_RDONLY | O_DIRECTORY);
  if (file < 0) return names;
  DIR* const folder = fdopendir(file);
  if (!folder) {
    close(file);
    return names;
  }
  while (const dirent* entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    names.emplace_back(name);
    if (names.size() == kMostNames) break;
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> Host::link(std::string_view path) const {
  std::vector<char> target(PATH_MAX);
  const int file = open(path, O_PATH | O_NOFOLLOW);
  if (file < 0) return std::nullopt;
  const ssize_t length = readlinkat(file, "", target.data(), target.size());
  close(file);
  if (length < 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

}  // namespace cutopsy
