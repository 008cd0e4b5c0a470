// Month and weekday names as date(1) and syslog abbreviate them, in the locales that logs come from.
#pragma once

#include <cstddef>
#include <string_view>

namespace cutopsy {

struct MonthName {
  std::size_t length = 0;  ///< bytes, 0: no month stands there
  int number = 0;          ///< 1 to 12
};

/// The abbreviated month at the beginning of `text`, if a day (or year) follows.
MonthName read_month_name(std::string_view text);

/// Length of the abbreviated weekday at the beginning of `text`, if a date follows; 0 when there is none.
std::size_t read_weekday_name(std::string_view text);

}  // namespace cutopsy
