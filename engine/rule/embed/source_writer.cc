#include "engine/rule/embed/source_writer.h"

#include <fmt/format.h>

#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace cutopsy {
namespace {

constexpr std::string_view kHead = R"(// Written by embed_rules from the files in rules/. Change those instead.
#include <array>
#include <span>
#include <string_view>

#include "engine/rule/rule_schema.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

using namespace std::string_view_literals;

template <typename T, std::size_t N>
constexpr std::span<const T> part(const std::array<T, N>& all, std::size_t first, std::size_t count) {
  return std::span<const T>(all).subspan(first, count);
}

)";

constexpr std::size_t kLongText = 60;  // longer texts get a name, so that rows of a table share theirs

/// An ordinary literal; one source line for each line of text.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      result += i + 1 < text.size() ? "\\n\"\n    \"" : "\\n";
    } else if (c == '"' || c == '\\') {
      result += {'\\', text[i]};
    } else if (c < ' ' || c >= 0x7f) {
      result += fmt::format("\\{:03o}", c);
    } else {
      result += text[i];
    }
  }
  return result += "\"sv";
}

/// The elements of one array, added in runs that spans view.
class Array {
 public:
  Array(std::string_view type, std::string_view name) : type_(type), name_(name) {}

  /// The expression of a span over `elements`, each written by `write`.
  template <typename T, typename Write>
  std::string add(std::span<const T> elements, Write write) {
    if (elements.empty()) return "{}";
    std::vector<std::string> written;
    for (const T& element : elements) written.push_back(write(element));
    const std::size_t first = elements_.size();
    elements_.insert(elements_.end(), written.begin(), written.end());
    return fmt::format("part({}, {}, {})", name_, first, elements.size());
  }

  std::string definition() const {
    const std::string head = fmt::format("constexpr std::array<{}, {}> {}", type_, elements_.size(), name_);
    if (elements_.empty()) return head + "{};\n\n";
    return fmt::format("{} = {{{{\n    {},\n}}}};\n\n", head, fmt::join(elements_, ",\n    "));
  }

 private:
  std::string_view type_, name_;
  std::vector<std::string> elements_;
};

class Writer {
 public:
  std::string write(const RuleSet& rules, std::string_view schema) {
    rules_.add(rules.rules(), [this](const Rule& rule) { return write_rule(rule); });
    std::string source(kHead);
    source += texts_;
    for (const Array* array : {&strings_, &predicates_, &signatures_, &relations_, &settings_, &confirms_, &rules_}) {
      source += array->definition();
    }
    source += fmt::format(
        "}}  // namespace\n\nRuleSet RuleSet::built_in() {{ return RuleSet(kRules, {}); }}\n\n"
        "std::string_view rule_schema() {{ return {}; }}\n\n"
        "}}  // namespace cutopsy\n",
        literal(rules.digest()), literal(schema));
    return source;
  }

 private:
  std::string text(std::string_view value) {
    if (value.empty()) return "{}";
    if (value.size() <= kLongText) return literal(value);
    const auto [known, is_new] = names_.emplace(value, fmt::format("kText{}", names_.size()));
    if (is_new) texts_ += fmt::format("constexpr std::string_view {} = {};\n\n", known->second, literal(value));
    return known->second;
  }

  std::string write_texts(std::span<const std::string_view> values) {
    return strings_.add(values, [this](std::string_view value) { return text(value); });
  }

  std::string write_predicate(const Predicate& predicate) {
    static constexpr std::string_view kOps[] = {"search", "equal", "above", "below", "in"};
    return fmt::format(
        "{{.field = {}, .op = Predicate::Op::{}, .text = {}, .number = {}, .values = {}, .literals = {}}}",
        text(predicate.field), kOps[static_cast<std::size_t>(predicate.op)], text(predicate.text), predicate.number,
        write_texts(predicate.values), write_texts(predicate.literals));
  }

  std::string write_predicates(std::span<const Predicate> predicates) {
    return predicates_.add(predicates, [this](const Predicate& predicate) { return write_predicate(predicate); });
  }

  std::string write_signature(const Signature& signature) {
    const std::string where = write_predicates(signature.where);
    return fmt::format(
        "{{.event = {}, .where = {}, .line = {}, .triggers = {}, .role = Role::{}, .severity = Severity::{}}}",
        text(signature.event), where, text(signature.line), write_texts(signature.triggers), to_string(signature.role),
        to_string(signature.severity));
  }

  std::string write_signatures(std::span<const Signature> signatures) {
    return signatures_.add(signatures, [this](const Signature& signature) { return write_signature(signature); });
  }

  std::string write_relations(std::span<const Relation> relations) {
    return relations_.add(relations, [this](const Relation& relation) {
      return fmt::format("{{.target = {}, .same = Scope::{}, .where = {}}}", text(relation.target),
                         to_string(relation.same), write_predicates(relation.where));
    });
  }

  std::string write_confirms(std::span<const ConfirmBy> confirms) {
    return confirms_.add(confirms, [this](const ConfirmBy& confirm) {
      const std::string with = settings_.add(confirm.with, [this](const Setting& setting) {
        return fmt::format("{{.name = {}, .value = {}}}", text(setting.name), text(setting.value));
      });
      return fmt::format("{{.check = {}, .expects_failure = {}, .with = {}}}", text(confirm.check),
                         confirm.expects_failure, with);
    });
  }

  std::string write_rule(const Rule& rule) {
    static constexpr std::string_view kCombines[] = {"any", "all", "sequence"};
    const std::string match =
        fmt::format(".combine = Combine::{}, .signatures = {}, .absent = {}, .within_lines = {}, .same = Scope::{}",
                    kCombines[static_cast<std::size_t>(rule.combine)], write_signatures(rule.signatures),
                    write_signatures(rule.absent), rule.within_lines, to_string(rule.same));
    const std::string relations =
        fmt::format(".tags = {}, .explains = {}, .causes_above = {}, .clears = {}, .shows = {}, .confirm = {}",
                    write_texts(rule.tags), write_relations(rule.explains), rule.causes_above,
                    write_relations(rule.clears), write_texts(rule.shows), write_confirms(rule.confirm));
    return fmt::format(
        "{{.id = {}, .title = {}, .severity = Severity::{}, .status = RuleStatus::{}, .replaced_by = {}, .since = {},\n"
        "     {},\n     {},\n     .yaml = {}, .row_yaml = {}, "
        ".source = {}, .source_line = {}, .row_line = {}}}",
        text(rule.id), text(rule.title), to_string(rule.severity), to_string(rule.status), text(rule.replaced_by),
        text(rule.since), match, relations, text(rule.yaml), text(rule.row_yaml), text(rule.source), rule.source_line,
        rule.row_line);
  }

  std::string texts_;
  std::map<std::string, std::string, std::less<>> names_;  ///< of long texts
  Array strings_{"std::string_view", "kStrings"};
  Array predicates_{"Predicate", "kPredicates"};
  Array signatures_{"Signature", "kSignatures"};
  Array relations_{"Relation", "kRelations"};
  Array settings_{"Setting", "kSettings"};
  Array confirms_{"ConfirmBy", "kConfirms"};
  Array rules_{"Rule", "kRules"};
};

}  // namespace

std::string as_cpp_source(const RuleSet& rules, std::string_view schema) {
  return Writer().write(rules, schema);
}

}  // namespace cutopsy
