#include "engine/cli/rule_page.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/report/placeholders.h"
#include "engine/report/wrap.h"
#include "engine/rule/advice.h"
#include "engine/rule/related.h"
#include "validators/check.h"

namespace cutopsy {
namespace {

constexpr std::size_t kWidth = 100;

std::string describe(const Predicate& predicate) {
  switch (predicate.op) {
    case Predicate::Op::search:
      return fmt::format("{} matches /{}/", predicate.field, predicate.text);
    case Predicate::Op::equal:
      return fmt::format("{} is {}", predicate.field, predicate.text);
    case Predicate::Op::above:
      return fmt::format("{} is above {}", predicate.field, predicate.number);
    case Predicate::Op::below:
      return fmt::format("{} is below {}", predicate.field, predicate.number);
    case Predicate::Op::in:
      return fmt::format("{} is one of {}", predicate.field, fmt::join(predicate.values, ", "));
  }
  return "";
}

std::string describe(const Signature& signature, const Rule& rule) {
  std::string text = signature.event.empty() ? fmt::format("a line with /{}/", signature.line)
                                             : fmt::format("event {}", signature.event);
  std::string_view joint = " where ";
  for (const Predicate& predicate : signature.where) {
    text.append(joint).append(describe(predicate));
    joint = " and ";
  }
  if (!signature.triggers.empty()) text += fmt::format(", searched by \"{}\"", fmt::join(signature.triggers, "\", \""));
  if (signature.role != Role::cause) text += fmt::format(" (role {})", to_string(signature.role));
  if (signature.severity != rule.severity) text += fmt::format(" (severity {})", to_string(signature.severity));
  return text;
}

std::string describe(const Relation& relation) {
  if (relation.same == Scope::any) return std::string(relation.target);
  return fmt::format("{} (same {})", relation.target, to_string(relation.same));
}

std::string describe(const ConfirmBy& confirm) {
  const Check* check = find_check(confirm.check);
  return fmt::format("{}: {}{}", confirm.check, check ? check->question : "unknown here",
                     confirm.expects_failure ? "" : " (a yes speaks against it)");
}

class Page {
 public:
  Page(const Rule& rule, Advice advice) : rule_(rule), advice_(std::move(advice)) {}

  std::string for_authors() {
    out_ = fmt::format("{}: {}\n  {}, {}\n", to_string(rule_.severity), rule_.title, rule_.id, place_of(rule_));
    write_status();
    write_match();
    write_advice();
    described("Explains", rule_.explains);
    described("Takes back earlier findings of", rule_.clears);
    described("Asked of the machine (--confirm)", rule_.confirm);
    list("References", advice_.references);
    return std::move(out_);
  }

  std::string for_users(std::string_view title, const RuleSet& rules) {
    out_ = fmt::format("{}: {}\n  {}\n", to_string(rule_.severity), title, rule_.id);
    write_status();
    write_advice();
    described("Asked of the machine (--confirm)", rule_.confirm);
    named("Often causes", consequences_of(rule_, rules));
    named("Often caused by", causes_of(rule_, rules));
    list("References", advice_.references);
    return std::move(out_);
  }

 private:
  void write_status() {
    if (rule_.status != RuleStatus::stable) out_ += fmt::format("  {}", to_string(rule_.status));
    if (!rule_.replaced_by.empty()) out_ += fmt::format(": use {}", rule_.replaced_by);
    if (rule_.status != RuleStatus::stable) out_ += "\n";
    if (!rule_.since.empty()) out_ += fmt::format("  since version {}\n", rule_.since);
  }

  void write_advice() {
    prose("Why", advice_.cause);
    write_fix();
    list("To find out more", advice_.debug);
    prose("Next time", advice_.prevent);
  }

  void named(std::string_view title, const std::vector<const Rule*>& rules) {
    constexpr std::size_t kNamed = 10;
    std::vector<std::string_view> ids;
    for (const Rule* rule : rules) ids.push_back(rule->id);
    const std::size_t more = ids.size() > kNamed ? ids.size() - kNamed : 0;
    ids.resize(ids.size() - more);
    prose(title, fmt::format("{}{}", fmt::join(ids, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
  }

  void heading(std::string_view text) { out_ += fmt::format("\n{}\n", text); }

  void prose(std::string_view title, const std::string& text) {
    if (text.empty()) return;
    heading(title);
    out_ += wrap(text, kWidth, "  ");
  }

  void list(std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    heading(title);
    for (const std::string& item : items) out_ += "  -" + wrap(item, kWidth, "    ").substr(3);
  }

  template <typename T>
  void described(std::string_view title, std::span<const T> items) {
    std::vector<std::string> texts;
    for (const T& item : items) texts.push_back(describe(item));
    prose(title, fmt::format("{}", fmt::join(texts, ", ")));
  }

  void write_match() {
    const bool alone = rule_.signatures.size() == 1;
    std::string how = alone ? "Matches" : "Matches any of";
    if (rule_.combine == Combine::all) how = "Matches when all of these occur";
    if (rule_.combine == Combine::sequence) how = "Matches when these follow each other";
    if (rule_.within_lines > 0) how += fmt::format(", within {} lines", rule_.within_lines);
    if (rule_.same != Scope::any) how += fmt::format(", on the same {}", to_string(rule_.same));
    signatures(how, rule_.signatures);
    signatures("Unless one of these occurs", rule_.absent);
  }

  void signatures(const std::string& title, std::span<const Signature> signatures) {
    std::vector<std::string> texts;
    for (const Signature& signature : signatures) texts.push_back(describe(signature, rule_));
    list(title, texts);
  }

  void write_fix() {
    heading("What to do");
    int number = 1;
    for (const FixStep& step : advice_.fix) {
      out_ += fmt::format("  {}. {}", number++, wrap(step.what, kWidth, "     ").substr(5));
      if (!step.run.empty()) out_ += fmt::format("       $ {}\n", step.run);
    }
  }

  const Rule& rule_;
  Advice advice_;
  std::string out_;
};

}  // namespace

std::string rule_page(const Rule& rule) {
  return Page(rule, parse_advice(rule)).for_authors();
}

std::string explain_page(const Rule& rule, const RuleSet& rules, const Fields& fields) {
  const auto fill = [&](std::string_view text) { return fill_placeholders(text, fields, {}, Unfilled::name); };
  Advice advice = parse_advice(rule);
  advice.cause = fill(advice.cause);
  advice.prevent = fill(advice.prevent);
  for (FixStep& step : advice.fix) step = {fill(step.what), fill(step.run)};
  for (std::string& item : advice.debug) item = fill(item);
  return Page(rule, std::move(advice)).for_users(fill(rule.title), rules);
}

std::string place_of(const Rule& rule) {
  return fmt::format("{}:{}", rule.source, rule.row_line > 0 ? rule.row_line : rule.source_line);
}

}  // namespace cutopsy
