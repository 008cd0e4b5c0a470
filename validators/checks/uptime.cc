#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"log_time", "when the log was written, in seconds since the epoch (UTC)", Form::number}};

constexpr std::int64_t kSlack = 60;  // seconds; the boot time is computed from a clock that may since have been set

// The line btime of https://man7.org/linux/man-pages/man5/proc_stat.5.html
std::optional<std::int64_t> boot_time(const Host& host) {
  constexpr std::string_view kKey = "\nbtime ";
  const std::string text = host.read("/proc/stat").value_or("");
  const std::size_t key = text.find(kKey);
  if (key == std::string::npos) return std::nullopt;
  std::int64_t time = 0;
  const char* const from = text.data() + key + kKey.size();
  if (std::from_chars(from, text.data() + text.size(), time).ec != std::errc()) return std::nullopt;
  return time;
}

Answer ask(const Inquiry& inquiry) {
  const auto log = inquiry.parameters.number("log_time", 0, std::numeric_limits<std::int64_t>::max());
  if (!log) return Answer::not_applicable("no time is named to compare with (log_time)");
  const auto boot = boot_time(inquiry.host);
  if (!boot) return Answer::could_not_run("/proc/stat does not tell when the machine was started");
  const std::int64_t since = *boot - *log;
  const std::string seconds = std::to_string(since < 0 ? -since : since) + " s";
  Answer answer = Answer::undecided("the machine was started within " + seconds + " of the log's time");
  if (since > kSlack) {
    answer = Answer::yes("the machine was started " + seconds + " after the log was written",
                         "What only a running driver keeps (volatile counts, processes, free memory) is gone since.");
  } else if (since < -kSlack) {
    answer = Answer::no("the machine has run since " + seconds + " before the log was written");
  }
  return std::move(answer)
      .with("boot_time_seconds", std::to_string(*boot))
      .with("log_time_seconds", std::to_string(*log));
}

}  // namespace

extern const Check kUptime = {
    .name = "uptime",
    .question = "Was the machine started again since the log was written?",
    .decision = "yes when the boot time is more than a minute after the log's, no when more than a minute before",
    .parameters = kParameters,
    .on_request = true,
    .ask = ask,
};

}  // namespace cutopsy
