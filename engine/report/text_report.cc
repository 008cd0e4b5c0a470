#include "engine/report/text_report.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/report/differing_facts.h"
#include "engine/report/limits.h"
#include "engine/report/placeholders.h"
#include "engine/report/printable.h"
#include "engine/report/rate.h"
#include "engine/report/wrap.h"
#include "engine/rule/advice.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxEvidenceBytes = 300;
constexpr std::size_t kMaxSymptomsShown = 6;

// Writes what was found in one case.
class CaseWriter {
 public:
  CaseWriter(const Analysis& analysis, const TextStyle& style) : analysis_(analysis), style_(style) {}

  std::string write() {
    const Diagnosis& diagnosis = analysis_.diagnosis;
    for (const Incident& incident : diagnosis.incidents) write_incident(incident);
    if (!diagnosis.unknown.empty()) write_unknown();
    write_differing_facts();
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view text, fmt::text_style how) const {
    return style_.colour ? fmt::format(how, "{}", text) : std::string(text);
  }

  std::string where(const Place& place) const {
    std::string name = place.input < analysis_.inputs.size() ? analysis_.inputs[place.input].name : "";
    if (name == "-")
      name = "line ";
    else
      name += ":";
    return printable(name, 200) + std::to_string(place.line);
  }

  void heading(std::string_view name) { out_ += paint(name, fmt::emphasis::bold) + "\n"; }

  void write_incident(const Incident& incident) {
    if (!out_.empty()) out_ += "\n";
    auto fill = [&](const std::string& text) {
      return fill_placeholders(text, incident.fields, analysis_.diagnosis.facts);
    };
    auto hue =
        incident.severity >= Severity::error ? fmt::fg(fmt::terminal_color::red) : fmt::fg(fmt::terminal_color::yellow);
    out_ += paint(fmt::format("{}: {}", to_string(incident.severity), fill(incident.title)), hue | fmt::emphasis::bold);
    out_ += fmt::format("\n  {}, {:.0f}% sure{}{}\n", incident.rule, incident.confidence * 100, repeats(incident),
                        ranks(incident));
    for (const Evidence& evidence : incident.evidence) {
      out_ += fmt::format("  {} {}\n", paint(where(evidence.where), fmt::fg(fmt::terminal_color::cyan)),
                          printable(evidence.text, kMaxEvidenceBytes));
    }
    Advice advice;
    if (incident.advice) advice = *incident.advice;
    if (!advice.cause.empty()) {
      heading("Why");
      out_ += wrap(fill(advice.cause), style_.width, "  ");
    }
    write_steps(advice, fill);
    if (style_.why) {
      write_chain(incident);
    } else {
      write_symptoms(incident);
    }
    write_references(advice);
  }

  static std::string repeats(const Incident& incident) {
    if (incident.count <= 1) return "";
    const auto rate = rate_of(incident);
    return ", " + (rate ? rate->text : fmt::format("{} times", grouped(incident.count)));
  }

  std::string ranks(const Incident& incident) const {
    if (incident.ranks.empty()) return "";
    std::string text = incident.ranks.size() == 1 ? ", rank " + incident.ranks.front()
                                                  : fmt::format(", first on rank {}, of ranks {}",
                                                                incident.envelope.rank.empty() ? incident.ranks.front()
                                                                                               : incident.envelope.rank,
                                                                fmt::join(incident.ranks, " "));
    if (!incident.waiting_ranks.empty())
      text += fmt::format(", while {} waited", fmt::join(incident.waiting_ranks, " "));
    return printable(text, 160);
  }

  template <typename Fill>
  void write_steps(const Advice& advice, Fill fill) {
    if (!advice.fix.empty()) heading("What to do");
    int number = 1;
    for (const FixStep& step : advice.fix) {
      std::string text = wrap(fill(step.what), style_.width, "     ");
      out_ += fmt::format("  {}. {}", number++, text.substr(5));
      if (!step.run.empty()) {
        out_ += paint(fmt::format("       $ {}", fill(step.run)), fmt::fg(fmt::terminal_color::green)) + "\n";
      }
    }
    if (!advice.debug.empty()) heading("To find out more");
    for (const std::string& step : advice.debug) out_ += "  -" + wrap(fill(step), style_.width, "    ").substr(3);
    if (!advice.prevent.empty()) {
      heading("Next time");
      out_ += wrap(fill(advice.prevent), style_.width, "  ");
    }
  }

  void write_symptoms(const Incident& incident) {
    if (incident.symptoms.empty()) return;
    heading("What followed from it");
    std::size_t shown = std::min(incident.symptoms.size(), kMaxSymptomsShown);
    for (std::size_t i = 0; i < shown; ++i) {
      const Symptom& symptom = incident.symptoms[i];
      out_ += fmt::format("  {} {}{}\n", paint(where(symptom.where), fmt::fg(fmt::terminal_color::cyan)),
                          printable(symptom.title, 160),
                          symptom.count > 1 ? fmt::format(" ({} times)", grouped(symptom.count)) : "");
    }
    if (shown < incident.symptoms.size()) {
      out_ += fmt::format("  and {} more kinds\n", incident.symptoms.size() - shown);
    }
  }

  // Each link names both lines, so that a reader can follow it in the log.
  void write_chain(const Incident& incident) {
    heading("How it came to this");
    const auto line = [this](const Place& place, std::string_view rule) {
      return fmt::format("{} {}", paint(where(place), fmt::fg(fmt::terminal_color::cyan)), rule);
    };
    out_ +=
        fmt::format("  {}: nothing in the log explains it, so it is the root\n", line(incident.where, incident.rule));
    for (const Because& link : incident.because) {
      out_ += fmt::format("  {}\n    led to {} ({})\n", line(link.where, link.rule),
                          line(link.explained, link.explains), reason(link.basis));
    }
    for (const Alternative& other : incident.alternatives) {
      out_ += fmt::format("  it may also be {}, {:.0f}% sure\n", other.rule, other.confidence * 100);
    }
  }

  static std::string_view reason(Basis basis) {
    switch (basis) {
      case Basis::log:
        return "the log says so";
      case Basis::rule:
        return "known to follow from it";
      case Basis::role:
        return "it names what went wrong, the other only that something did";
    }
    return "";
  }

  void write_references(const Advice& advice) {
    if (advice.references.empty()) return;
    heading("References");
    for (const std::string& link : advice.references) out_ += fmt::format("  {}\n", link);
  }

  void write_unknown() {
    if (!out_.empty()) out_ += "\n";
    heading("Failed in a way that no rule knows");
    for (const Unknown& unknown : analysis_.diagnosis.unknown) {
      out_ += fmt::format("  {} {}{}\n", paint(where(unknown.where), fmt::fg(fmt::terminal_color::cyan)),
                          printable(unknown.text, kMaxEvidenceBytes),
                          unknown.count > 1 ? fmt::format(" ({} times)", grouped(unknown.count)) : "");
    }
  }

  void write_differing_facts() {
    std::vector<DifferingFact> facts = differing_facts(analysis_.facts);
    std::erase_if(facts, [](const DifferingFact& fact) { return !divides_the_job(fact); });
    if (facts.empty()) return;
    out_ += "\n";
    heading("Not the same everywhere");
    for (const DifferingFact& fact : facts) {
      std::vector<std::string> values;
      for (const DifferingFact::Value& value : fact.values) {
        const bool by_host = !value.hosts.empty();
        const std::vector<std::string>& names = by_host ? value.hosts : value.ranks;
        std::string_view kind = by_host ? "" : names.size() == 1 ? "rank " : "ranks ";
        std::string who = names.empty() ? where(value.where) : fmt::format("{}{}", kind, fmt::join(names, " "));
        values.push_back(fmt::format("{} ({})", value.text, who));
      }
      out_ += printable(fmt::format("  {}: {}", fact.name, fmt::join(values, ", ")), kMaxEvidenceBytes) + "\n";
    }
  }

  const Analysis& analysis_;
  const TextStyle& style_;
  std::string out_;
};

bool found_something(const Analysis& analysis) {
  return !analysis.diagnosis.incidents.empty() || !analysis.diagnosis.unknown.empty();
}

// "== runs/7/train.log, runs/7/kern.log =="
std::string heading_of(const Analysis& analysis, const TextStyle& style) {
  constexpr std::size_t kNamesShown = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(analysis.inputs.size(), kNamesShown); ++i) {
    names += (i == 0 ? "" : ", ") + printable(analysis.inputs[i].name, 200);
  }
  if (analysis.inputs.size() > kNamesShown) names += fmt::format(" and {} more", analysis.inputs.size() - kNamesShown);
  std::string heading = fmt::format("== {} ==\n", names);
  return style.colour ? fmt::format(fmt::emphasis::bold, "{}", heading) : heading;
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// What a reader cannot see from the findings: how much was read, and where nothing was found.
std::string closing_line(const Batch& batch, bool found) {
  std::uint64_t lines = 0;
  for (const Analysis& analysis : batch.cases) {
    for (const InputSummary& input : analysis.inputs) lines += input.lines;
  }
  if (batch.cases.size() == 1) return found ? "" : fmt::format("No failure found in {}.\n", counted(lines, "line"));
  if (!found)
    return fmt::format("No failure found in {} of {}.\n", counted(batch.cases.size(), "case"), counted(lines, "line"));
  const auto clean = std::count_if(batch.cases.begin(), batch.cases.end(),
                                   [](const Analysis& analysis) { return !found_something(analysis); });
  return fmt::format("{}, {} of them without a finding.\n", counted(batch.cases.size(), "case"), clean);
}

}  // namespace

std::string text_report(const Batch& batch, const TextStyle& style) {
  std::string report;
  LimitsReached limits;
  for (const Analysis& analysis : batch.cases) {
    limits += analysis.limits;
    if (!found_something(analysis)) continue;
    if (batch.cases.size() > 1) report += heading_of(analysis, style);
    report += CaseWriter(analysis, style).write();
    if (batch.cases.size() > 1) report += "\n";
  }
  report += closing_line(batch, !report.empty());
  const std::string bounds = limits_line(limits);
  return bounds.empty() ? report : report + "\n" + bounds;
}

}  // namespace cutopsy
