// Reads the timestamps that loggers, CI systems, container runtimes and kernels print.
#pragma once

#include <cstddef>
#include <string_view>

namespace cutopsy {

/// A timestamp at the beginning of a text. What it does not say is 0.
struct Timestamp {
  std::size_t length = 0;  ///< bytes that it takes; 0: there is none
  std::string_view text;   ///< as printed, without a fraction that is no part of the time
  int year = 0;
  int month = 0;
  int day = 0;
  double second_of_day = 0;
  int zone_seconds = 0;  ///< east of UTC
  bool has_zone = false;
  double since_1970 = 0;  ///< seconds, if that is what is printed

  enum class Form : unsigned char {
    other,
    syslog,     ///< with a month's name and no weekday: "Nov 30 10:00:00"
    ctime,      ///< "Mon Nov 30 10:00:00 2026"
    dmesg_iso,  ///< "2026-11-30T10:00:00,123456+00:00"
    uptime,     ///< no point in time, but seconds since boot
  };
  Form form = Form::other;
};

/// A date and a clock time in any order and notation, or a clock time alone.
Timestamp read_timestamp(std::string_view text);

/// glog and c10: "1130 10:00:00.123456", "20261130 10:00:00.123456", "709 10:00:00.987654321". The nine digits of
/// c10 are those of a monotonic clock, so they are left out.
Timestamp read_glog_timestamp(std::string_view text);

/// The kernel's seconds since boot: " 7421.118204", "  +0.000316".
Timestamp read_uptime(std::string_view text);

/// The same in microseconds, as /dev/kmsg counts them: "7421118204".
Timestamp read_uptime_microseconds(std::string_view text);

/// The first line of each minute of `dmesg --reltime`: "Mar11 09:14".
Timestamp read_reltime(std::string_view text);

/// Seconds since 1970 with six decimals, or milliseconds: "1764496800.123456", "1764496800123".
Timestamp read_epoch(std::string_view text);

/// Unix seconds; 0 when the date is not complete. `year` stands in for a year that the timestamp does not print.
double unix_seconds(const Timestamp& timestamp, int year);

}  // namespace cutopsy
