#include "engine/rule/lint.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/rule/advice.h"
#include "engine/rule/nearest.h"
#include "engine/rule/relation_cycles.h"
#include "engine/rule/yaml_tree.h"
#include "engine/scan/ordinary_lines.h"
#include "parsers/event_kinds.h"
#include "parsers/fact_names.h"
#include "validators/check.h"

namespace cutopsy {
namespace {

constexpr std::string_view kFacts = "facts.";  // {facts.name} in a text
constexpr std::size_t kShownTodo = 40;
constexpr std::string_view kTodo = "TODO";  // in the drafts of `cutopsy rules new`

/// What every finding knows of its place, whatever matched.
constexpr std::string_view kEnvelopeFields[] = {"time", "host", "rank",        "local_rank", "pod",
                                                "pid",  "gpu",  "application", "input"};

/// The first scalar of `node` whose text is `part`, or (not `whole`) holds it; or null.
const YamlNode* scalar_with(const YamlNode& node, std::string_view part, bool whole) {
  if (node.is_scalar() && (whole ? node.text == part : node.text.find(part) != std::string::npos)) return &node;
  for (const YamlNode& item : node.items) {
    if (const YamlNode* found = scalar_with(item, part, whole)) return found;
  }
  for (const YamlEntry& entry : node.entries) {
    if (const YamlNode* found = scalar_with(entry.value, part, whole)) return found;
  }
  return nullptr;
}

class Linter {
 public:
  explicit Linter(const RuleSet& rules) : rules_(rules.rules()) {
    for (const Rule& rule : rules_) ids_.push_back(rule.id);
  }

  std::vector<RuleProblem> run() {
    for (const Rule& rule : rules_) {
      check_targets(rule, rule.explains, "explains");
      check_targets(rule, rule.clears, "clears");
      check_replacement(rule);
      check_confirm(rule);
      for (const auto signatures : {rule.signatures, rule.absent}) check_triggers(rule, signatures);
      for (std::string_view fact : rule.shows) check_fact(rule, fact, fact);
      const Advice advice = parse_advice(rule);
      check_placeholders(rule, advice);
      check_todos(rule, advice);
      check_examples(rule, advice);
      if (advice.references.empty()) {
        report(rule, "missing-reference", "",
               fmt::format("{} has no references: name a page that says more, best an official one", rule.id));
      }
    }
    check_near_misses();
    check_cycles();
    const auto place = [](const RuleProblem& p) { return std::tie(p.file, p.line, p.column, p.code, p.message); };
    std::sort(problems_.begin(), problems_.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    problems_.erase(std::unique(problems_.begin(), problems_.end()), problems_.end());
    return std::move(problems_);
  }

 private:
  /// Reports at the text of the rule that holds `part`, else where the rule starts; once for all rows of a table
  /// that share the text.
  void report(const Rule& rule, std::string code, std::string_view part, std::string message) {
    const bool in_row = rule.row_yaml.find(part) != std::string_view::npos;
    const std::uint32_t line = in_row ? rule.row_line : rule.source_line;
    if (!reported_.insert(fmt::format("{}:{}:{}", rule.source, line, message)).second) return;
    const YamlNode pattern = read_yaml(std::string(rule.yaml), static_cast<int>(rule.source_line)).root;
    const YamlNode row = read_yaml(std::string(rule.row_yaml), static_cast<int>(rule.row_line)).root;
    const YamlNode* at = rule.row_yaml.empty() ? &pattern : &row;
    for (bool whole : {false, true}) {
      for (const YamlNode* text : {&pattern, &row}) {
        if (const YamlNode* found = part.empty() ? nullptr : scalar_with(*text, part, whole)) at = found;
      }
    }
    problems_.push_back({std::move(code), std::string(rule.source), at->line, at->column, std::move(message)});
  }

  void check_targets(const Rule& rule, std::span<const Relation> relations, std::string_view what) {
    for (const Relation& relation : relations) {
      const bool is_known =
          std::any_of(rules_.begin(), rules_.end(), [&](const Rule& other) { return names(relation, other); });
      if (is_known) continue;
      report(rule, "unknown-rule", relation.target,
             fmt::format("{}: no rule is '{}' or has that tag{}", what, relation.target,
                         suggestion(relation.target, ids_)));
    }
  }

  void check_replacement(const Rule& rule) {
    if (rule.replaced_by.empty() || std::ranges::find(ids_, rule.replaced_by) != ids_.end()) return;
    report(rule, "unknown-rule", rule.replaced_by,
           fmt::format("replaced_by: no rule is '{}'{}", rule.replaced_by, suggestion(rule.replaced_by, ids_)));
  }

  void check_confirm(const Rule& rule) {
    for (const ConfirmBy& by : rule.confirm) {
      const Check* check = find_check(by.check);
      if (!check) {
        std::vector<std::string_view> known;
        for (const Check* one : all_checks()) known.push_back(one->name);
        report(rule, "unknown-check", by.check,
               fmt::format("confirm: there is no check '{}'{}", by.check, suggestion(by.check, known)));
        continue;
      }
      std::vector<std::string_view> known;
      for (const Parameter& parameter : check->parameters) known.push_back(parameter.name);
      for (const Setting& setting : by.with) {
        if (std::ranges::find(known, setting.name) != known.end()) continue;
        report(rule, "unknown-check", by.check,
               fmt::format("confirm: the check '{}' has no parameter '{}'{}", by.check, setting.name,
                           suggestion(setting.name, known)));
      }
    }
  }

  void check_triggers(const Rule& rule, std::span<const Signature> signatures) {
    for (const Signature& signature : signatures) {
      for (std::string_view trigger : signature.triggers) {
        const std::uint32_t lines = ordinary_lines(trigger);
        if (lines <= 1) continue;
        report(rule, "common-trigger", signature.line,
               fmt::format("lines are searched for '{}', which {} of {} ordinary lines hold; write more of what only "
                           "the faulty line says, or match an event",
                           trigger, lines, kOrdinaryLines));
      }
    }
  }

  void check_todos(const Rule& rule, const Advice& advice) {
    std::vector<std::string_view> texts = {rule.title, advice.cause, advice.prevent};
    for (const FixStep& step : advice.fix) texts.insert(texts.end(), {step.what, step.run});
    texts.insert(texts.end(), advice.debug.begin(), advice.debug.end());
    texts.insert(texts.end(), advice.references.begin(), advice.references.end());
    for (const Example& example : advice.examples) texts.push_back(example.log);
    for (std::string_view text : texts) {
      if (text.find(kTodo) == text.npos) continue;
      report(rule, "todo-text", text.substr(0, text.find('\n')),
             fmt::format("a text of a draft still stands here: write what '{}' asks for",
                         text.substr(text.find(kTodo), kShownTodo)));
    }
  }

  /// Names that a text of this rule can ask for: fields of its events, captures of its lines. A line may stand in an
  /// exception's record, whose fields the incident takes over.
  static std::set<std::string> fillable(const Rule& rule) {
    std::set<std::string> names(std::begin(kEnvelopeFields), std::end(kEnvelopeFields));
    const auto add_fields_of = [&](std::string_view kind) {
      if (const EventKind* known = find_event_kind(kind)) names.insert(known->fields.begin(), known->fields.end());
    };
    const auto add_captures_of = [&](std::string_view pattern) {
      const RE2 regex(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet);
      for (const auto& [name, index] : regex.NamedCapturingGroups()) names.insert(name);
    };
    names.insert(rule.shows.begin(), rule.shows.end());
    for (const Signature& signature : rule.signatures) {
      add_fields_of(signature.event.empty() ? "python.exception" : signature.event);
      add_captures_of(signature.line);
      for (const Predicate& predicate : signature.where) {
        if (predicate.op == Predicate::Op::search) add_captures_of(predicate.text);
      }
    }
    return names;
  }

  void check_placeholders(const Rule& rule, const Advice& advice) {
    const std::set<std::string> names = fillable(rule);
    std::vector<std::string_view> texts = {rule.title, advice.cause, advice.prevent};
    for (const FixStep& step : advice.fix) texts.insert(texts.end(), {step.what, step.run});
    texts.insert(texts.end(), advice.debug.begin(), advice.debug.end());
    for (const ConfirmBy& by : rule.confirm)
      for (const Setting& setting : by.with) texts.push_back(setting.value);
    static const RE2 placeholder(R"(\{([a-z][a-z0-9_.]*)\})");  // as the report reads them
    for (std::string_view text : texts) {
      re2::StringPiece rest(text.data(), text.size());
      for (std::string name; RE2::FindAndConsume(&rest, placeholder, &name);) {
        if (name.starts_with(kFacts)) {
          check_fact(rule, std::string_view(name).substr(kFacts.size()), fmt::format("{{{}}}", name));
          continue;
        }
        if (names.contains(name)) continue;
        const std::vector<std::string_view> known(names.begin(), names.end());
        report(rule, "unknown-placeholder", fmt::format("{{{}}}", name),
               fmt::format("nothing that this rule matches has a field '{}'{}", name, suggestion(name, known)));
      }
    }
  }

  /// `part` is the text of the rule that names the fact.
  void check_fact(const Rule& rule, std::string_view name, std::string_view part) {
    if (find_fact_name(name)) return;
    std::vector<std::string_view> known;
    for (const FactName& fact : fact_names()) known.push_back(fact.name);
    report(rule, "unknown-fact", part, fmt::format("no parser gives a fact '{}'{}", name, suggestion(name, known)));
  }

  void check_examples(const Rule& rule, const Advice& advice) {
    bool has_positive = false;
    bool& has_near_miss = near_misses_[{rule.source, rule.source_line}];
    for (const Example& example : advice.examples)
      if (!example.is_gap) (example.must_match ? has_positive : has_near_miss) = true;
    if (!has_positive) {
      report(rule, "missing-example", "",
             fmt::format("{} has no example: under examples: add 'log: |' with a log that it matches", rule.id));
    }
  }

  /// Once for all rows of a table.
  void check_near_misses() {
    for (const Rule& rule : rules_) {
      bool& has_near_miss = near_misses_[{rule.source, rule.source_line}];
      if (!std::exchange(has_near_miss, true)) {
        report(rule, "missing-near-miss", "",
               fmt::format("{} has no near miss: under examples: add 'not: |' with a log that only looks like it",
                           rule.id));
      }
    }
  }

  void check_cycles() {
    for (const std::vector<const Rule*>& cycle : relation_cycles(rules_)) {
      std::vector<std::string_view> ids;
      for (const Rule* rule : cycle) ids.push_back(rule->id);
      ids.push_back(ids.front());
      report(*cycle[0], "cyclic-relation", relation_to(*cycle[0], *cycle[1])->target,
             fmt::format("causes that explain each other: {}; drop one of the relations, or give the lesser one "
                         "role: effect",
                         fmt::join(ids, " > ")));
    }
  }

  const std::span<const Rule> rules_;
  std::vector<std::string_view> ids_;
  std::map<std::pair<std::string_view, std::uint32_t>, bool> near_misses_;  ///< by the place of rule or table
  std::set<std::string> reported_;
  std::vector<RuleProblem> problems_;
};

}  // namespace

std::vector<RuleProblem> lint_rules(const RuleSet& rules) {
  return Linter(rules).run();
}

std::vector<RuleProblem> lint_loaded(const LoadedRules& loaded, const RuleSet& others) {
  std::set<std::string_view> files;
  for (const Rule& rule : loaded.rules.rules()) files.insert(rule.source);
  for (const Amendment& amendment : loaded.amendments) files.insert(amendment.file);
  LoadedRules layer = loaded;
  const RuleSet all = laid_over(others, layer);
  std::vector<RuleProblem> problems = std::move(layer.problems);
  for (RuleProblem& problem : lint_rules(all)) {
    const bool may_be_unread = problem.code == "unknown-rule" && !loaded.problems.empty();
    if (files.contains(problem.file) && !may_be_unread) problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace cutopsy
