#include "engine/rule/match_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "engine/rule/nearest.h"
#include "engine/rule/pattern.h"
#include "engine/scan/trigger.h"
#include "parsers/event_kinds.h"

namespace cutopsy {
namespace {

constexpr std::string_view kSignatureKeys[] = {"event", "where", "line", "role", "severity"};
constexpr std::string_view kMatchKeys[] = {"event", "where",    "line", "role",   "severity", "any",
                                           "all",   "sequence", "not",  "within", "same"};
constexpr std::string_view kSignatureForms[] = {"event", "line"};
constexpr std::string_view kMatchForms[] = {"event", "line", "any", "all", "sequence"};
constexpr std::string_view kConditionKeys[] = {"above", "below", "in"};

constexpr std::array kSeverities = {Severity::info, Severity::warning, Severity::error, Severity::fatal};
constexpr std::array kRoles = {Role::info, Role::banner, Role::effect, Role::generic, Role::cause};
constexpr std::array kScopes = {Scope::any, Scope::pid, Scope::gpu, Scope::host, Scope::rank};

/// The enumerator that the scalar spells as to_string() does.
template <typename Enum, std::size_t N>
Enum read_enum(const YamlNode& node, std::string_view what, const std::array<Enum, N>& values, Enum otherwise,
               YamlChecker& check) {
  std::array<std::string_view, N> names;
  std::transform(values.begin(), values.end(), names.begin(), [](Enum value) { return to_string(value); });
  const auto index = check.choice(node, what, fmt::format("bad-{}", what), names);
  return index ? values[*index] : otherwise;
}

/// A pattern that rules can use.
std::optional<std::string_view> read_regex(const YamlNode& node, std::string_view what, YamlChecker& check) {
  const auto pattern = check.text(node, what);
  if (!pattern) return std::nullopt;
  const std::string mistake = mistake_in_pattern(*pattern);
  if (mistake.empty()) return pattern;
  check.report(node, "bad-regex", fmt::format("{}: {}", what, mistake));
  return std::nullopt;
}

/// The one entry of `node` whose key is among `forms`.
const YamlEntry* only_form(const YamlNode& node, std::string_view what, std::span<const std::string_view> forms,
                           YamlChecker& check) {
  const YamlEntry* form = nullptr;
  for (const YamlEntry& entry : node.entries) {
    if (std::find(forms.begin(), forms.end(), entry.key.text) == forms.end()) continue;
    if (form) {
      check.report(entry.key, "two-forms",
                   fmt::format("{} has '{}' beside '{}'; keep one, or list both under any:", what, entry.key.text,
                               form->key.text));
    } else {
      form = &entry;
    }
  }
  if (!form) {
    check.report(node, "missing-signature",
                 fmt::format("{} names nothing to look for; write one of {}", what, fmt::join(forms, ", ")));
  }
  return form;
}

class MatchReader {
 public:
  MatchReader(YamlChecker& check, RuleArena& arena, Severity severity)
      : check_(check), arena_(arena), severity_(severity) {}

  /// A list of signatures, or one alone.
  std::span<const Signature> signatures(const YamlNode& node, std::string_view what) {
    std::vector<Signature> result;
    if (node.is_mapping()) {
      if (check_.is_mapping(node, what, kSignatureKeys)) result.push_back(signature(node, what));
    } else if (check_.is_list(node, what)) {
      for (const YamlNode& item : node.items) {
        if (check_.is_mapping(item, "a signature", kSignatureKeys)) result.push_back(signature(item, "a signature"));
      }
    }
    return arena_.keep(std::move(result));
  }

  /// The signature whose keys stand in `node`; other keys there are somebody else's.
  Signature signature(const YamlNode& node, std::string_view what) {
    Signature result;
    result.severity = severity_;
    const YamlEntry* form = only_form(node, what, kSignatureForms, check_);
    if (form && form->key.text == "event") read_event(form->value, node.find("where"), result);
    if (form && form->key.text == "line") {
      read_line(form->value, result);
      if (const YamlNode* where = node.find("where")) {
        check_.report(*where, "misplaced-key",
                      "where: looks at an event's fields; a line: takes conditions in its regex");
      }
    }
    if (const YamlNode* role = node.find("role")) result.role = read_enum(*role, "role", kRoles, Role::cause, check_);
    if (const YamlNode* severity = node.find("severity")) result.severity = read_severity(*severity, check_);
    return result;
  }

  std::span<const Predicate> conditions(const YamlNode& where) {
    std::vector<Predicate> predicates;
    for (const YamlEntry& entry : where.entries) {
      read_condition(arena_.keep(std::string(entry.key.text)), entry.value, predicates);
    }
    return arena_.keep(std::move(predicates));
  }

 private:
  void read_event(const YamlNode& node, const YamlNode* where, Signature& result) {
    const auto name = check_.text(node, "event");
    if (!name) return;
    const EventKind* kind = find_event_kind(*name);
    if (!kind) {
      std::vector<std::string_view> names;
      for (const EventKind& known : event_kinds()) names.push_back(known.name);
      check_.report(node, "unknown-kind", fmt::format("no parser emits '{}'{}", *name, suggestion(*name, names)));
      return;
    }
    result.event = kind->name;
    std::vector<std::string_view> fields = {"emitter"};
    fields.insert(fields.end(), kind->fields.begin(), kind->fields.end());
    if (!where || !check_.is_mapping(*where, fmt::format("where of {}", kind->name), fields, "unknown-field")) return;
    result.where = conditions(*where);
  }

  void read_line(const YamlNode& node, Signature& result) {
    const auto pattern = read_regex(node, "line", check_);
    if (!pattern) return;
    std::string why_not;
    std::vector<std::string> literals = derive_trigger(*pattern, &why_not);
    if (literals.empty()) {
      check_.report(node, "no-trigger", "line: " + why_not);
    }
    result.line = arena_.keep(std::string(*pattern));
    result.triggers = kept(std::move(literals));
  }

  void read_condition(std::string_view field, const YamlNode& node, std::vector<Predicate>& predicates) {
    Predicate predicate;
    predicate.field = field;
    const bool is_bool = node.is_scalar() && node.plain && (node.text == "true" || node.text == "false");
    if (node.is_mapping()) {
      read_range(predicate, node, predicates);
    } else if (is_bool || as_number(node)) {
      const auto value = check_.text(node, field);
      if (!value) return;
      predicate.op = Predicate::Op::equal;
      predicate.text = arena_.keep(std::string(*value));
      predicates.push_back(predicate);
    } else if (const auto pattern = read_regex(node, field, check_)) {
      predicate.text = arena_.keep(std::string(*pattern));
      predicate.literals = kept(required_literals(*pattern));
      predicates.push_back(predicate);
    }
  }

  /// {above: x, below: y} or {in: [a, b]}.
  void read_range(Predicate predicate, const YamlNode& node, std::vector<Predicate>& predicates) {
    if (node.entries.size() == 1 && node.entries[0].value.is_null()) {
      const std::string& key = node.entries[0].key.text;
      check_.report(node, "unquoted-placeholder", fmt::format("to YAML {{{0}}} is a mapping; write '{{{0}}}'", key));
      return;
    }
    check_.is_mapping(node, fmt::format("the condition on {}", predicate.field), kConditionKeys);
    for (const YamlEntry& entry : node.entries) {
      if (entry.key.text == "in") {
        predicate.op = Predicate::Op::in;
        std::vector<std::string> values;
        for (std::string_view value : check_.texts(entry.value, "in")) values.emplace_back(value);
        predicate.values = kept(std::move(values));
      } else if (entry.key.text == "above" || entry.key.text == "below") {
        predicate.op = entry.key.text == "above" ? Predicate::Op::above : Predicate::Op::below;
        predicate.number = check_.number(entry.value, entry.key.text).value_or(0);
      }
      predicates.push_back(predicate);
    }
  }

  std::span<const std::string_view> kept(std::vector<std::string> texts) {
    std::vector<std::string_view> views;
    for (std::string& text : texts) views.push_back(arena_.keep(std::move(text)));
    return arena_.keep(std::move(views));
  }

  YamlChecker& check_;
  RuleArena& arena_;
  Severity severity_;
};

std::uint32_t read_within(const YamlNode& node, YamlChecker& check) {
  const double lines = check.number(node, "within").value_or(1);
  if (lines >= 1 && lines <= std::numeric_limits<int>::max() && lines == static_cast<int>(lines)) {
    return static_cast<std::uint32_t>(lines);
  }
  check.report(node, "wrong-type", "within: counts lines; write a whole number, at least 1");
  return 0;
}

}  // namespace

std::span<const Predicate> read_conditions(const YamlNode& where, YamlChecker& check, RuleArena& arena) {
  std::vector<std::string_view> fields = {"emitter"};
  for (const EventKind& kind : event_kinds()) fields.insert(fields.end(), kind.fields.begin(), kind.fields.end());
  if (!check.is_mapping(where, "where of a relation", fields, "unknown-field")) return {};
  return MatchReader(check, arena, Severity::error).conditions(where);
}

Scope read_scope(const YamlNode& node, YamlChecker& check) {
  return read_enum(node, "scope", kScopes, Scope::any, check);
}

Severity read_severity(const YamlNode& node, YamlChecker& check) {
  return read_enum(node, "severity", kSeverities, Severity::error, check);
}

void read_match(const YamlNode& match, YamlChecker& check, RuleArena& arena, Rule& rule) {
  if (!check.is_mapping(match, "match", kMatchKeys)) return;
  MatchReader reader(check, arena, rule.severity);
  const YamlEntry* form = only_form(match, "match", kMatchForms, check);
  const std::string_view name = form ? std::string_view(form->key.text) : "";
  const bool alone = name == "event" || name == "line";
  if (alone) {
    rule.signatures = arena.keep(std::vector<Signature>{reader.signature(match, "match")});
  } else if (form) {
    rule.signatures = reader.signatures(form->value, name);
    if (name == "all") rule.combine = Combine::all;
    if (name == "sequence") rule.combine = Combine::sequence;
  }
  if (const YamlNode* absent = match.find("not")) rule.absent = reader.signatures(*absent, "not");
  if (const YamlNode* within = match.find("within")) rule.within_lines = read_within(*within, check);
  if (const YamlNode* same = match.find("same")) rule.same = read_scope(*same, check);

  for (const YamlEntry& entry : match.entries) {
    const std::string& key = entry.key.text;
    const bool combines = key == "within" || key == "same";
    const bool describes = key == "where" || key == "role" || key == "severity";
    if ((combines && rule.combine == Combine::any) || (describes && form && !alone)) {
      check.report(entry.key, "misplaced-key",
                   combines ? fmt::format("{}: needs all: or sequence:", key)
                            : fmt::format("{}: belongs to one signature; write it inside the list", key));
    }
  }
}

}  // namespace cutopsy
