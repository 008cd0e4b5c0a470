#include "validators/library_search.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 8> kSystemFolders = {"/lib/x86_64-linux-gnu",
                                                            "/usr/lib/x86_64-linux-gnu",
                                                            "/lib/aarch64-linux-gnu",
                                                            "/usr/lib/aarch64-linux-gnu",
                                                            "/lib64",
                                                            "/usr/lib64",
                                                            "/lib",
                                                            "/usr/lib"};
constexpr int kMostLinks = 16;
constexpr std::size_t kMostCached = 50'000;

constexpr std::string_view kCacheMagic = "glibc-ld.so.cache1.1";
constexpr std::size_t kCacheHeader = 48;
constexpr std::size_t kCacheEntry = 24;
constexpr std::uint32_t kCacheAbi = 0xff00;  // of an entry's flags
constexpr std::uint32_t kAbiX8664 = 0x0300;
constexpr std::uint32_t kAbiAarch64 = 0x0a00;

std::uint32_t number_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

// Names and paths of the libraries of 64 bits.
std::vector<std::pair<std::string, std::string>> parse_cache(std::string_view bytes) {
  std::vector<std::pair<std::string, std::string>> libraries;
  const std::size_t start = bytes.find(kCacheMagic);  // an older table may stand in front
  if (start == std::string_view::npos) return libraries;
  bytes.remove_prefix(start);
  if (bytes.size() < kCacheHeader) return libraries;
  const std::size_t count = std::min<std::size_t>(number_at(bytes, kCacheMagic.size()), kMostCached);
  for (std::size_t i = 0; i < count && kCacheHeader + (i + 1) * kCacheEntry <= bytes.size(); ++i) {
    const std::size_t entry = kCacheHeader + i * kCacheEntry;
    const std::uint32_t abi = number_at(bytes, entry) & kCacheAbi;
    if (abi != kAbiX8664 && abi != kAbiAarch64) continue;
    const auto text = [&](std::uint32_t offset) {
      if (offset >= bytes.size()) return std::string();
      const std::string_view rest = bytes.substr(offset, 4096);
      return std::string(rest.substr(0, rest.find('\0')));
    };
    libraries.emplace_back(text(number_at(bytes, entry + 4)), text(number_at(bytes, entry + 8)));
  }
  return libraries;
}

std::vector<std::string> split_folders(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find_first_of(":;"));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    if (!entry.starts_with('/')) continue;  // relative to a working folder that we do not have
    std::string folder = std::filesystem::path(entry).lexically_normal().string();
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    folders.push_back(std::move(folder));
  }
  return folders;
}

bool has_component(std::string_view path, std::string_view name) {
  const std::string part = "/" + std::string(name) + "/";
  return path.find(part) != std::string_view::npos;
}

}  // namespace

std::string FoundLibrary::version() const {
  const std::size_t so = file.rfind(".so.");
  if (so == std::string::npos) return "";
  std::string version = file.substr(so + 4);
  const bool dotted = version.find('.') != std::string::npos;
  return dotted && version.find_first_not_of("0123456789.") == std::string::npos ? version : "";
}

bool FoundLibrary::is_below(std::string_view folder_name) const {
  return has_component(path, folder_name) || has_component(file, folder_name);
}

LibrarySearch::LibrarySearch(const Host& host, const Job& job) : host_(host), root_(job.root()) {
  variable_folders_ = split_folders(job.variable("LD_LIBRARY_PATH").value_or(""));
  if (const auto cache = host.read(root_ + "/etc/ld.so.cache")) cache_ = parse_cache(*cache);
}

std::optional<FoundLibrary> LibrarySearch::find(std::string_view soname) const {
  for (const std::string& folder : variable_folders_) {
    if (auto found = find_in(folder, soname)) {
      found->from_variable = true;
      return found;
    }
  }
  return find_installed(soname);
}

std::optional<FoundLibrary> LibrarySearch::find_installed(std::string_view soname) const {
  for (const auto& [name, path] : cache_) {
    if (name != soname || !path.starts_with('/') || !path.ends_with("/" + name)) continue;
    if (auto found = follow(path)) return found;
  }
  for (const std::string_view folder : kSystemFolders) {
    if (auto found = find_in(std::string(folder), soname)) return found;
  }
  return std::nullopt;
}

std::optional<FoundLibrary> LibrarySearch::find_in(const std::string& folder, std::string_view soname) const {
  return follow(folder + "/" + std::string(soname));
}

// Links are followed here and not by the system: below another root an absolute one would lead out of it.
std::optional<FoundLibrary> LibrarySearch::follow(const std::string& path) const {
  FoundLibrary library{path, path, false};
  for (int i = 0; i < kMostLinks; ++i) {
    const auto target = host_.link(root_ + library.file);
    if (!target || target->empty()) break;
    // An absolute target replaces the folder; ".." cannot lead above the root.
    library.file = (std::filesystem::path(library.file).parent_path() / *target).lexically_normal().string();
  }
  if (!host_.exists(root_ + library.file)) return std::nullopt;
  return library;
}

int compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const auto next = [](std::string_view& text) {
      const std::string_view part = text.substr(0, text.find('.'));
      text.remove_prefix(std::min(part.size() + 1, text.size()));
      unsigned long number = 0;
      std::from_chars(part.data(), part.data() + part.size(), number);
      return number;
    };
    const unsigned long first = next(a);
    const unsigned long second = next(b);
    if (first != second) return first < second ? -1 : 1;
  }
  return 0;
}

}  // namespace cutopsy
