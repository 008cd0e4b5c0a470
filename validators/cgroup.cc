#include "validators/cgroup.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace cutopsy {

namespace {

constexpr std::string_view kRoot = "/sys/fs/cgroup";
constexpr std::string_view kRootVersion1 = "/sys/fs/cgroup/memory";

// Version 1 says "no limit" by the largest multiple of a page: 0x7ffffffffffff000, less with larger pages.
constexpr std::uint64_t kNoLimit = 1ULL << 62;

// The number behind `name` in lines of "name number"; no value when there is no such line.
std::optional<std::uint64_t> row(const std::optional<std::string>& text, std::string_view name) {
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string key;
  std::uint64_t value = 0;
  while (lines >> key >> value) {
    if (key == name) return value;
  }
  return std::nullopt;
}

MemoryCgroup level_of(const Host& host, std::string folder, bool version_1) {
  MemoryCgroup level;
  level.folder = std::move(folder);
  level.version_1 = version_1;
  const std::string base = level.folder + "/memory.";
  const auto limit = host.number(base + (version_1 ? "limit_in_bytes" : "max"));
  if (limit && *limit < kNoLimit) level.limit = limit;
  if (!version_1) {
    if (const auto high = host.number(base + "high")) level.limit = std::min(*high, level.limit.value_or(*high));
  }
  const std::uint64_t charged = host.number(base + (version_1 ? "usage_in_bytes" : "current")).value_or(0);
  const std::uint64_t cache =
      row(host.read(base + "stat"), version_1 ? "total_inactive_file" : "inactive_file").value_or(0);
  level.used = charged - std::min(charged, cache);
  level.kills = row(host.read(base + (version_1 ? "oom_control" : "events")), "oom_kill");
  return level;
}

struct Membership {
  std::string path;
  bool version_1 = false;
};

// Of "4:memory:/docker/1f2e" (version 1) or "0::/user.slice" (version 2); the memory controller may be with either.
std::optional<Membership> membership(const std::string& text) {
  std::optional<Membership> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t controllers = line.find(':') + 1;
    const std::size_t path = line.find(':', controllers) + 1;
    if (controllers == 0 || path == 0) continue;
    const std::string names = "," + line.substr(controllers, path - controllers - 1) + ",";
    if (names.find(",memory,") != std::string::npos) return Membership{line.substr(path), true};
    if (names == ",,") found = Membership{line.substr(path), false};
  }
  return found;
}

}  // namespace

std::vector<MemoryCgroup> memory_cgroups(const Host& host, std::string_view process) {
  const auto text = host.read(std::string(process) + "/cgroup");
  auto member = text ? membership(*text) : std::nullopt;
  // "/../sibling": outside our cgroup namespace.
  if (!member || (member->path + "/").find("/../") != std::string::npos) return {};
  const std::string root(member->version_1 ? kRootVersion1 : kRoot);
  if (!host.exists(root)) return {};
  // A container without a cgroup namespace is told the machine's path but shown its own group as the root.
  std::string path = member->path == "/" || !host.exists(root + member->path) ? "" : member->path;
  std::vector<MemoryCgroup> levels;
  for (;;) {
    levels.push_back(level_of(host, root + path, member->version_1));
    if (path.empty()) return levels;
    path.resize(path.rfind('/'));
  }
}

const MemoryCgroup* tightest(const std::vector<MemoryCgroup>& levels) {
  const MemoryCgroup* found = nullptr;
  for (const MemoryCgroup& level : levels) {
    if (level.limit && (!found || level.left() < found->left())) found = &level;
  }
  return found;
}

}  // namespace cutopsy
