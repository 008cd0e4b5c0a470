// Forms read here (all found in real logs; syslog: RFC 3164 and 5424; glog: google/glog src/logging.cc; c10:
// pytorch c10/util/Logging.cpp; dmesg: util-linux sys-utils/dmesg.c):
//   2026-11-30T10:00:00.1234567Z   2026-11-30 10:00:00,123   2026-11-30T10:00:00+0000   2026/11/30 10:00:00
//   11/30/2026-10:00:00   11/30/2026 10:00:00   26/11/30 10:00:00   11-30 10:00:00   11/30 10:00:00   30.11.2026
//   10:00:00 Mon Nov 30 10:00:00 2026   Mon 2026-11-30 10:00:00 UTC   Nov 30 10:00:00   Nov 30 2026 10:00:00
//   10:00:00.123
#include "parsers/envelope/timestamp.h"

#include <algorithm>

#include "parsers/envelope/level.h"
#include "parsers/envelope/month_name.h"

namespace cutopsy {
namespace {

using Form = Timestamp::Form;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// ASCII letters and the bytes of all others.
bool may_begin_name(char c) {
  return is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Walks over a text; every step says whether it was there and leaves the position alone if not.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }

  bool skip(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  bool skip_spaces() {
    const std::size_t before = at_;
    while (peek() == ' ') ++at_;
    return at_ > before;
  }

  // A run of `least` to `most` digits, not followed by another digit.
  bool number(std::size_t least, std::size_t most, int& value) {
    std::size_t n = 0;
    int result = 0;
    while (n < most && is_digit(peek(n))) result = result * 10 + (peek(n++) - '0');
    if (n < least || is_digit(peek(n))) return false;
    value = result;
    at_ += n;
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// ".123456" or ",123": at most nine digits count; returns how many there were.
std::size_t read_fraction(Cursor& cursor, double& fraction) {
  if ((cursor.peek() != '.' && cursor.peek() != ',') || !is_digit(cursor.peek(1))) return 0;
  std::size_t digits = 0;
  double unit = 0.1;
  for (; is_digit(cursor.peek(1 + digits)); ++digits) {
    if (digits >= 9) continue;
    fraction += unit * (cursor.peek(1 + digits) - '0');
    unit /= 10;
  }
  cursor.go_to(cursor.at() + 1 + digits);
  return digits;
}

// "10:00:00" with an optional fraction.
bool read_clock(Cursor& cursor, Timestamp& out) {
  Cursor ahead = cursor;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!ahead.number(1, 2, hour) || !ahead.skip(':') || !ahead.number(2, 2, minute) || !ahead.skip(':') ||
      !ahead.number(2, 2, second)) {
    return false;
  }
  if (hour > 24 || minute > 59 || second > 60) return false;
  double fraction = 0;
  const char mark = ahead.peek();
  const std::size_t digits = read_fraction(ahead, fraction);
  out.form = mark == ',' && digits == 6 ? Form::dmesg_iso : Form::other;
  out.second_of_day = hour * 3600 + minute * 60 + second + fraction;
  cursor = ahead;
  return true;
}

// "Z", "+00:00", "-0500", " +0000", " UTC", " GMT". Other names of zones are taken but not understood.
void read_zone(Cursor& cursor, Timestamp& out) {
  if (cursor.skip('Z')) {
    out.has_zone = true;
    return;
  }
  Cursor ahead = cursor;
  ahead.skip(' ');
  const char sign = ahead.peek();
  if (sign == '+' || sign == '-') {
    ahead.skip(sign);
    int hour = 0;
    int minute = 0;
    if (ahead.number(4, 4, hour)) {
      minute = hour % 100;
      hour /= 100;
    } else if (!ahead.number(2, 2, hour) || !ahead.skip(':') || !ahead.number(2, 2, minute)) {
      return;
    }
    out.zone_seconds = (hour * 3600 + minute * 60) * (sign == '-' ? -1 : 1);
    out.has_zone = true;
    cursor = ahead;
    return;
  }
  const std::string_view name = ahead.rest().substr(0, 3);
  if ((name == "UTC" || name == "GMT") && !is_letter(ahead.peek(3))) {
    ahead.go_to(ahead.at() + 3);
    out.has_zone = true;
    cursor = ahead;
  }
}

bool is_date(int month, int day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// What stands between a date and a clock time.
bool skip_joint(Cursor& cursor) {
  const char next = cursor.peek();
  if (next == ' ') return cursor.skip_spaces();
  return (next == 'T' || next == '_' || next == '-') && cursor.skip(next);
}

// Three numbers with the same mark between them: year first if it has four digits or is above a month's days.
bool read_numeric_date(Cursor& cursor, Timestamp& out) {
  Cursor ahead = cursor;
  int first = 0;
  int second = 0;
  int third = 0;
  const bool long_year = ahead.number(4, 4, first);
  if (!long_year && !ahead.number(2, 2, first)) return false;
  const char mark = ahead.peek();
  if ((mark != '-' && mark != '/' && mark != '.') || !ahead.skip(mark) || !ahead.number(2, 2, second)) return false;

  if (long_year) {
    if (!ahead.skip(mark) || !ahead.number(2, 2, third) || !is_date(second, third)) return false;
    out.year = first;
    out.month = second;
    out.day = third;
  } else if (mark != '.' && ahead.peek() == ' ') {
    if (!is_date(first, second)) return false;
    out.month = first;
    out.day = second;
  } else {
    Cursor tail = ahead;
    if (!tail.skip(mark)) return false;
    const bool year_last = tail.number(4, 4, third);
    if (!year_last && !tail.number(2, 2, third)) return false;
    const bool year_first = !year_last && first > 12 && is_date(second, third);
    const bool day_first = !year_first && (mark == '.' || first > 12);
    out.year = year_first ? 2000 + first : year_last ? third : 2000 + third;
    out.month = year_first || day_first ? second : first;
    out.day = year_first ? third : day_first ? first : second;
    if (!is_date(out.month, out.day)) return false;
    ahead = tail;
  }
  cursor = ahead;
  return true;
}

// "Nov 30", "Nov 30 2026", "30 Nov 2026" (before the clock time).
bool read_named_date(Cursor& cursor, Timestamp& out) {
  Cursor ahead = cursor;
  MonthName month = read_month_name(ahead.rest());
  const bool day_first = month.length == 0;
  if (day_first) {
    if (!ahead.number(1, 2, out.day) || !ahead.skip(' ')) return false;
    month = read_month_name(ahead.rest());
  }
  if (month.length == 0) return false;
  ahead.go_to(ahead.at() + month.length);
  if (!ahead.skip_spaces()) return false;
  if (!day_first) {
    if (!ahead.number(1, 2, out.day) || ahead.peek() != ' ') return false;
  }
  out.month = month.number;
  if (!is_date(out.month, out.day)) return false;
  Cursor with_year = ahead;
  with_year.skip_spaces();
  if (with_year.number(4, 4, out.year)) ahead = with_year;
  cursor = ahead;
  return true;
}

Timestamp finished(const Cursor& cursor, std::string_view text, Timestamp out) {
  out.length = cursor.at();
  out.text = text.substr(0, out.length);
  return out;
}

// "Mon Nov 30 10:00:00 2026", "Mon Nov 30 10:00:00 UTC 2026": the year of a ctime date stands last.
void read_last_year(Cursor& cursor, Timestamp& out, bool is_ctime) {
  Cursor ahead = cursor;
  if (!ahead.skip(' ')) return;
  std::size_t letters = 0;
  while (is_letter(ahead.peek(letters))) ++letters;
  if (letters >= 3 && letters <= 5) {
    ahead.go_to(ahead.at() + letters);
    if (!ahead.skip(' ')) return;
  }
  int year = 0;
  if (!ahead.number(4, 4, year) || year < 1990 || year > 2200) return;
  if (ahead.peek() == '-' || ahead.peek() == '/') return;  // another timestamp begins there
  out.year = year;
  if (is_ctime && letters == 0) out.form = Form::ctime;
  cursor = ahead;
}

// A zone's name, as journalctl prints it: those that mean one zone only are understood.
void read_named_zone(Cursor& cursor, Timestamp& out) {
  struct Zone {
    std::string_view name;
    int hours;
  };
  constexpr Zone kZones[] = {{"WET", 0},  {"WEST", 1}, {"CET", 1},  {"CEST", 2}, {"EET", 2},  {"EEST", 3},
                             {"MSK", 3},  {"JST", 9},  {"KST", 9},  {"EST", -5}, {"EDT", -4}, {"CDT", -5},
                             {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7}, {"AEST", 10}};
  Cursor ahead = cursor;
  if (!ahead.skip(' ')) return;
  std::size_t letters = 0;
  while (ahead.peek(letters) >= 'A' && ahead.peek(letters) <= 'Z') ++letters;
  const std::string_view name = ahead.rest().substr(0, letters);
  if (letters < 3 || letters > 5 || ahead.peek(letters) != ' ' || read_level_word(name).length != 0) return;
  ahead.go_to(ahead.at() + letters);
  cursor = ahead;
  const auto* zone = std::ranges::find(kZones, name, &Zone::name);
  if (zone == std::end(kZones)) return;
  out.zone_seconds = zone->hours * 3600;
  out.has_zone = true;
}

// "Mon Nov 30 10:00:00 2026", "Mon 2026-11-30 10:00:00 UTC".
Timestamp read_with_weekday(std::string_view text) {
  const std::size_t weekday = read_weekday_name(text);
  if (weekday == 0) return {};
  Cursor cursor(text);
  cursor.go_to(weekday);
  cursor.skip_spaces();
  Timestamp out;
  if (is_digit(cursor.peek())) {
    out = read_timestamp(cursor.rest());
    if (out.month == 0) return {};
    cursor.go_to(cursor.at() + out.length);
    const bool is_ctime = out.form == Form::syslog && out.year != 0;  // "火 3月 11 09:14:02 2025"
    if (is_ctime) out.form = Form::ctime;
    if (!out.has_zone) read_named_zone(cursor, out);
    return finished(cursor, text, out);
  }
  if (!read_named_date(cursor, out) || !cursor.skip_spaces() || !read_clock(cursor, out)) return {};
  const bool has_fraction = out.second_of_day != static_cast<int>(out.second_of_day);
  read_zone(cursor, out);
  out.form = Form::other;
  if (out.year == 0) read_last_year(cursor, out, !has_fraction);
  return finished(cursor, text, out);
}

Timestamp read_with_month_name(std::string_view text) {
  Timestamp out;
  Cursor cursor(text);
  if (!read_named_date(cursor, out)) return read_with_weekday(text);
  if (!cursor.skip_spaces() || !read_clock(cursor, out)) return {};
  read_zone(cursor, out);
  out.form = Form::syslog;
  if (out.year == 0) read_last_year(cursor, out, false);
  return finished(cursor, text, out);
}

}  // namespace

Timestamp read_timestamp(std::string_view text) {
  if (text.size() < 8) return {};
  if (!is_digit(text[0])) return may_begin_name(text[0]) ? read_with_month_name(text) : Timestamp{};
  Timestamp out;
  Cursor cursor(text);
  if (read_clock(cursor, out)) {
    out.form = Form::other;
    return finished(cursor, text, out);
  }
  const bool dated = read_numeric_date(cursor, out);
  if (!dated) return is_digit(text[1]) && is_digit(text[2]) ? Timestamp{} : read_with_month_name(text);
  if (!skip_joint(cursor) || !read_clock(cursor, out)) return {};
  read_zone(cursor, out);
  if (!out.has_zone) out.form = Form::other;
  return finished(cursor, text, out);
}

Timestamp read_glog_timestamp(std::string_view text) {
  Timestamp out;
  Cursor cursor(text);
  int date = 0;
  if (!cursor.number(3, 8, date) || !cursor.skip(' ')) return {};
  out.year = date > 9999 ? date / 10000 : 0;
  out.month = date / 100 % 100;
  out.day = date % 100;
  const std::size_t clock_begin = cursor.at();
  if (!is_date(out.month, out.day) || !read_clock(cursor, out)) return {};
  out.form = Form::other;
  Timestamp result = finished(cursor, text, out);
  constexpr std::size_t kClock = 8;          // "10:00:00"
  constexpr std::size_t kMonotonic = 1 + 9;  // ".123456789"
  if (cursor.at() - clock_begin == kClock + kMonotonic) {
    result.text.remove_suffix(kMonotonic);
    result.second_of_day = static_cast<int>(result.second_of_day);
  }
  return result;
}

Timestamp read_uptime(std::string_view text) {
  Timestamp out;
  Cursor cursor(text);
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  cursor.skip('+');
  int seconds = 0;
  double fraction = 0;
  if (!cursor.number(1, 9, seconds)) return {};
  const std::size_t digits = cursor.peek() == '.' ? read_fraction(cursor, fraction) : 0;
  if (digits != 6) return {};
  out = finished(cursor, text, out);
  out.text.remove_prefix(begin);
  out.form = Form::uptime;
  return out;
}

Timestamp read_uptime_microseconds(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;
  Timestamp out;
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits == 0 || digits > kMostDigits) return {};
  out.length = digits;
  out.text = text.substr(0, digits);
  out.form = Form::uptime;
  return out;
}

Timestamp read_reltime(std::string_view text) {
  constexpr std::string_view kMonths = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
  constexpr std::size_t kLength = 11;
  Timestamp out;
  if (text.size() < kLength || text.substr(0, 3).find(' ') != text.npos) return {};
  const std::size_t month = kMonths.find(text.substr(0, 3));
  if (month == kMonths.npos || month % 4 != 0) return {};
  Cursor cursor(text);
  cursor.go_to(3);
  int hour = 0;
  int minute = 0;
  if (!cursor.number(2, 2, out.day) || !cursor.skip(' ') || !cursor.number(2, 2, hour) || !cursor.skip(':') ||
      !cursor.number(2, 2, minute)) {
    return {};
  }
  out.month = static_cast<int>(month / 4) + 1;
  out.second_of_day = hour * 3600 + minute * 60;
  return finished(cursor, text, out);
}

Timestamp read_epoch(std::string_view text) {
  const auto digits_at = [&](std::size_t at) {
    std::size_t digits = 0;
    while (at + digits < text.size() && is_digit(text[at + digits])) ++digits;
    return digits;
  };
  constexpr std::size_t kSeconds = 10;  // digits from 2001 to 2286
  constexpr std::size_t kMilliseconds = 13;
  const std::size_t whole = digits_at(0);
  const bool has_fraction = whole == kSeconds && text.size() > kSeconds && text[kSeconds] == '.';
  const std::size_t decimals = has_fraction ? digits_at(kSeconds + 1) : 0;
  if (whole != kMilliseconds && decimals != 6) return {};
  Timestamp out;
  double unit = 1e9;
  out.length = decimals == 0 ? whole : kSeconds + 1 + decimals;
  out.text = text.substr(0, out.length);
  for (char c : out.text) {
    if (c == '.') continue;
    out.since_1970 += unit * (c - '0');
    unit /= 10;
  }
  out.has_zone = true;
  return out;
}

double unix_seconds(const Timestamp& timestamp, int year) {
  if (timestamp.since_1970 != 0) return timestamp.since_1970;
  if (timestamp.year != 0) year = timestamp.year;
  if (year == 0 || timestamp.month == 0) return 0;
  // Days from the civil date, counting years from March so that the leap day is the last.
  const int y = timestamp.month <= 2 ? year - 1 : year;
  const int era = y / 400;
  const int year_of_era = y - era * 400;
  const int day_of_year = (153 * (timestamp.month + (timestamp.month > 2 ? -3 : 9)) + 2) / 5 + timestamp.day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  constexpr int kDaysTo1970 = 719468;
  const double days = static_cast<double>(era) * 146097 + day_of_era - kDaysTo1970;
  return days * 86400 + timestamp.second_of_day - timestamp.zone_seconds;
}

}  // namespace cutopsy
