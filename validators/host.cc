#include "validators/host.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstddef>

namespace cutopsy {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kMostNames = 10'000;

}  // namespace

std::optional<std::string> Host::read(std::string_view path) const {
  // Not blocking: a path of a copy may be a FIFO.
  const int file = open(at(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
  return access(at(path).c_str(), F_OK) == 0;
}

std::vector<std::string> Host::list(std::string_view path) const {
  std::vector<std::string> names;
  DIR* const folder = opendir(at(path).c_str());
  if (!folder) return names;
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
  const ssize_t length = readlink(at(path).c_str(), target.data(), target.size());
  if (length < 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

}  // namespace cutopsy
