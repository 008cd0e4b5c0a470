// Names: glibc's localedata/locales (abmon, abday).
#include "parsers/envelope/month_name.h"

#include <algorithm>

namespace cutopsy {
namespace {

struct Name {
  std::string_view text;
  int month;
};

// English first: nearly all logs are in English. A name that two languages use for two months stands once.
constexpr Name kMonths[] = {
    {"Jan", 1},     {"Feb", 2},    {"Mar", 3},   {"Apr", 4},  {"May", 5},   {"Jun", 6},   {"Jul", 7},   {"Aug", 8},
    {"Sep", 9},     {"Oct", 10},   {"Nov", 11},  {"Dec", 12}, {"Mär", 3},   {"Mrz", 3},   {"Mai", 5},   {"Okt", 10},
    {"Dez", 12},    {"janv", 1},   {"févr", 2},  {"mars", 3}, {"avril", 4}, {"avr", 4},   {"mai", 5},   {"juin", 6},
    {"juil", 7},    {"août", 8},   {"sept", 9},  {"oct", 10}, {"nov", 11},  {"déc", 12},  {"ene", 1},   {"feb", 2},
    {"mar", 3},     {"abr", 4},    {"may", 5},   {"jun", 6},  {"jul", 7},   {"ago", 8},   {"sep", 9},   {"dic", 12},
    {"gen", 1},     {"apr", 4},    {"mag", 5},   {"giu", 6},  {"lug", 7},   {"set", 9},   {"ott", 10},  {"jan", 1},
    {"fev", 2},     {"out", 10},   {"dez", 12},  {"sty", 1},  {"lut", 2},   {"kwi", 4},   {"maj", 5},   {"cze", 6},
    {"lip", 7},     {"sie", 8},    {"wrz", 9},   {"paź", 10}, {"lis", 11},  {"gru", 12},  {"mrt", 3},   {"mei", 5},
    {"aug", 8},     {"okt", 10},   {"dec", 12},  {"led", 1},  {"úno", 2},   {"bře", 3},   {"dub", 4},   {"kvě", 5},
    {"čen", 6},     {"čec", 7},    {"srp", 8},   {"zář", 9},  {"říj", 10},  {"pro", 12},  {"янв", 1},   {"фев", 2},
    {"мар", 3},     {"апр", 4},    {"мая", 5},   {"май", 5},  {"июн", 6},   {"июл", 7},   {"авг", 8},   {"сен", 9},
    {"окт", 10},    {"ноя", 11},   {"дек", 12},  {"oca", 1},  {"şub", 2},   {"Oca", 1},   {"Şub", 2},   {"Nis", 4},
    {"Haz", 6},     {"Tem", 7},    {"Ağu", 8},   {"Eyl", 9},  {"Eki", 10},  {"Kas", 11},  {"Ara", 12},  {"1月", 1},
    {"2月", 2},     {"3月", 3},    {"4月", 4},   {"5月", 5},  {"6月", 6},   {"7月", 7},   {"8月", 8},   {"9月", 9},
    {"10月", 10},   {"11月", 11},  {"12月", 12}, {"1월", 1},  {"2월", 2},   {"3월", 3},   {"4월", 4},   {"5월", 5},
    {"6월", 6},     {"7월", 7},    {"8월", 8},   {"9월", 9},  {"10월", 10}, {"11월", 11}, {"12월", 12}, {"des", 12},
    {"márc", 3},    {"febr", 2},   {"ápr", 4},   {"máj", 5},  {"jún", 6},   {"júl", 7},   {"szept", 9}, {"ian", 1},
    {"iun", 6},     {"iul", 7},    {"січ", 1},   {"лют", 2},  {"бер", 3},   {"кві", 4},   {"тра", 5},   {"чер", 6},
    {"лип", 7},     {"сер", 8},    {"вер", 9},   {"жов", 10}, {"лис", 11},  {"гру", 12},  {"tammi", 1}, {"helmi", 2},
    {"maalis", 3},  {"huhti", 4},  {"touko", 5}, {"kesä", 6}, {"heinä", 7}, {"elo", 8},   {"syys", 9},  {"loka", 10},
    {"marras", 11}, {"joulu", 12},
};

constexpr std::size_t kLongest = 6;  // bytes of the longest name

constexpr std::string_view kWeekdays[] = {
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mo",  "Di",  "Mi",  "Do",  "Fr",  "Sa",  "So",  "lun",
    "mar", "mer", "jeu", "ven", "sam", "dim", "mié", "jue", "vie", "sáb", "dom", "gio", "sab", "pon", "wto",
    "śro", "czw", "pią", "sob", "nie", "пн",  "вт",  "ср",  "чт",  "пт",  "сб",  "вс",  "一",  "二",  "三",
    "四",  "五",  "六",  "日",  "po",  "út",  "st",  "čt",  "pá",  "so",  "ne",  "seg", "ter", "qua", "qui",
    "sex", "ma",  "di",  "wo",  "do",  "vr",  "za",  "zo",  "mån", "tis", "ons", "tor", "fre", "lör", "sön",
    "月",  "火",  "水",  "木",  "金",  "土",  "월",  "화",  "수",  "목",  "금",  "토",  "일",
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Length of the short word at the beginning of `text`, 0 if what stands there is no name of a month or day.
std::size_t short_word_length(std::string_view text) {
  const std::size_t most = std::min(text.size(), kLongest + 1);
  for (std::size_t end = 0; end < most; ++end) {
    if (text[end] == ' ' || text[end] == ',' || text[end] == '.') return end;
  }
  return 0;
}

// What follows a word, its dot or comma, and spaces.
std::string_view after_word(std::string_view text, std::size_t length) {
  text.remove_prefix(length);
  if (!text.starts_with(' ')) text.remove_prefix(1);
  if (!text.starts_with(' ')) return {};
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

// True for "30 " and "2026 ": nearly all lines that begin with a short word are told from dates by this.
bool starts_with_day_or_year(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return digits >= 1 && digits <= 4 && digits < text.size() && text[digits] == ' ';
}

bool starts_with_month(std::string_view text) {
  const std::size_t length = short_word_length(text);
  return length != 0 && starts_with_day_or_year(after_word(text, length));
}

}  // namespace

MonthName read_month_name(std::string_view text) {
  if (!starts_with_month(text)) return {};
  const std::size_t length = short_word_length(text);
  for (const Name& name : kMonths) {
    if (name.text[0] != text[0] || name.text.size() != length || !text.starts_with(name.text)) continue;
    return {text[length] == ' ' ? length : length + 1, name.month};
  }
  return {};
}

std::size_t read_weekday_name(std::string_view text) {
  const std::size_t length = short_word_length(text);
  if (length == 0) return 0;
  const std::string_view date = after_word(text, length);
  const bool is_iso = date.size() > 4 && is_digit(date[0]) && date[4] == '-';
  if (!is_iso && !starts_with_month(date) && !starts_with_day_or_year(date)) return 0;
  for (std::string_view name : kWeekdays) {
    if (name[0] != text[0] || name.size() != length || !text.starts_with(name)) continue;
    return text[length] == ' ' ? length : length + 1;
  }
  return 0;
}

}  // namespace cutopsy
