#include "engine/report/report_lines_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/report/printable.h"
#include "engine/source/input_lines.h"

namespace cutopsy {
namespace {

constexpr int kMaxDepth = 12;
constexpr std::size_t kMaxTextBytes = 1 << 20;

void make_printable(Json& value) {
  if (value.is_string()) {
    value = printable_lines(value.get_ref<const std::string&>(), kMaxTextBytes);
  } else if (value.is_structured()) {
    for (Json& element : value) make_printable(element);
  }
}

class LineReader {
 public:
  LineReader(const std::string& path, const std::function<bool(Json)>& see,
             const std::function<void(const std::string&)>& complain)
      : path_(path), see_(see), complain_(complain) {}

  /// `piece` is a line, or a part of one.
  void add(std::uint64_t number, std::string_view piece) {
    if (number != number_) finish();
    number_ = number;
    if (line_.size() + piece.size() <= kMaxReportLine) {
      line_ += piece;
    } else {
      is_too_long_ = true;
    }
  }

  void finish() {
    if (is_too_long_) {
      complain("is longer than any line of a report");
    } else if (line_.find_first_not_of(" \t\r") != line_.npos) {
      see_line();
    }
    line_.clear();
    is_too_long_ = false;
  }

 private:
  void see_line() {
    constexpr std::string_view kAdvice = "name files that cutopsy --format jsonl wrote";
    auto value = read_json(line_);
    if (!value) {
      complain("is no line of JSON; was the file cut off while it was written?");
    } else if (!value->is_object()) {
      complain(fmt::format("holds a JSON {}, not an incident; {}", value->type_name(), kAdvice));
    } else if (!see_(std::move(*value))) {
      complain(fmt::format("is no line that cutopsy --format jsonl writes; {}", kAdvice));
    }
  }

  void complain(std::string_view what) { complain_(fmt::format("{}:{}: {}", path_, number_, what)); }

  const std::string& path_;
  const std::function<bool(Json)>& see_;
  const std::function<void(const std::string&)>& complain_;
  std::string line_;
  std::uint64_t number_ = 0;
  bool is_too_long_ = false;
};

}  // namespace

std::optional<Json> read_json(std::string_view text) {
  bool is_too_deep = false;
  const auto check = [&](int depth, Json::parse_event_t, Json&) {
    is_too_deep |= depth > kMaxDepth;
    return !is_too_deep;
  };
  Json value = Json::parse(text, check, false);
  if (value.is_discarded() || is_too_deep) return std::nullopt;
  make_printable(value);
  return value;
}

void read_report_lines(const std::string& path, const std::function<bool(Json)>& see,
                       const std::function<void(const std::string&)>& complain) {
  LineReader reader(path, see, complain);
  for_each_line(path, [&](std::uint64_t number, std::string_view piece) { reader.add(number, piece); });
  reader.finish();
}

}  // namespace cutopsy
