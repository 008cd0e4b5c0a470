#include "engine/source/log_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>

namespace cutopsy {
namespace {

constexpr std::string_view kFoldersSkipped[] = {"node_modules", "__pycache__", "site-packages", "dist-packages"};

// Texts that talk about failures without having one.
constexpr std::string_view kNoLogs[] = {
    ".py",  ".pyi", ".c",    ".cc",    ".cpp",  ".cxx",   ".cu",    ".cuh",  ".h",    ".hpp", ".rs",   ".go",
    ".js",  ".ts",  ".java", ".md",    ".rst",  ".html",  ".htm",   ".css",  ".yaml", ".yml", ".toml", ".ini",
    ".cfg", ".sh",  ".bash", ".cmake", ".lock", ".ipynb", ".patch", ".diff", ".svg",  ".tex"};

constexpr std::string_view kArchives[] = {".zip", ".tar"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos || dot == 0 ? std::string_view() : name.substr(dot);
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

// Control characters that texts do not hold.
constexpr std::array<bool, 256> kOdd = [] {
  std::array<bool, 256> odd{};
  for (std::size_t c = 0; c < ' '; ++c) odd[c] = true;
  for (const unsigned char c : {'\n', '\r', '\t', '\b', '\f', '\a', '\x1b'}) odd[c] = false;
  return odd;
}();

// "build" of the job's log "2_build.txt", or "".
std::string_view job_of_log(std::string_view name) {
  constexpr std::string_view kEnd = ".txt";
  const std::size_t digits = static_cast<std::size_t>(
      std::ranges::find_if_not(name, [](unsigned char c) { return std::isdigit(c) != 0; }) - name.begin());
  if (digits == 0 || !name.ends_with(kEnd) || !name.substr(digits).starts_with('_')) return {};
  name.remove_prefix(digits + 1);
  name.remove_suffix(kEnd.size());
  return name;
}

}  // namespace

std::string_view reason_to_skip_folder(std::string_view name) {
  if (name.starts_with('.')) return "hidden";
  return is_one_of(name, kFoldersSkipped) ? "of a package manager" : "";
}

std::string_view reason_to_skip_file(std::string_view name) {
  if (name.starts_with('.')) return "hidden";
  return is_one_of(extension(name), kNoLogs) ? "source or document" : "";
}

std::string_view reason_to_skip_path(std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/')) {
    if (const std::string_view reason = reason_to_skip_folder(path.substr(0, slash)); !reason.empty()) return reason;
    path.remove_prefix(slash + 1);
  }
  return reason_to_skip_file(path);
}

bool is_named_as_archive(std::string_view name) {
  return is_one_of(extension(name), kArchives);
}

bool looks_like_text(std::string_view bytes) {
  std::size_t odd = 0;
  for (const unsigned char c : bytes) odd += kOdd[c] ? 1 : 0;
  return odd * 20 <= bytes.size() || has_utf16_mark(bytes) || alternates_with_nul(bytes);
}

std::vector<bool> steps_of_jobs(const std::vector<std::string>& paths) {
  std::set<std::string> folders;  // of jobs whose log is there, with the '/' behind
  for (const std::string& path : paths) {
    const std::size_t name = path.rfind('/') + 1;  // 0 without one
    const std::string_view job = job_of_log(std::string_view(path).substr(name));
    if (!job.empty()) folders.insert(path.substr(0, name) + std::string(job) + '/');
  }
  std::vector<bool> are_steps;
  for (const std::string& path : paths) are_steps.push_back(folders.count(path.substr(0, path.rfind('/') + 1)) > 0);
  return are_steps;
}

}  // namespace cutopsy
