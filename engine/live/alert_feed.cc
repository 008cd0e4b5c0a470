#include "engine/live/alert_feed.h"

#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "engine/report/printable.h"
#include "engine/report/runner_commands.h"

namespace cutopsy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTextBytes = 1000;

bool is_told(const Finding& finding) {
  return finding.rule && finding.severity >= Severity::warning && !finding.quoted &&
         (finding.role == Role::cause || finding.role == Role::effect);
}

std::string_view gpu_of(const Finding& finding) {
  return finding.fields.has("gpu_pci") ? finding.fields.get("gpu_pci") : finding.fields.get("gpu");
}

std::string fault_key(const std::string& input, const Finding& finding) {
  std::string key(finding.rule->id);
  for (std::string_view part : {std::string_view(input), std::string_view(finding.envelope.host), gpu_of(finding),
                                std::string_view(finding.envelope.rank)}) {
    key += '\0';
    key += part;
  }
  return key;
}

std::string now_as_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-01-01T00:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json text_or_null(std::string_view value) {
  return value.empty() ? Json(nullptr) : Json(printable(value, kMaxTextBytes));
}

/// Without the '}' at its end, so that counts can follow.
std::string alert_of(const std::string& input, const Finding& finding) {
  Json fields = Json::object();
  for (const auto& [name, value] : finding.fields) fields[name] = printable(value, kMaxTextBytes);
  const Json alert = {{"schema", "cutopsy/alert/v1"},
                      {"rule", finding.rule->id},
                      {"title", printable(finding.rule->title, kMaxTextBytes)},
                      {"severity", to_string(finding.severity)},
                      {"where",
                       {{"input", printable(input, kMaxTextBytes)},
                        {"line", finding.where.line},
                        {"rank", text_or_null(finding.envelope.rank)},
                        {"host", text_or_null(finding.envelope.host)},
                        {"gpu", text_or_null(gpu_of(finding))},
                        {"time", text_or_null(finding.envelope.time)}}},
                      {"text", printable(finding.text, kMaxTextBytes)},
                      {"fields", std::move(fields)}};
  std::string text = without_commands(alert.dump(-1, ' ', false, Json::error_handler_t::replace), kInJson);
  text.pop_back();
  return text;
}

}  // namespace

void AlertFeed::add(const std::string& input, const Finding& finding, Clock::time_point now) {
  if (!is_told(finding)) return;
  const std::lock_guard lock(mutex_);
  Count& count = counts_[std::string(finding.rule->id)];
  count.severity = std::max(count.severity, finding.severity);
  ++count.findings;
  const std::string key = fault_key(input, finding);
  const auto known = faults_.find(key);
  if (known == faults_.end()) {
    if (faults_.size() >= kMaxFaults) return;
    Fault& fault = faults_[key];
    fault.alert = alert_of(input, finding);
    fault.repeats = fault.total = 1;
    tell(fault, now);
    return;
  }
  ++known->second.repeats;
  ++known->second.total;
}

void AlertFeed::tell_repeats(Clock::time_point now, bool all) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, fault] : faults_) {
    const bool is_due = all || now - fault.told >= std::chrono::seconds(kRepeatSeconds);
    if (fault.repeats > 0 && is_due) tell(fault, now);
  }
}

void AlertFeed::tell(Fault& fault, Clock::time_point now) {
  write_(fmt::format("{},\"told\":\"{}\",\"new\":{},\"count\":{}}}\n", fault.alert, now_as_text(), fault.repeats,
                     fault.total));
  fault.told = now;
  fault.repeats = 0;
}

std::map<std::string, AlertFeed::Count> AlertFeed::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace cutopsy
