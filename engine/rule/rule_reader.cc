#include "engine/rule/rule_reader.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/rule/advice.h"
#include "engine/rule/match_reader.h"
#include "engine/rule/nearest.h"
#include "engine/rule/table_rows.h"
#include "engine/rule/version.h"
#include "engine/rule/yaml_slice.h"

namespace cutopsy {
namespace {

constexpr std::string_view kRuleKeys[] = {
    "id",    "title", "severity", "status",  "since", "replaced_by", "match",      "tags",     "explains", "clears",
    "cause", "fix",   "debug",    "prevent", "shows", "confirm",     "references", "examples", "table"};
constexpr std::string_view kStatuses[] = {"stable", "experimental", "deprecated"};
constexpr std::string_view kNeededKeys[] = {"id", "title", "match", "cause", "fix"};
constexpr std::string_view kRelationKeys[] = {"rule", "same", "where"};
constexpr std::string_view kConfirmKeys[] = {"check", "expects", "with"};
constexpr std::string_view kExpectations[] = {"holds", "fails"};

}  // namespace

bool is_rule_key(std::string_view key) {
  return std::find(std::begin(kRuleKeys), std::end(kRuleKeys), key) != std::end(kRuleKeys);
}

/// One file being read.
class RuleReader::File {
 public:
  File(RuleReader& reader, const std::string& name, const std::string& text)
      : reader_(reader), arena_(*reader.arena_), name_(arena_.keep(name)), text_(text), check_(name) {}

  void read() {
    const YamlText yaml = read_yaml(text_);
    if (yaml.mistake) {
      check_.report(*yaml.mistake);
    } else if (yaml.root.is_sequence()) {
      for (const YamlNode& item : yaml.root.items) read_item(item);
    } else if (!yaml.root.is_null()) {
      check_.report(yaml.root, "not-a-list", "a rule file is a list of rules; start each with '- id: family/slug'");
    }
  }

  /// In order of line; a mistake in the text of a table counts once, not once a row.
  std::vector<RuleProblem> problems() const {
    const auto place = [](const RuleProblem& p) { return std::tie(p.line, p.column, p.code); };
    std::vector<RuleProblem> result = check_.problems();
    std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    const auto same_place = [&](const auto& a, const auto& b) { return place(a) == place(b); };
    result.erase(std::unique(result.begin(), result.end(), same_place), result.end());
    return result;
  }

 private:
  /// A mapping of the file's list: a rule, a table of rules, or what the file says of others. Rules with a problem are
  /// left out.
  void read_item(const YamlNode& item) {
    const std::size_t before = check_.problems().size();
    if (item.find("requires")) return read_requirement(item);
    for (const auto kind : {Amendment::Kind::disable, Amendment::Kind::append, Amendment::Kind::prepend}) {
      if (item.find(to_string(kind))) return read_amendment(item, kind);
    }
    if (!check_.is_mapping(item, "a rule", kRuleKeys)) return;
    Rule rule;
    rule.source = name_;
    rule.source_line = static_cast<std::uint32_t>(item.line);
    rule.yaml = kept_slice(slice_without(text_, item, "table"), item);
    const YamlNode* table = item.find("table");
    if (!table) {
      read_rule(item, rule);
      if (check_.problems().size() == before) reader_.rules_.push_back(rule);
    } else if (check_.is_list(*table, "table")) {
      YamlNode pattern = item;
      std::erase_if(pattern.entries, [](const YamlEntry& entry) { return entry.key.text == "table"; });
      const bool is_good = check_.problems().size() == before;
      for (const YamlNode& row : table->items) {
        const std::size_t before_row = check_.problems().size();
        Rule of_row = rule;
        read_row(pattern, row, of_row);
        if (is_good && check_.problems().size() == before_row) reader_.rules_.push_back(of_row);
      }
    }
  }

  void read_requirement(const YamlNode& item) {
    constexpr std::string_view kKeys[] = {"requires"};
    if (!check_.is_mapping(item, "requires", kKeys)) return;
    const YamlNode& version = *item.find("requires");
    const auto needed = parse_version(read_version(version, "requires"));
    if (needed && *needed > *parse_version(engine_version())) {
      check_.report(
          version, "needs-newer-engine",
          fmt::format("these rules need cutopsy {}; this is {}: update cutopsy", version.text, engine_version()));
    }
  }

  void read_amendment(const YamlNode& item, Amendment::Kind kind) {
    const std::string_view how = to_string(kind);
    std::vector<std::string_view> keys = {how};
    if (kind != Amendment::Kind::disable) keys.insert(keys.end(), appendable_keys().begin(), appendable_keys().end());
    const std::size_t before = check_.problems().size();
    check_.is_mapping(item, how, keys);
    const auto target = check_.text(*item.find(how), "the rule's id");
    if (check_.problems().size() > before) return;
    reader_.amendments_.push_back({kind, std::string(*target), item, std::string(name_)});
  }

  void read_row(const YamlNode& pattern, const YamlNode& row, Rule& rule) {
    if (!row.is_mapping()) {
      check_.report(row, "wrong-type", "a row of table is a mapping; write { key: value, ... }");
      return;
    }
    std::vector<std::string_view> known(std::begin(kRuleKeys), std::end(kRuleKeys) - 1);  // tables do not nest
    for (const YamlEntry& entry : row.entries) {
      if (is_rule_key(entry.key.text)) continue;
      if (entry.value.is_scalar() && uses_placeholder(pattern, entry.key.text)) known.push_back(entry.key.text);
      check_.text(entry.value, entry.key.text);
    }
    check_.is_mapping(row, "a row of this table", known);
    rule.row_yaml = kept_slice(slice_of(text_, row), row);
    rule.row_line = static_cast<std::uint32_t>(row.line);
    read_rule(expand_row(pattern, row), rule);
  }

  void read_rule(const YamlNode& node, Rule& rule) {
    for (std::string_view key : kNeededKeys) {
      if (!node.find(key)) check_.report(node, "missing-key", fmt::format("the rule has no '{0}'; add {0}:", key));
    }
    if (const YamlNode* id = node.find("id")) rule.id = read_id(*id);
    if (const YamlNode* title = node.find("title")) rule.title = read_title(*title);
    if (const YamlNode* severity = node.find("severity")) rule.severity = read_severity(*severity, check_);
    read_status(node, rule);
    if (const YamlNode* match = node.find("match")) read_match(*match, check_, arena_, rule);
    if (const YamlNode* explains = node.find("explains")) rule.explains = read_relations(*explains, "explains");
    if (const YamlNode* clears = node.find("clears")) rule.clears = read_relations(*clears, "clears");
    if (const YamlNode* confirm = node.find("confirm")) rule.confirm = read_confirm(*confirm);
    if (const YamlNode* shows = node.find("shows")) rule.shows = read_texts(*shows, "shows");
    if (const YamlNode* tags = node.find("tags")) rule.tags = read_texts(*tags, "tags");
    read_advice(node, check_);
  }

  std::span<const std::string_view> read_texts(const YamlNode& node, std::string_view what) {
    std::vector<std::string_view> texts = check_.texts(node, what);
    for (std::string_view& text : texts) text = arena_.keep(std::string(text));
    return arena_.keep(std::move(texts));
  }

  std::string_view read_id(const YamlNode& node) {
    const auto text = check_.text(node, "id");
    if (!text) return "";
    static const RE2 form("[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*");
    if (!RE2::FullMatch(re2::StringPiece(text->data(), text->size()), form)) {
      check_.report(node, "bad-id",
                    fmt::format("id: '{}' is not of the form family/slug (lower case letters, digits "
                                "and single '-')",
                                *text));
      return "";
    }
    const std::string_view id = arena_.keep(std::string(*text));
    const auto [place, is_new] = reader_.places_.emplace(id, fmt::format("{}:{}", name_, node.line));
    if (!is_new) {
      check_.report(node, "duplicate-id",
                    fmt::format("id: '{}' stands already at {}; choose another or drop one", id, place->second));
    }
    return id;
  }

  std::string_view read_title(const YamlNode& node) {
    const auto text = check_.text(node, "title");
    if (!text) return "";
    if (text->find('\n') != std::string_view::npos) {
      check_.report(node, "wrong-type", "title: is one line; say the rest in cause:");
    }
    return arena_.keep(std::string(*text));
  }

  void read_status(const YamlNode& node, Rule& rule) {
    if (const YamlNode* status = node.find("status")) {
      if (const auto index = check_.choice(*status, "status", "bad-status", kStatuses))
        rule.status = RuleStatus(*index);
    }
    if (const YamlNode* since = node.find("since")) rule.since = read_version(*since, "since");
    const YamlNode* replaced_by = node.find("replaced_by");
    const bool is_deprecated = rule.status == RuleStatus::deprecated;
    if (replaced_by && !is_deprecated) {
      check_.report(*replaced_by, "misplaced-key", "replaced_by: belongs to a rule with status: deprecated");
    } else if (replaced_by) {
      rule.replaced_by = arena_.keep(std::string(check_.text(*replaced_by, "replaced_by").value_or("")));
    } else if (is_deprecated) {
      check_.report(node, "missing-key", "a deprecated rule names in 'replaced_by' the rule to use; add it");
    }
  }

  std::string_view read_version(const YamlNode& node, std::string_view what) {
    const auto text = check_.text(node, what);
    if (!text) return "";
    if (!parse_version(*text)) {
      check_.report(node, "bad-version",
                    fmt::format("{}: '{}' is no version; write it like '0.1' or '0.1.2'", what, *text));
    }
    return arena_.keep(std::string(*text));
  }

  std::span<const Relation> read_relations(const YamlNode& node, std::string_view what) {
    std::vector<Relation> relations;
    if (!check_.is_list(node, what)) return {};
    for (const YamlNode& item : node.items) {
      Relation relation;
      const YamlNode* target = &item;
      if (item.is_mapping()) {
        check_.is_mapping(item, what, kRelationKeys);
        target = item.find("rule");
        if (const YamlNode* same = item.find("same")) relation.same = read_scope(*same, check_);
        if (const YamlNode* where = item.find("where")) relation.where = read_conditions(*where, check_, arena_);
      }
      if (!target) {
        check_.report(item, "missing-key",
                      fmt::format("{}: no 'rule'; write {{ rule: family/slug, same: ... }}", what));
      } else if (const auto text = check_.text(*target, what)) {
        relation.target = arena_.keep(std::string(*text));
        relations.push_back(relation);
      }
    }
    return arena_.keep(std::move(relations));
  }

  std::span<const ConfirmBy> read_confirm(const YamlNode& node) {
    std::vector<ConfirmBy> checks;
    if (!check_.is_list(node, "confirm")) return {};
    for (const YamlNode& item : node.items) {
      if (!check_.is_mapping(item, "confirm", kConfirmKeys)) continue;
      ConfirmBy confirm;
      if (const YamlNode* name = item.find("check")) {
        confirm.check = arena_.keep(std::string(check_.text(*name, "check").value_or("")));
      } else {
        check_.report(item, "missing-key", "confirm: no 'check'; name a check of `cutopsy check --list`");
      }
      if (const YamlNode* expects = item.find("expects")) {
        confirm.expects_failure = check_.choice(*expects, "expects", "bad-expectation", kExpectations) == 1U;
      }
      if (const YamlNode* with = item.find("with")) confirm.with = read_settings(*with);
      checks.push_back(confirm);
    }
    return arena_.keep(std::move(checks));
  }

  std::span<const Setting> read_settings(const YamlNode& node) {
    if (!node.is_mapping()) {
      check_.report(node, "wrong-type", "with: is no mapping; write { name: value }");
      return {};
    }
    std::vector<Setting> settings;
    for (const YamlEntry& entry : node.entries) {
      const auto value = check_.text(entry.value, entry.key.text);
      settings.push_back({arena_.keep(entry.key.text), arena_.keep(std::string(value.value_or("")))});
    }
    return arena_.keep(std::move(settings));
  }

  std::string_view kept_slice(std::optional<std::string> slice, const YamlNode& node) {
    if (slice) return arena_.keep(std::move(*slice));
    check_.report(
        node, "unusual-layout",
        "this mapping cannot be read alone; write one key a line, and indent texts that go on in the next line");
    return "";
  }

  RuleReader& reader_;
  RuleArena& arena_;
  std::string_view name_;
  const std::string& text_;
  YamlChecker check_;
};

void RuleReader::read(const std::string& file, const std::string& text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::string content = text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
  File reading(*this, file, content);
  reading.read();
  std::vector<RuleProblem> problems = reading.problems();
  std::move(problems.begin(), problems.end(), std::back_inserter(problems_));
}

RuleSet RuleReader::take_rules() {
  return RuleSet(std::move(rules_), arena_);
}

std::vector<Amendment> RuleReader::take_amendments() {
  return std::move(amendments_);
}

std::vector<RuleProblem> RuleReader::take_problems() {
  return std::move(problems_);
}

}  // namespace cutopsy
