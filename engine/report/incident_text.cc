#include "engine/report/incident_text.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/report/incident_rows.h"
#include "engine/report/printable.h"
#include "engine/report/rate.h"
#include "engine/report/shown.h"
#include "engine/report/wrap.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxLineBytes = 300;
constexpr std::size_t kMaxProseBytes = 8192;
constexpr std::size_t kMaxSymptomsShown = 6;

std::string paint(std::string_view text, fmt::text_style how, const TextStyle& style) {
  return style.colour ? fmt::format(how, "{}", text) : std::string(text);
}

std::string prose(const Json& text) {
  return text.is_string() ? printable(text.get_ref<const std::string&>(), kMaxProseBytes) : "";
}

std::string line_in(const Json& object, const char* key) {
  return printable(text_in(object, key), kMaxLineBytes);
}

class IncidentWriter {
 public:
  IncidentWriter(const Json& incident, const TextStyle& style) : incident_(incident), style_(style) {}

  std::string write() {
    write_title();
    write_evidence();
    write_hypothesis();
    write_prose("Why", "cause");
    write_steps();
    write_prose("Next time", "prevent");
    if (style_.why) {
      write_chain();
    } else {
      write_symptoms();
    }
    write_references();
    return std::move(out_);
  }

 private:
  std::string where(const Json& place) const {
    return paint(shown_place(place), fmt::fg(fmt::terminal_color::cyan), style_);
  }

  void heading(std::string_view name) { out_ += heading_text(name, style_); }

  void write_title() {
    const std::string severity = line_in(incident_, "severity");
    const bool failed = severity_rank(severity) >= severity_rank("error");
    const auto hue = fmt::fg(failed ? fmt::terminal_color::red : fmt::terminal_color::yellow);
    out_ += paint(fmt::format("{}: {}", severity, line_in(incident_, "title")), hue | fmt::emphasis::bold, style_);
    out_ += fmt::format("\n  {}, {:.0f}% sure", line_in(incident_, "rule"), fraction_in(incident_, "confidence") * 100);
    for (const std::string& more : {shown_repeats(incident_), shown_ranks(incident_)})
      out_ += more.empty() ? "" : ", " + more;
    out_ += flag_in(incident_, "known") ? ", known from the baseline\n" : "\n";
  }

  void write_evidence() {
    for (const Json& line : list_in(incident_, "evidence"))
      out_ += fmt::format("  {} {}\n", where(line), line_in(line, "text"));
    const Json& context = list_in(incident_, "context");
    if (context.empty()) return;
    heading("In the log");
    for (const Json& line : context) {
      const std::uint64_t number = number_in(line, "line");
      const bool is_it = number == number_in(object_in(incident_, "where"), "line");
      out_ += fmt::format("  {} {:>6}  {}\n", is_it ? ">" : " ", number, line_in(line, "text"));
    }
  }

  // What the machine said, when it was asked.
  void write_hypothesis() {
    const Json& hypothesis = object_in(incident_, "hypothesis");
    const std::string reason = line_in(hypothesis, "reason");
    if (reason.empty()) return;
    heading("On this machine");
    const std::string verdict = line_in(hypothesis, "verdict");
    const auto hue = fmt::fg(verdict == "confirmed" ? fmt::terminal_color::red : fmt::terminal_color::yellow);
    out_ += fmt::format("  {}: {}\n", paint(verdict, hue, style_), reason);
    for (const Json& tested : list_in(hypothesis, "checks")) {
      const std::string detail = line_in(tested, "detail"), gpu = line_in(tested, "gpu");
      if (reason.find(detail) != std::string::npos) continue;
      out_ += fmt::format("  {}{}: {}\n", line_in(tested, "check"), gpu.empty() ? "" : " on GPU " + gpu, detail);
    }
    for (const Json& other : list_in(incident_, "alternatives")) {
      const Json& fallen = object_in(other, "hypothesis");
      if (text_in(fallen, "verdict") != "refuted") continue;
      out_ += fmt::format("  {} is refuted: {}\n", line_in(other, "rule"), line_in(fallen, "reason"));
    }
  }

  void write_prose(std::string_view name, const char* key) {
    const std::string_view text = text_in(incident_, key);
    if (text.empty()) return;
    heading(name);
    out_ += wrap(printable(text, kMaxProseBytes), style_.width, "  ");
  }

  void write_steps() {
    const Json& fix = list_in(incident_, "fix");
    if (!fix.empty()) heading("What to do");
    int number = 1;
    for (const Json& step : fix) {
      const std::string text = wrap(printable(text_in(step, "do"), kMaxProseBytes), style_.width, "     ");
      out_ += fmt::format("  {}. {}", number++, text.size() > 5 ? text.substr(5) : "\n");
      const std::string_view run = text_in(step, "run");
      if (run.empty()) continue;
      out_ += paint("       $ " + printable(run, kMaxProseBytes), fmt::fg(fmt::terminal_color::green), style_) + "\n";
    }
    const Json& debug = list_in(incident_, "debug");
    if (!debug.empty()) heading("To find out more");
    for (const Json& step : debug) {
      const std::string text = wrap(prose(step), style_.width, "    ");
      if (text.size() > 3) out_ += "  -" + text.substr(3);
    }
  }

  void write_symptoms() {
    const Json& symptoms = list_in(incident_, "symptoms");
    if (symptoms.empty()) return;
    heading("What followed from it");
    const std::size_t shown = std::min(symptoms.size(), kMaxSymptomsShown);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::uint64_t count = number_in(symptoms[i], "count");
      out_ += fmt::format("  {} {}{}\n", where(object_in(symptoms[i], "where")),
                          printable(text_in(symptoms[i], "title"), 160),
                          count > 1 ? fmt::format(" ({} times)", grouped(count)) : "");
    }
    if (shown < symptoms.size()) out_ += fmt::format("  and {} more kinds\n", symptoms.size() - shown);
  }

  // Each link names both lines, so that a reader can follow it in the log.
  void write_chain() {
    heading("How it came to this");
    out_ += fmt::format("  {} {}: nothing in the log explains it, so it is the root\n",
                        where(object_in(incident_, "where")), line_in(incident_, "rule"));
    for (const Json& link : list_in(incident_, "because")) {
      out_ += fmt::format("  {} {}\n    led to {} {} ({})\n", where(link), line_in(link, "rule"),
                          where(object_in(link, "at")), line_in(link, "explains"), reason(text_in(link, "basis")));
    }
    for (const Json& other : list_in(incident_, "alternatives")) {
      out_ += fmt::format("  it may also be {}, {:.0f}% sure\n", line_in(other, "rule"),
                          fraction_in(other, "confidence") * 100);
    }
  }

  static std::string_view reason(std::string_view basis) {
    if (basis == "log") return "the log says so";
    if (basis == "rule") return "known to follow from it";
    return "it names what went wrong, the other only that something did";
  }

  void write_references() {
    const Json& references = list_in(incident_, "references");
    if (references.empty()) return;
    heading("References");
    for (const Json& link : references) out_ += fmt::format("  {}\n", prose(link));
  }

  const Json& incident_;
  const TextStyle& style_;
  std::string out_;
};

}  // namespace

std::string incident_text(const Json& incident, const TextStyle& style) {
  return IncidentWriter(incident, style).write();
}

std::string unknown_text(const Json& unknown, const TextStyle& style) {
  const std::string repeats = shown_repeats(unknown);
  return fmt::format("{} {}{}{}",
                     paint(shown_place(object_in(unknown, "where")), fmt::fg(fmt::terminal_color::cyan), style),
                     line_in(unknown, "text"), repeats.empty() ? "" : fmt::format(" ({})", repeats),
                     flag_in(unknown, "known") ? " (known from the baseline)" : "");
}

std::string heading_text(std::string_view name, const TextStyle& style) {
  return paint(name, fmt::emphasis::bold, style) + "\n";
}

}  // namespace cutopsy
