#include "validators/processes.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>

namespace cutopsy {

namespace {

constexpr std::size_t kNameBytes = 15;  // TASK_COMM_LEN without its end

// PROC_PID_INIT_INO, 0xEFFFFFFC since Linux 3.8: include/linux/proc_ns.h
constexpr std::string_view kFirstPidNamespace = "pid:[4026531836]";

}  // namespace

std::vector<Process> processes(const Host& host) {
  std::vector<Process> found;
  for (const std::string& entry : host.list("/proc")) {
    int pid = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), pid);
    if (error != std::errc() || end != entry.data() + entry.size()) continue;
    if (auto name = host.value("/proc/" + entry + "/comm")) found.push_back({pid, std::move(*name)});
  }
  std::sort(found.begin(), found.end(), [](const Process& a, const Process& b) { return a.pid < b.pid; });
  return found;
}

std::optional<Process> find_process(const Host& host, std::string_view name) {
  for (Process& process : processes(host)) {
    if (process.name == name.substr(0, kNameBytes)) return std::move(process);
  }
  return std::nullopt;
}

bool shows_all_processes(const Host& host) {
  return host.link("/proc/self/ns/pid") == kFirstPidNamespace && host.exists("/proc/1/comm");
}

std::optional<std::string> process_folder(const Host& host, const Parameters& parameters) {
  if (const auto pid = parameters.number("pid", 1, std::numeric_limits<int>::max())) {
    std::string folder = "/proc/" + std::to_string(*pid);
    if (!host.exists(folder)) return std::nullopt;
    return folder;
  }
  if (!host.is_this_machine()) return std::nullopt;
  return "/proc/self";
}

Answer without_process(const Host& host, const Parameters& parameters) {
  const auto pid = parameters.text("pid");
  if (!pid && !host.is_this_machine())
    return Answer::could_not_run("a copy does not tell which process is meant", "Give pid.");
  return Answer::could_not_run("there is no process " + pid.value_or("of our own") + " in /proc");
}

}  // namespace cutopsy
