#include "engine/source/input_list.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

#include "engine/source/file_kind.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFoldersSkipped[] = {"node_modules", "__pycache__", "site-packages", "dist-packages"};

// Texts that talk about failures without having one.
constexpr std::string_view kNoLogs[] = {
    ".py",  ".pyi", ".c",    ".cc",    ".cpp",  ".cxx",   ".cu",    ".cuh",  ".h",    ".hpp", ".rs",   ".go",
    ".js",  ".ts",  ".java", ".md",    ".rst",  ".html",  ".htm",   ".css",  ".yaml", ".yml", ".toml", ".ini",
    ".cfg", ".sh",  ".bash", ".cmake", ".lock", ".ipynb", ".patch", ".diff", ".svg",  ".tex"};

constexpr std::size_t kSampleBytes = 8192;

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string read_at(std::ifstream& file, std::streamoff offset) {
  std::string bytes(kSampleBytes, '\0');
  file.clear();
  file.seekg(offset);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

bool has_utf16_mark(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

// PowerShell's UTF-16 without a mark: every second byte is NUL.
bool alternates_with_nul(std::string_view bytes) {
  std::array<std::size_t, 2> nuls{};
  for (std::size_t i = 0; i < bytes.size(); ++i) nuls[i % 2] += bytes[i] == '\0';
  const std::size_t half = bytes.size() / 2;
  return std::max(nuls[0], nuls[1]) > half * 9 / 10 && std::min(nuls[0], nuls[1]) * 10 < half;
}

// Logs may hold a NUL or an odd byte; a file of another kind has many.
bool is_text(std::string_view bytes) {
  if (has_utf16_mark(bytes) || alternates_with_nul(bytes)) return true;
  const auto odd = std::count_if(bytes.begin(), bytes.end(), [](unsigned char c) {
    return c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\b' && c != '\f' && c != '\a' && c != 0x1b;
  });
  return static_cast<std::size_t>(odd) * 20 <= bytes.size();
}

// Why a file or folder below a folder is not read, "" if it is.
std::string_view reason_to_skip(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename();
  std::error_code error;
  if (name.starts_with('.')) return "hidden";
  if (entry.is_directory(error)) {
    if (entry.is_symlink(error)) return "link to a folder";
    return is_one_of(name, kFoldersSkipped) ? "of a package manager" : "";
  }
  if (!entry.is_regular_file(error)) return "no regular file";
  if (is_one_of(entry.path().extension().string(), kNoLogs)) return "source or document";
  return looks_binary(entry.path()) ? "binary" : "";
}

std::vector<fs::directory_entry> entries_of(const fs::path& folder, InputList& list) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) entries.push_back(*it);
  if (error)
    list.errors.push_back(fmt::format("{}: {}; make it readable, or leave it out", folder.string(), error.message()));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path() < b.path(); });
  return entries;
}

void list_folder(const fs::path& folder, std::size_t number, InputList& list) {
  for (const fs::directory_entry& entry : entries_of(folder, list)) {
    std::error_code error;
    if (std::string_view reason = reason_to_skip(entry); !reason.empty()) {
      ++list.skipped[std::string(reason)];
    } else if (entry.is_directory(error)) {
      list_folder(entry.path(), number, list);
    } else {
      list.inputs.push_back({entry.path(), number});
    }
  }
}

// Files below `folder` that the pattern's parts from `part` on describe.
void expand(const fs::path& folder, const std::vector<std::string>& parts, std::size_t part, InputList& list) {
  const bool last = part + 1 == parts.size();
  const bool any_folders = parts[part] == "**";
  if (any_folders && !last) expand(folder, parts, part + 1, list);
  for (const fs::directory_entry& entry : entries_of(folder.empty() ? "." : folder, list)) {
    const std::string name = entry.path().filename();
    if (fnmatch(any_folders ? "*" : parts[part].c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
    std::error_code error;
    const bool is_folder = entry.is_directory(error) && !(any_folders && entry.is_symlink(error));
    if (is_folder && (any_folders || !last)) expand(folder / name, parts, any_folders ? part : part + 1, list);
    if (!is_folder && last) list.inputs.push_back({folder / name, 0});
  }
}

bool is_pattern(std::string_view argument) {
  return argument.find_first_of("*?[") != argument.npos;
}

void list_pattern(const std::string& pattern, InputList& list) {
  fs::path fixed;
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(pattern)) {
    if (parts.empty() && !is_pattern(part.string())) {
      fixed /= part;
    } else {
      parts.push_back(part);
    }
  }
  const std::size_t before = list.inputs.size();
  if (std::error_code error; fixed.empty() || fs::is_directory(fixed, error)) expand(fixed, parts, 0, list);
  if (list.inputs.size() == before) {
    list.errors.push_back(fmt::format("{}: no file matches this pattern; check it, or name a file or folder", pattern));
  }
}

}  // namespace

bool looks_binary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string first = read_at(file, 0);
  const FileKind kind = file_kind(first);
  if (!kind.refusal.empty()) return true;
  if (first.empty() || kind.compression != Compression::none || is_text(first)) return false;
  // A log that was emptied while its writer went on begins with a hole of NULs.
  std::error_code error;
  const auto size = static_cast<std::streamoff>(fs::file_size(path, error));
  return error || size <= static_cast<std::streamoff>(kSampleBytes) ||
         !is_text(read_at(file, size - static_cast<std::streamoff>(kSampleBytes)));
}

InputList list_inputs(const std::vector<std::string>& arguments) {
  InputList list;
  std::size_t folders = 0;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (argument != "-" && fs::is_directory(argument, error)) {
      const std::size_t before = list.inputs.size();
      list_folder(argument, ++folders, list);
      if (list.inputs.size() == before) {
        list.errors.push_back(
            fmt::format("{}: holds no log; name the files that are to be read all the same", argument));
      }
    } else if (argument != "-" && is_pattern(argument) && !fs::exists(argument, error)) {
      list_pattern(argument, list);
    } else {
      list.inputs.push_back({argument, 0});
    }
  }
  return list;
}

}  // namespace cutopsy
