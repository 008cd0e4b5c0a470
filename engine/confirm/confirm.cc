#include "engine/confirm/confirm.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/explain/incident_builder.h"
#include "engine/report/placeholders.h"
#include "engine/rule/advice.h"

namespace cutopsy {

namespace {

constexpr double kConfirmed = 0.98;  // at least so sure is an incident that a check confirms
constexpr double kRefuted = 0.1;     // what is left of the confidence of one that fell

constexpr std::string_view kSameMachine = "same-machine";
constexpr std::string_view kRestarted = "uptime";

std::string_view first_of(const Fields& fields, const Fields& facts, std::initializer_list<std::string_view> names) {
  for (const Fields* known : {&fields, &facts}) {
    for (const std::string_view name : names) {
      if (known->has(name)) return known->get(name);
    }
  }
  return {};
}

// A setting's value with its placeholders filled in; nothing when one of them is not known.
std::optional<std::string> filled(std::string_view value, const Fields& fields, const Fields& facts) {
  std::string text = fill_placeholders(value, fields, facts);
  if (text != fill_placeholders(value, fields, facts, Unfilled::name)) return std::nullopt;
  return text;
}

CheckAnswer answer_of(Reply reply) {
  return reply == Reply::yes ? CheckAnswer::yes : reply == Reply::no ? CheckAnswer::no : CheckAnswer::unknown;
}

// What the rule wants to ask with, when the check has to be asked without anything.
std::string lacking(const ConfirmBy& by, const Parameters& asked) {
  std::string lacks;
  if (!asked.values().empty()) return lacks;
  for (const Setting& setting : by.with) lacks += (lacks.empty() ? "" : ", ") + std::string(setting.name);
  return lacks;
}

Tested tested(const CheckResult& result, bool supports) {
  Tested tested{.check = std::string(result.check->name),
                .question = std::string(result.check->question),
                .answer = answer_of(result.answer.reply),
                .could_not_run = result.answer.doubt == Doubt::could_not_run,
                .is_state = result.check->check_class == CheckClass::state,
                .supports = supports,
                .check_class = std::string(to_string(result.check->check_class)),
                .detail = result.answer.detail,
                .advice = result.answer.advice,
                .gpu = result.gpu.index.empty() ? result.gpu.uuid : result.gpu.index,
                .measurements = {}};
  for (const Measurement& one : result.answer.measurements) tested.measurements.emplace_back(one.name, one.value);
  return tested;
}

// Tests the incidents of one case.
class CaseConfirmer {
 public:
  CaseConfirmer(Analysis& analysis, const RuleSet& rules, Runner& runner, const ConfirmOptions& options)
      : analysis_(analysis), rules_(rules), runner_(runner), options_(options) {}

  void run() {
    for (Incident& incident : analysis_.diagnosis.incidents) {
      if (!incident.definition) continue;
      test(incident);
    }
  }

  /// The checks that read files, for all hypotheses that may come up: they have to be asked before the driver starts.
  void ask_files() {
    for (const Incident& incident : analysis_.diagnosis.incidents) {
      if (!incident.definition) continue;
      ask_files_of(*incident.definition, incident);
      for (const Alternative& other : incident.alternatives) {
        if (const Rule* rule = rules_.find(other.rule)) ask_files_of(*rule, incident);
      }
    }
  }

 private:
  const Fields& facts() const { return analysis_.diagnosis.facts; }

  Parameters parameters_for(const Check& check, const ConfirmBy& by, const Incident& incident) const {
    Parameters parameters;
    for (const Setting& setting : by.with) {
      if (auto value = filled(setting.value, incident.fields, facts())) {
        parameters.set(std::string(setting.name), std::move(*value));
      }
    }
    for (const Parameter& known : check.parameters) {
      if (const auto given = options_.given.text(known.name)) parameters.set(std::string(known.name), *given);
    }
    return parameters;
  }

  std::vector<std::string> gpus_of(const Incident& incident) const {
    for (const std::string_view name : {"gpu_uuid", "gpu_pci", "pci"}) {
      if (incident.fields.has(name)) return {std::string(incident.fields.get(name))};
    }
    return {};
  }

  std::vector<CheckRequest> requests_for(const ConfirmBy& by, const Incident& incident) const {
    const Check* check = find_check(by.check);
    if (!check) return {};  // the rules' own lint names it
    return {{check, parameters_for(*check, by, incident), gpus_of(incident)}};
  }

  void ask_files_of(const Rule& rule, const Incident& incident) {
    for (const ConfirmBy& by : rule.confirm) {
      auto requests = requests_for(by, incident);
      if (!requests.empty() && requests.front().check->need == Need::nothing) runner_.run(std::move(requests));
    }
  }

  Hypothesis hypothesis_of(const Rule& rule, const Incident& incident) {
    if (rule.confirm.empty()) return judge({}, {});
    const SameMachine machine = same_machine(incident);
    std::vector<Tested> answers;
    for (const ConfirmBy& by : rule.confirm) {
      if (machine.is == SameMachine::Is::no) {
        answers.push_back({.check = std::string(by.check), .supports = by.expects_failure, .detail = "not asked"});
        continue;
      }
      const std::vector<CheckRequest> requests = requests_for(by, incident);
      if (requests.empty()) continue;
      for (const CheckResult& result : runner_.run(requests)) {
        answers.push_back(tested(result, by.expects_failure));
        answers.back().lacks = lacking(by, requests.front().parameters);
      }
    }
    return judge(std::move(answers), machine);
  }

  void test(Incident& incident) {
    Hypothesis hypothesis = hypothesis_of(*incident.definition, incident);
    if (hypothesis.verdict == Verdict::confirmed) incident.confidence = std::max(incident.confidence, kConfirmed);
    const bool fell = hypothesis.verdict == Verdict::refuted;
    incident.hypothesis = std::move(hypothesis);
    if (!fell) return;
    incident.confidence *= kRefuted;
    std::optional<std::size_t> next = next_of(incident);
    if (next) give_way(incident, *next);
  }

  /// The first alternative that a check confirms, else the first that none refutes.
  std::optional<std::size_t> next_of(Incident& incident) {
    std::optional<std::size_t> standing;
    for (std::size_t i = 0; i < incident.alternatives.size(); ++i) {
      Alternative& other = incident.alternatives[i];
      const Rule* rule = rules_.find(other.rule);
      if (!rule) continue;
      other.hypothesis = hypothesis_of(*rule, incident);
      if (other.hypothesis.verdict == Verdict::confirmed) return i;
      if (other.hypothesis.verdict != Verdict::refuted && !standing) standing = i;
    }
    return standing;
  }

  /// The alternative takes the incident's place, and the other way round.
  void give_way(Incident& incident, std::size_t index) {
    Alternative fallen{incident.rule, incident.confidence, std::move(incident.hypothesis)};
    Alternative risen = std::move(incident.alternatives[index]);
    incident.alternatives[index] = std::move(fallen);
    const Rule& rule = *rules_.find(risen.rule);
    incident.rule = rule.id;
    incident.title = rule.title;
    incident.definition = &rule;
    incident.advice = std::make_shared<const Advice>(parse_advice(rule));
    incident.severity = std::max(incident.severity, rule.severity);
    incident.confidence =
        risen.hypothesis.verdict == Verdict::confirmed ? std::max(risen.confidence, kConfirmed) : risen.confidence;
    incident.hypothesis = std::move(risen.hypothesis);
    incident.fingerprint = fingerprint_of(incident.rule + "\n" + incident.fingerprint);
  }

  /// Whether the incident's log is this machine's, by the host, GPU and driver that it names.
  SameMachine same_machine(const Incident& incident) {
    SameMachine machine;
    machine.is = options_.this_machine ? SameMachine::Is::yes : SameMachine::Is::unknown;
    if (!options_.this_machine) {
      Parameters names;
      const std::string& host = incident.envelope.host;
      const auto set = [&](const char* name, std::string_view value) {
        if (!value.empty()) names.set(name, std::string(value));
      };
      set("host", host.empty() ? first_of(incident.fields, {}, {"host"}) : host);
      set("uuid", first_of(incident.fields, facts(), {"gpu_uuid"}));
      set("pci", first_of(incident.fields, facts(), {"gpu_pci"}));
      set("gpu_name", first_of(incident.fields, facts(), {"gpu_name"}));
      set("driver_version", first_of(incident.fields, facts(), {"driver_version"}));
      const Answer answer = ask_gate(kSameMachine, names);
      machine.detail = answer.detail;
      if (answer.reply == Reply::yes) machine.is = SameMachine::Is::no;
      if (answer.reply == Reply::no) machine.is = SameMachine::Is::yes;
    }
    if (incident.envelope.seconds > 0) {
      Parameters time;
      time.set("log_time", std::to_string(static_cast<long long>(incident.envelope.seconds)));
      machine.rebooted_since = ask_gate(kRestarted, time).reply == Reply::yes;
    }
    return machine;
  }

  Answer ask_gate(std::string_view name, Parameters parameters) {
    const Check* check = find_check(name);
    if (!check) return {};
    const auto results = runner_.run({{check, std::move(parameters), {}}});
    return results.front().answer;
  }

  Analysis& analysis_;
  const RuleSet& rules_;
  Runner& runner_;
  const ConfirmOptions& options_;
};

}  // namespace

void confirm(Batch& batch, const RuleSet& rules, Runner& runner, const ConfirmOptions& options) {
  for (Analysis& analysis : batch.cases) CaseConfirmer(analysis, rules, runner, options).ask_files();
  for (Analysis& analysis : batch.cases) CaseConfirmer(analysis, rules, runner, options).run();
}

}  // namespace cutopsy
