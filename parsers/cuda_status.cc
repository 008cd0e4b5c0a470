// Formats are those of the frameworks' and samples' error macros, among them:
// https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDAException.cpp
// https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/cuda/Exceptions.h
// https://github.com/NVIDIA/nccl/blob/master/src/include/checks.h
// https://github.com/NVIDIA/cuda-samples/blob/master/Common/helper_cuda.h
// https://github.com/NVIDIA/cccl/blob/main/cub/cub/util_debug.cuh
// https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cuda/cuda_call.cc
// https://github.com/opencv/opencv/blob/4.x/modules/core/include/opencv2/core/private.cuda.hpp
// https://github.com/openxla/xla/blob/main/xla/stream_executor/cuda/cuda_status.cc
// https://github.com/NVIDIA/numba-cuda/blob/main/numba_cuda/numba/cuda/cudadrv/driver.py
#include "parsers/cuda_status.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "parsers/line_event.h"
#include "parsers/mention.h"
#include "parsers/status_anchor.h"
#include "parsers/status_details.h"
#include "parsers/trim.h"

namespace cutopsy {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr auto npos = std::string_view::npos;
constexpr std::size_t kMaxTextBytes = 300;
constexpr std::size_t kMaxTailBytes = 2048;  // how far behind its lead a status may stand
constexpr int kMaxAnchors = 256;             // looked at in one line

re2::StringPiece piece_of(std::string_view text) {
  return {text.data(), text.size()};
}

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(at, end - at);
}

// The word that `text` ends with.
std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  return text.substr(begin);
}

// True when what stands before an enumerator makes it an operand of source code, or a hint to look it up.
bool is_operand(std::string_view before) {
  if (before.ends_with('`')) return true;
  const bool scoped = before.ends_with("::");
  if (scoped || before.ends_with('.')) {  // cudaError_t.cudaErrorInvalidValue is how Python prints the enumerator
    before.remove_suffix(scoped ? 2 : 1);
    const std::string_view scope = last_word(before);
    const bool of_enum = scope.ends_with("_t") || scope == "cudaError" || scope == "CUresult" || scope == "nvrtcResult";
    if (!of_enum) return true;
  }
  const bool spaced = before.ends_with(' ');
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (before.ends_with("==") || before.ends_with("!=")) return true;
  const std::string_view word = last_word(before);
  return spaced && (word == "case" || word == "return" || word == "enum");
}

// True when what follows an enumerator makes it the name of a file: "cudaErrorUtils.cpp", not "cudaErrorUnknown.".
bool is_file_name(std::string_view after) {
  return after.size() > 1 && after.front() == '.' && std::islower(static_cast<unsigned char>(after[1]));
}

// True when the words before say that something went wrong.
bool tells_of_error(std::string_view before) {
  static const RE2 kWords(
      R"((?i)error|fail|fatal|exception|abort|what\(\)|terminat|crash|return(?:s|ed)|results? in|\bhit\b|could not)"
      R"(|cannot|unable|\bgot\b|status|stderr|\[E\])",
      RE2::Latin1);
  return RE2::PartialMatch(piece_of(before), kWords);
}

std::optional<int> number_of(std::string_view code) {
  const int base = code.starts_with("0x") ? 16 : 10;
  if (base == 16) code.remove_prefix(2);
  int value = 0;
  auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), value, base);
  if (error != std::errc{} || end != code.data() + code.size()) return std::nullopt;
  return value;
}

const Status* status_of(const Anchor& anchor, int code) {
  const Status* legacy = find_legacy_status(anchor.family, code);
  const Status* current = find_status(anchor.family, code);
  if (anchor.old_numbers && legacy) return legacy;
  if (current || legacy) return current ? current : legacy;
  return anchor.family == "runtime" ? find_status("driver", code) : nullptr;  // some wrappers print the driver's
}

// The number that belongs to the status announced at the start of `tail`.
std::string_view find_number(std::string_view tail) {
  static const RE2 kNumber(
      R"((?:^(?: in \w+)?[\s:#(=]*|^(?:\w*(?: ?\(.*?\))? failed,?)? (?:with )?status[ =:]{1,3}|\bcode[ =:(]{1,3})"
      R"(|\berror[= ]|\berr_num=|\bError |with error(?: code)?:? ?|^\w* return value:\s*)"
      R"(|\breturned (?:error )?(?:code )?\(?|UNKNOWN ERROR \()(-?\d+|0x[0-9a-f]+)\)?(?:[^\w.]|\.?(?:\s|$)))",
      RE2::Latin1);
  static const RE2 kVersus(R"(\((\d+) vs\. 0\))", RE2::Latin1);  // glog's CHECK_EQ
  re2::StringPiece number;
  const bool versus = tail.find(" vs. ") != npos && RE2::PartialMatch(piece_of(tail), kVersus, &number);
  if (!versus && !RE2::PartialMatch(piece_of(tail), kNumber, &number)) return {};
  return {number.data(), number.size()};
}

// "(700)", "(error 4)", "(code 700, ...)" behind a name or description.
std::string_view number_behind(std::string_view rest) {
  static const RE2 kBehind(R"(^["')]{0,2}\s*\((?:error |err_num=|code[ =:#]*)?(-?\d+)[,)])", RE2::Latin1);
  re2::StringPiece number;
  if (rest.substr(0, 4).find('(') == npos || !RE2::PartialMatch(piece_of(rest), kBehind, &number)) return {};
  return {number.data(), number.size()};
}

// "[700] Call to", "(-217:Gpu API call)"
std::string_view number_in_front(std::string_view before) {
  static const RE2 kFront(R"([\[(](-?\d+)(?:\] |:)$)", RE2::Latin1);
  re2::StringPiece number;
  if (before.size() > 16) before.remove_prefix(before.size() - 16);
  if (!RE2::PartialMatch(piece_of(before), kFront, &number)) return {};
  return {number.data(), number.size()};
}

// Julia's "(code 203, NAME)"
std::string_view number_before_name(std::string_view before) {
  static const RE2 kJulia(R"(\(code #?(-?\d+), $)", RE2::Latin1);
  re2::StringPiece number;
  if (before.size() > 16) before.remove_prefix(before.size() - 16);
  if (!RE2::PartialMatch(piece_of(before), kJulia, &number)) return {};
  return {number.data(), number.size()};
}

// A name or a description found in a text.
struct Found {
  StatusReport report;
  std::size_t end = 0;
};

// The description that follows a name: "NAME: text", "NAME (error 4) due to "text"".
void add_text_behind(std::string_view text, Found& found) {
  const std::string_view rest = text.substr(found.end);
  static const RE2 kSeparator(R"(^["')]{0,2}(?:\s*\([^()]*\))?\s*(?:[:,]|due to)?\s*["'(]?)", RE2::Latin1);
  re2::StringPiece separator;
  if (!kSeparator.Match(piece_of(rest), 0, rest.size(), RE2::ANCHOR_START, &separator, 1)) return;
  const std::string_view words = rest.substr(separator.size());
  const Description description = find_description(words, found.report.family);
  const bool same =
      description.status && (!found.report.status || same_fault(*description.status, *found.report.status));
  if (same) {
    found.report.text = words.substr(0, description.length);
    found.end += separator.size() + description.length;
  } else if (rest.starts_with(": ")) {
    const auto end = std::min({rest.find(" ; "), rest.find("; "), rest.find(" :: "), kMaxTextBytes});
    found.report.text = trim(rest.substr(2, end == npos ? npos : end - std::min<std::size_t>(end, 2)), kSpace);
  }
}

Found name_at(std::string_view text, std::size_t at, std::string_view name) {
  Found found;
  found.report.status = find_status(name);
  found.report.family = family_of(name);
  found.report.name = name;
  found.report.begin = at;
  found.end = at + name.size();
  found.report.code = number_behind(text.substr(found.end));
  add_text_behind(text, found);
  return found;
}

std::optional<Found> description_at(std::string_view text, std::size_t at, std::string_view family) {
  const Description description = find_description(text.substr(at), family);
  if (!description.status) return std::nullopt;
  Found found;
  found.report.status = description.status;
  found.report.family = description.status->family;
  found.report.name = description.status->name;
  found.report.text = text.substr(at, description.length);
  found.report.begin = at;
  found.end = at + description.length;
  found.report.code = number_behind(text.substr(found.end));
  return found;
}

// The first name or description in text[begin, end).
std::optional<Found> first_status(std::string_view text, std::size_t begin, std::size_t end, std::string_view family) {
  for (std::size_t i = begin; i < end; ++i) {
    if (!is_word_char(text[i]) || (i > 0 && is_word_char(text[i - 1]))) continue;
    const std::string_view word = word_at(text, i);
    const bool is_status = !family_of(word).empty() && !is_file_name(text.substr(i + word.size()));
    if (is_status && !is_operand(text.substr(0, i))) return name_at(text, i, word);
    if (auto found = description_at(text, i, family)) return found;
  }
  return std::nullopt;
}

// Whether what follows the beginning of a function's name says that the call failed: "cudaMemcpy: 12 ms" does not.
bool call_failed(std::string_view tail) {
  static const RE2 kFailed(R"(^\w*(?: ?\(.*?\))?\s*(?:retry )?)"
                           R"((?:fail(?:s|ed)|return(?:s|ed| value:)|results? in|error(?:ed)?\b|: (?i:error|fail)))",
                           RE2::Latin1);
  return RE2::PartialMatch(piece_of(tail), kFailed);
}

// Whose words a status is told in: PyTorch puts cuSPARSE's behind "CUDA error: ".
std::string_view family_of_words(const Anchor& anchor, std::string_view tail) {
  return tail.find(" when calling `cusparse") == npos ? anchor.family : "cusparse";
}

// Whether what follows a lead can announce a status; prose goes on with other words.
bool goes_on_as_report(const Anchor& anchor, std::string_view tail) {
  if (std::ispunct(static_cast<unsigned char>(anchor.literal.back()))) return true;
  static const RE2 kReport(
      R"(^\]?\s*(?:[:#(\[='",;-]|\|\||\d|$|(?:at|in|code|on|occurred|occured|from|during|after|executing|returned)"
      R"(|number|status|detected|while|when|with|caught|encountered|file)\b|cu(?:da)?[A-Z]\w*|\S+[.]\w+:\d+))",
      RE2::Latin1);
  static const RE2 kCall(
      R"(^\w*(?: ?\(.*?\))?\s*(?:retry )?(?:fail(?:s|ed)|return(?:s|ed| value:)|results? in|error(?:ed)?\b|:))",
      RE2::Latin1);
  return RE2::PartialMatch(piece_of(tail), anchor.kind == AnchorKind::call ? kCall : kReport);
}

// The words after "CUDA error: " that no table knows.
std::string_view unknown_words(std::string_view tail) {
  static const RE2 kWords(R"re(^(?: ?\(-?\d+\)| -?\d+)?\s?: ?"?(?:\[\w+\] )?([A-Za-z][^"{}%`\\]{3,})"?\s*$)re",
                          RE2::Latin1);
  static const RE2 kNothing(R"((?i)^(?:none|null|false|true|success|no errors?|ok)\b)", RE2::Latin1);
  re2::StringPiece words;
  if (!RE2::PartialMatch(piece_of(tail), kWords, &words) || RE2::PartialMatch(words, kNothing)) return {};
  return trim(std::string_view(words.data(), words.size()).substr(0, kMaxTextBytes), kSpace);
}

class Reading {
 public:
  explicit Reading(const Line& line) : line_(line), text_(line.text) {}

  std::vector<StatusReport> run() {
    std::size_t from = 0;
    for (int i = 0; i < kMaxAnchors; ++i) {
      const auto anchor = next(from, text_.size());
      if (!anchor) break;
      from = std::max(anchor->end, read(*anchor));
    }
    if (reports_.empty() && fallback_) reports_.push_back(*fallback_);
    return std::move(reports_);
  }

 private:
  // Returns where to go on.
  std::size_t read(const PlacedAnchor& placed) {
    switch (placed.anchor->kind) {
      case AnchorKind::name:
        return read_name(placed);
      case AnchorKind::description:
        return read_description(placed);
      case AnchorKind::quote:
        return read_quoted(placed);
      case AnchorKind::lead:
      case AnchorKind::hint:
      case AnchorKind::call:
        return read_announced(placed);
    }
    return placed.end;
  }

  std::size_t read_name(const PlacedAnchor& placed) {
    const std::string_view name = word_at(text_, placed.begin);
    const std::size_t end = placed.begin + name.size();
    const bool torn = placed.begin > 0 && is_word_char(text_[placed.begin - 1]);
    if (torn || family_of(name).empty() || is_operand(before(placed)) || only_mentioned(before(placed))) return end;
    const std::string_view after = text_.substr(end);
    if (after.starts_with(" =") || after.starts_with('`') || is_file_name(after)) return end;
    const bool explained = after.starts_with(": ") || after.starts_with(" : ");
    if (!explained && !stands_as_report(placed)) return end;
    Found found = name_at(text_, placed.begin, name);
    if (found.report.code.empty()) found.report.code = number_before_name(before(placed));
    add(found.report);
    return found.end;
  }

  std::size_t read_description(const PlacedAnchor& placed) {
    auto found = description_at(text_, placed.begin, placed.anchor->family);
    if (!found) return placed.end;
    const bool after_colon = before(placed).ends_with(": ") || before(placed).ends_with("-> ");
    if (!only_mentioned(before(placed)) && (after_colon || stands_as_report(placed))) add(found->report);
    return found->end;
  }

  std::size_t read_quoted(const PlacedAnchor& placed) {
    const std::string_view name = word_at(text_, placed.end);
    auto found = family_of(name).empty() ? description_at(text_, placed.end, placed.anchor->family)
                                         : std::optional(name_at(text_, placed.end, name));
    if (!found || only_mentioned(before(placed))) return placed.end;
    add(found->report);
    return found->end;
  }

  std::size_t read_announced(const PlacedAnchor& placed) {
    const Anchor& anchor = *placed.anchor;
    const bool torn = placed.begin > 0 && is_word_char(text_[placed.begin - 1]);
    const std::string_view rest = text_.substr(placed.end, kMaxTailBytes);
    if (torn || !goes_on_as_report(anchor, rest) || only_mentioned(before(placed))) return placed.end;
    const std::string_view tail = rest.substr(0, segment_end(placed.end, placed.end + rest.size()) - placed.end);
    std::string_view code = find_number(tail);
    if (anchor.number_before) {
      if (auto number = number_in_front(before(placed)); !number.empty()) code = number;
    }
    auto found = first_status(text_, placed.end, placed.end + tail.size(), family_of_words(anchor, tail));
    if (found) {
      if (!code.empty() && code != "0") found->report.code = code;
      found->report.begin = placed.begin;
      add(found->report);
      return found->end;
    }
    add_unnamed(placed, code, tail);
    return placed.end;
  }

  // next_anchor() of the text before `limit`. Several readers ask for the same one, soon after each other.
  std::optional<PlacedAnchor> next(std::size_t from, std::size_t limit) const {
    for (const Asked& asked : asked_) {
      if (asked.from == from && asked.limit == limit) return asked.anchor;
    }
    Asked& oldest = asked_[asked_count_++ % asked_.size()];
    oldest = {from, limit, next_anchor(text_.substr(0, limit), from)};
    return oldest.anchor;
  }

  // The first call named between two places, null when there is none.
  const Anchor* failing_call(std::size_t from, std::size_t limit) const {
    while (const auto next = this->next(from, limit)) {
      if (next->anchor->kind == AnchorKind::call) return next->anchor;
      from = next->end;
    }
    return nullptr;
  }

  // A status of which only a number, or words that no table knows, are printed.
  void add_unnamed(const PlacedAnchor& placed, std::string_view code, std::string_view tail) {
    StatusReport report;
    report.family = placed.anchor->family;
    report.code = code;
    report.begin = placed.begin;
    if (placed.anchor->kind == AnchorKind::call && !call_failed(tail)) return;
    if (auto number = number_of(code)) {
      const Anchor* call = failing_call(placed.end, placed.end + tail.size());
      const Anchor& owner = call ? *call : *placed.anchor;
      report.family = owner.family;
      report.status = status_of(owner, *number);
      if (report.status) report.name = report.status->name;
      if (*number != 0) add(report);
      return;
    }
    if (placed.anchor->kind != AnchorKind::lead) return;
    report.text = unknown_words(tail);
    if (!report.text.empty() && !fallback_) fallback_ = report;
  }

  void add(const StatusReport& report) {
    if (report.status && report.status->code == 0) return;
    for (StatusReport& known : reports_) {
      const bool same =
          known.status && report.status ? same_fault(*known.status, *report.status) : known.name == report.name;
      if (!same) continue;
      if (known.code.empty()) known.code = report.code;
      if (known.text.empty()) known.text = report.text;
      return;
    }
    reports_.push_back(report);
  }

  // Where the next lead begins another report, at most `limit`.
  std::size_t segment_end(std::size_t from, std::size_t limit) const {
    while (const auto next = this->next(from, limit)) {
      if (next->anchor->kind == AnchorKind::lead) return next->begin;
      from = next->end;
    }
    return limit;
  }

  bool stands_as_report(const PlacedAnchor& placed) const {
    const std::string& level = line_.envelope.level;
    const bool alone = before(placed).find_first_not_of(" \t-*>\"'([") == npos;
    return alone || level == "error" || level == "fatal" || tells_of_error(before(placed));
  }

  std::string_view before(const PlacedAnchor& placed) const { return text_.substr(0, placed.begin); }

  struct Asked {
    std::size_t from = npos;
    std::size_t limit = 0;
    std::optional<PlacedAnchor> anchor;
  };

  const Line& line_;
  std::string_view text_;
  mutable std::array<Asked, 8> asked_;
  mutable std::size_t asked_count_ = 0;
  std::vector<StatusReport> reports_;
  std::optional<StatusReport> fallback_;
};

void parse(const Line& line, EventSink& sink) {
  const auto reports = read_statuses(line);
  if (reports.empty()) return;
  Fields details;
  add_status_details(line.text, reports.front().begin, details);
  const std::string_view emitter = emitter_of_line(line.text);
  for (const StatusReport& report : reports) {
    Event event = line_event(line, "cuda.status", emitter);
    event.fields.set("family", report.family);
    event.fields.set("code", report.code);
    event.fields.set("name", report.name);
    event.fields.set("text", report.text);
    for (const auto& [name, value] : details) event.fields.set(name, value);
    sink.on_event(std::move(event));
  }
}

}  // namespace

std::vector<StatusReport> read_statuses(const Line& line) {
  return Reading(line).run();
}

const LineParser kCudaStatusParser = {"cuda_status", anchor_triggers(), parse};

}  // namespace cutopsy
