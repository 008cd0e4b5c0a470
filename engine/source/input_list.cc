#include "engine/source/input_list.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "engine/source/file_kind.h"
#include "engine/source/log_names.h"
#include "engine/worker_threads.h"

namespace cutopsy {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSampleBytes = 8192;

struct OpenFile {
  explicit OpenFile(const std::string& path) : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  const int descriptor;
};

// Up to kSampleBytes from `offset` on; "" where the file cannot be read.
std::string read_at(int file, off_t offset) {
  std::string bytes(kSampleBytes, '\0');
  const ssize_t got = pread(file, bytes.data(), bytes.size(), offset);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

// Why a file or folder below a folder is not read, by its name and kind; "" if it may be.
std::string_view reason_to_skip(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename();
  std::error_code error;
  if (entry.is_directory(error)) {
    const std::string_view reason = reason_to_skip_folder(name);
    return reason.empty() && entry.is_symlink(error) ? "link to a folder" : reason;
  }
  if (const std::string_view reason = reason_to_skip_file(name); !reason.empty()) return reason;
  return entry.is_regular_file(error) ? "" : "no regular file";
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

void list_files_below(const fs::path& folder, std::size_t number, InputList& list) {
  for (const fs::directory_entry& entry : entries_of(folder, list)) {
    std::error_code error;
    if (std::string_view reason = reason_to_skip(entry); !reason.empty()) {
      ++list.skipped[std::string(reason)];
    } else if (entry.is_directory(error)) {
      list_files_below(entry.path(), number, list);
    } else {
      list.inputs.push_back({entry.path(), number});
    }
  }
}

// Which of the files look binary.
std::vector<char> find_binaries(const std::vector<std::string>& paths, unsigned jobs) {
  constexpr std::size_t kAtATime = 64;
  std::vector<char> are_binary(paths.size());
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; begin < paths.size(); begin += kAtATime) begins.push_back(begin);
  for_each_item(begins, std::min<unsigned>(jobs, static_cast<unsigned>(begins.size())), [&](std::size_t begin) {
    const std::size_t end = std::min(begin + kAtATime, paths.size());
    for (std::size_t i = begin; i < end; ++i) are_binary[i] = looks_binary(paths[i]);
  });
  return are_binary;
}

void list_folder(const fs::path& folder, std::size_t number, unsigned jobs, InputList& list) {
  const std::size_t before = list.inputs.size();
  list_files_below(folder, number, list);
  std::vector<std::string> paths;
  for (std::size_t i = before; i < list.inputs.size(); ++i) paths.push_back(list.inputs[i].path);
  const std::vector<char> are_binary = find_binaries(paths, jobs);
  const std::vector<bool> are_steps = steps_of_jobs(paths);
  std::size_t kept = before;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (are_binary[i] || are_steps[i]) {
      ++list.skipped[are_binary[i] ? "binary" : std::string(kStepOfJob)];
    } else {
      list.inputs[kept++].path = paths[i];
    }
  }
  list.inputs.resize(kept);
  if (kept == before) {
    list.errors.push_back(
        fmt::format("{}: holds no log; name the files that are to be read all the same", folder.string()));
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
  const OpenFile file(path);
  const std::string first = read_at(file.descriptor, 0);
  const FileKind kind = file_kind(first);
  if (!kind.refusal.empty()) return true;
  if (kind.archive != Archive::none) return !is_named_as_archive(path);
  if (first.empty() || kind.compression != Compression::none || looks_like_text(first)) return false;
  // A log that was emptied while its writer went on begins with a hole of NULs.
  constexpr auto kSample = static_cast<off_t>(kSampleBytes);
  const off_t size = lseek(file.descriptor, 0, SEEK_END);
  return size <= kSample || !looks_like_text(read_at(file.descriptor, size - kSample));
}

InputList list_inputs(const std::vector<std::string>& arguments, unsigned jobs) {
  InputList list;
  std::size_t folders = 0;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (argument != "-" && fs::is_directory(argument, error)) {
      list_folder(argument, ++folders, jobs, list);
    } else if (argument != "-" && is_pattern(argument) && !fs::exists(argument, error)) {
      list_pattern(argument, list);
    } else {
      list.inputs.push_back({argument, 0});
    }
  }
  return list;
}

}  // namespace cutopsy
