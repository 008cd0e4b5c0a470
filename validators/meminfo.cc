#include "validators/meminfo.h"

#include <array>
#include <sstream>
#include <string>
#include <string_view>

namespace cutopsy {

namespace {

struct Row {
  std::string_view name;
  std::uint64_t Meminfo::*field;
};

constexpr std::array kRows = {
    Row{"MemTotal:", &Meminfo::total},         Row{"MemAvailable:", &Meminfo::available},
    Row{"SwapFree:", &Meminfo::swap_free},     Row{"CommitLimit:", &Meminfo::commit_limit},
    Row{"Committed_AS:", &Meminfo::committed},
};

}  // namespace

std::optional<Meminfo> read_meminfo(const Host& host) {
  const auto text = host.read("/proc/meminfo");
  if (!text) return std::nullopt;
  Meminfo memory;
  bool has_available = false;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t kibibytes = 0;
    if (!(words >> name >> kibibytes)) continue;
    for (const Row& row : kRows) {
      if (name == row.name) memory.*row.field = kibibytes << 10;
    }
    has_available |= name == "MemAvailable:";
  }
  if (memory.total == 0 || !has_available) return std::nullopt;
  return memory;
}

}  // namespace cutopsy
