#include "engine/report/context.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "engine/report/printable.h"
#include "engine/source/byte_source.h"
#include "engine/source/input_lines.h"
#include "parsers/envelope/control_codes.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxLineBytes = 300;
constexpr std::size_t kMaxRawBytes = 4096;  // of a line that is cleaned: escapes take room

std::string readable(std::string_view line) {
  std::string text;
  clean_text(line.substr(0, kMaxRawBytes), text);
  return printable(text, kMaxLineBytes);
}

// What gets the context, by input and by the number of the line that it is about.
using Wanted = std::multimap<std::uint64_t, Json*>;
using WantedByInput = std::map<std::string, Wanted, std::less<>>;

void want(WantedByInput& wanted, const Json& incident, Json& target) {
  const Json& where = object_in(incident, "where");
  const std::string input(text_in(where, "input"));
  // Standard input and pipes can be read once; a name within an archive is no file.
  std::error_code error;
  if (number_in(where, "line") > 0 && std::filesystem::is_regular_file(input, error))
    wanted[input].emplace(number_in(where, "line"), &target);
}

void read_around(const std::string& input, const Wanted& wanted, std::size_t lines) {
  std::uint64_t last = 0;
  const auto see = [&](std::uint64_t number, std::string_view line) {
    if (number == last) return;  // the rest of a very long line
    last = number;
    const auto from = wanted.lower_bound(number > lines ? number - lines : 0);
    const auto to = wanted.upper_bound(number + lines);
    for (auto at = from; at != to; ++at)
      (*at->second)["context"].push_back({{"line", number}, {"text", readable(line)}});
  };
  try {
    for_each_line(input, see);
  } catch (const SourceError&) {
    // It could be read before: what there is of the context stays.
  }
}

void read_all(const WantedByInput& wanted, std::size_t lines) {
  for (const auto& [input, places] : wanted) read_around(input, places, lines);
}

}  // namespace

void add_context(Json& document, std::size_t lines) {
  WantedByInput wanted;
  for (Json& incident : document["incidents"]) want(wanted, incident, incident);
  read_all(wanted, lines);
}

void add_context_to_rows(Json& document, std::size_t lines) {
  if (!document.contains("groups")) return;
  WantedByInput wanted;
  const Json& incidents = list_in(document, "incidents");
  for (Json& group : document["groups"]) {
    const std::uint64_t index = number_in(group, "incident");
    if (group.contains("incident") && index < incidents.size()) want(wanted, incidents[index], group);
  }
  read_all(wanted, lines);
}

}  // namespace cutopsy
