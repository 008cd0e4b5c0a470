#include "parsers/profile_table.h"
#include "parsers/trim.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutopsy {
namespace {

constexpr auto npos = std::string_view::npos;

std::vector<std::string_view> aligned_cells(std::string_view row) {
  std::vector<std::string_view> cells;
  for (std::string_view rest = trim(row, " "); !rest.empty();) {
    const std::size_t end = std::min(rest.find("  "), rest.size());
    cells.push_back(rest.substr(0, end));
    rest = trim(rest.substr(end), " ");
  }
  return cells;
}

std::vector<std::string_view> boxed_cells(std::string_view row) {
  std::vector<std::string_view> cells;
  std::string_view rest = trim(row, " ");
  if (!rest.empty()) rest.remove_prefix(1);
  // A name may hold a bar of its own; the columns' bars stand between blanks.
  for (std::size_t bar; (bar = rest.find(" |")) != npos; rest.remove_prefix(bar + 2))
    cells.push_back(trim(rest.substr(0, bar), " "));
  return cells;
}

std::vector<std::string_view> separated_cells(std::string_view row, char separator) {
  std::vector<std::string_view> cells;
  for (;;) {
    const bool quoted = row.starts_with('"');
    if (quoted) row.remove_prefix(1);
    // Within quotes, a doubled quote stands for itself.
    std::size_t end = quoted ? row.find('"') : row.find(separator);
    while (quoted && end != npos && end + 1 < row.size() && row[end + 1] == '"') end = row.find('"', end + 2);
    cells.push_back(trim(row.substr(0, end), " "));
    if (quoted && end != npos) end = row.find(separator, end);
    if (end == npos) return cells;
    row.remove_prefix(end + 1);
  }
}

bool is_share(std::string_view cell) {
  return cell == "Time(%)" || cell == "Time (%)";
}

struct Heading {
  std::string_view text;  // the whole cell, or its beginning before " ("
  std::size_t Columns::*column;
};

// nvprof: Type Time(%) Time Calls ..., SrcMemType DstMemType; nsys: Total Time (ns), Instances, SrcMemKd, Src Kind, ...
constexpr std::array<Heading, 19> kHeadings{{
    {"Type", &Columns::type},       {"Time", &Columns::time},        {"Total Time", &Columns::time},
    {"Duration", &Columns::time},   {"Calls", &Columns::count},      {"Instances", &Columns::count},
    {"Count", &Columns::count},     {"Operations", &Columns::count}, {"SrcMemType", &Columns::source},
    {"SrcMemKd", &Columns::source}, {"Src Kind", &Columns::source},  {"DstMemType", &Columns::target},
    {"DstMemKd", &Columns::target}, {"Dst Kind", &Columns::target},  {"Device", &Columns::device},
    {"Name", &Columns::name},       {"Operation", &Columns::name},   {"API Name", &Columns::name},
    {"Range", &Columns::name},
}};

std::string_view without_unit(std::string_view cell) {
  return cell.substr(0, cell.find(" ("));
}

bool holds(const std::vector<std::string_view>& header, std::string_view text) {
  return std::ranges::find(header, text) != header.end();
}

Counts counts_of(const std::vector<std::string_view>& header) {
  if (header.size() < 3) return Counts::nothing_known;
  const std::string_view last = header.back();
  const bool named = holds(header, "Name") || last == "Operation";  // nvprof may add a Correlation_ID
  if (without_unit(header[0]) == "Duration" && without_unit(header[1]) == "Start" && holds(header, "Src Kind"))
    return Counts::slow_copies;
  if (without_unit(header[0]) == "Start" && without_unit(header[1]) == "Duration" && named) return Counts::runs;
  const bool shares = is_share(header[0]) || is_share(header[1]);
  if (!shares || (!named && last != "Range")) return Counts::nothing_known;
  if (holds(header, "Num Calls") || last == "Range") return Counts::host_calls;
  if (holds(header, "Instances") || holds(header, "Calls") || last == "Operation") return Counts::totals;
  return Counts::host_calls;
}

}  // namespace

Layout layout_of(std::string_view header) {
  if (header.starts_with("| ")) return Layout::boxed;
  if (header.find('\t') != npos) return Layout::tabs;
  return header.find(',') != npos && header.find("  ") == npos ? Layout::commas : Layout::aligned;
}

std::vector<std::string_view> cells_of(std::string_view row, Layout layout) {
  switch (layout) {
    case Layout::aligned:
      return aligned_cells(row);
    case Layout::boxed:
      return boxed_cells(row);
    case Layout::commas:
      return separated_cells(row, ',');
    case Layout::tabs:
      return separated_cells(row, '\t');
  }
  return {};
}

Columns columns_of(const std::vector<std::string_view>& header) {
  Columns columns;
  columns.counts = counts_of(header);
  if (columns.counts == Counts::nothing_known) return columns;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (is_share(header[i])) continue;
    const std::string_view text = without_unit(header[i]);
    for (const Heading& heading : kHeadings)
      if (text == heading.text && columns.*heading.column == Columns::none) columns.*heading.column = i;
    if (columns.time == i && text.size() < header[i].size()) {
      columns.unit = header[i].substr(text.size() + 2);
      columns.unit.resize(std::min(columns.unit.find(')'), columns.unit.size()));
    }
  }
  return columns;
}

bool read_number(std::string_view cell, double& value, std::string_view& unit) {
  const std::size_t end = std::min(cell.find_first_not_of("0123456789.,"), cell.size());
  std::string digits(cell.substr(0, end));
  std::erase(digits, ',');
  unit = cell.substr(end);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && stop == digits.data() + digits.size();
}

double microseconds(double value, std::string_view unit) {
  if (unit == "s") return value * 1e6;
  if (unit == "ms") return value * 1e3;
  if (unit == "us") return value;
  return value / 1e3;
}

}  // namespace cutopsy
