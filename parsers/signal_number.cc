#include "parsers/signal_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace cutopsy {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kSignals{{
    {"SIGHUP", "1"},
    {"Hangup", "1"},
    {"SIGINT", "2"},
    {"SIGQUIT", "3"},
    {"SIGILL", "4"},
    {"SIGTRAP", "5"},
    {"SIGABRT", "6"},
    {"SIGIOT", "6"},
    {"Aborted", "6"},
    {"SIGBUS", "7"},
    {"Bus error", "7"},
    {"SIGFPE", "8"},
    {"SIGKILL", "9"},
    {"Killed", "9"},
    {"SIGUSR1", "10"},
    {"SIGSEGV", "11"},
    {"SIGUSR2", "12"},
    {"SIGPIPE", "13"},
    {"SIGALRM", "14"},
    {"SIGTERM", "15"},
    {"Terminated", "15"},
    {"SIGXCPU", "24"},
    {"Illegal instruction", "4"},
    {"Segmentation fault", "11"},
    {"Floating point exception", "8"},
}};

}  // namespace

std::string_view signal_number(std::string_view name) {
  const auto found = std::ranges::find(kSignals, name, [](const auto& signal) { return signal.first; });
  return found == kSignals.end() ? name : found->second;
}

int signal_of_exit_code(std::string_view exitcode) {
  constexpr int kLastSignal = 64;
  int code = 0;
  const auto [stop, error] = std::from_chars(exitcode.data(), exitcode.data() + exitcode.size(), code);
  if (error != std::errc()) return 0;
  if (code < 0 && code >= -kLastSignal) return -code;
  if (code > 128 && code <= 128 + kLastSignal) return code - 128;
  return 0;
}

void number_signal(Fields& fields) {
  const std::string printed(fields.get("signal"));
  if (!printed.empty()) {
    fields.set("signal", signal_number(printed));
  } else if (const int signal = signal_of_exit_code(fields.get("exitcode"))) {
    fields.set("signal", std::to_string(signal));
  }
}

}  // namespace cutopsy
