#include "engine/report/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/report/printable.h"
#include "engine/report/rate.h"

namespace cutopsy {
namespace {

std::vector<std::string_view> texts(const Json& list) {
  std::vector<std::string_view> texts;
  for (const Json& text : list) {
    if (text.is_string()) texts.push_back(text.get_ref<const std::string&>());
  }
  return texts;
}

}  // namespace

std::string shown_place(const Json& where) {
  const std::string_view name = text_in(where, "input");
  const std::uint64_t line = number_in(where, "line");
  if (line == 0) return printable(name, 200);
  return printable(name == "-" ? "line " : fmt::format("{}:", name), 200) + std::to_string(line);
}

std::string shown_repeats(const Json& incident) {
  const std::uint64_t count = number_in(incident, "count");
  if (count <= 1) return "";
  const std::string_view rate = text_in(object_in(incident, "repeats"), "text");
  const bool is_of_one_case = number_in(incident, "cases") <= 1;
  return rate.empty() || !is_of_one_case ? fmt::format("{} times", grouped(count)) : printable(rate, 100);
}

std::string shown_ranks(const Json& incident) {
  const auto ranks = texts(list_in(incident, "ranks"));
  if (ranks.empty()) return "";
  const std::string_view first = text_in(object_in(incident, "where"), "rank");
  std::string text = ranks.size() == 1 ? fmt::format("rank {}", ranks.front())
                                       : fmt::format("first on rank {}, of ranks {}",
                                                     first.empty() ? ranks.front() : first, fmt::join(ranks, " "));
  const auto waiting = texts(list_in(incident, "waiting_ranks"));
  if (!waiting.empty()) text += fmt::format(", while {} waited", fmt::join(waiting, " "));
  return printable(text, 160);
}

std::string shown_cases(const Json& group, std::uint64_t total) {
  const std::uint64_t cases = number_in(group, "cases");
  return total == 0 ? counted(cases, "case") : fmt::format("{} of {}", grouped(cases), counted(total, "case"));
}

std::string shown_case_names(const Json& group) {
  constexpr std::size_t kNamesShown = 3;
  const auto names = texts(list_in(group, "case_names"));
  const std::size_t shown = std::min(names.size(), kNamesShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + printable(names[i], 200);
  const std::uint64_t cases = number_in(group, "cases");
  return cases > shown ? fmt::format("{} and {} more", text, grouped(cases - shown)) : text;
}

std::string shown_dates(const Json& group) {
  const std::string_view first = text_in(group, "first_seen");
  const std::string_view last = text_in(group, "last_seen");
  if (first.empty()) return "";
  if (first == last) return printable(fmt::format("seen {}", first), 100);
  return printable(fmt::format("first seen {}, last seen {}", first, last), 100);
}

std::uint64_t case_count(const Json& document) {
  const std::size_t listed = list_in(document, "cases").size();
  return listed > 0 ? listed : number_in(object_in(object_in(document, "statistics"), "cases"), "total");
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

}  // namespace cutopsy
