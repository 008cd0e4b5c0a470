#include "engine/match/matcher.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

#include "parsers/unit_twins.h"

namespace cutopsy {
namespace {

// An application's own line of a level below WARNING that quotes a fault talks about it; it does not have one.
bool is_quiet(const Envelope& envelope, std::uint64_t record) {
  bool quiet = envelope.level == "info" || envelope.level == "debug";
  return quiet && !envelope.kernel && record == 0;
}

// Where an event's own words begin in its line: the offset of its longest field that stands there, else that of the
// first literal that interests a parser.
std::size_t offset_of(const Event& event, const std::vector<std::string>& literals) {
  std::size_t offset = event.text.size();
  std::size_t longest = 0;
  for (const auto& [name, value] : event.fields) {
    if (value.size() <= longest) continue;
    auto at = event.text.find(value);
    if (at != std::string::npos) {
      longest = value.size();
      offset = at;
    }
  }
  if (longest > 0) return offset;
  for (const std::string& literal : literals) offset = std::min(offset, event.text.find(literal));
  return offset;
}

std::string scope_value(Scope scope, const Finding& finding) {
  switch (scope) {
    case Scope::any:
      return "";
    case Scope::pid:
      return std::string(finding.fields.has("pid") ? finding.fields.get("pid") : finding.envelope.pid);
    case Scope::gpu:
      return std::string(finding.fields.get(finding.fields.has("gpu_pci") ? "gpu_pci" : "gpu"));
    case Scope::host:
      return finding.envelope.host;
    case Scope::rank:
      return finding.envelope.rank;
  }
  return "";
}

// Events of these kinds mean that something failed, also when no rule knows them.
bool tells_of_failure(std::string_view kind) {
  return kind == "cuda.status" || kind == "cpp.exception" || kind == "torch.device_assert" || kind == "kernel.xid" ||
         kind == "gpu.oom";
}

bool tells_of_progress(std::string_view kind) {
  return kind == "nccl.timeout" || kind == "nccl.collective";
}

// PyTorch prints "Exception raised from" and frames below a message that other lines hold: a place, not a reason.
bool names_only_its_place(const Finding& event) {
  return event.kind == "cpp.exception" && event.fields.get("what").empty() && event.fields.get("type").empty();
}

// A line that stands for several equal ones counts as many.
std::uint64_t count_of(const Envelope& envelope) {
  return std::max(envelope.repeats, 1U);
}

// The finding that `event` makes, but for what the rule tells.
Finding finding_of(Event event) {
  Finding finding;
  finding.kind = event.kind;
  finding.emitter = event.emitter;
  finding.fields = std::move(event.fields);
  finding.envelope = std::move(event.envelope);
  finding.first_at = finding.last_at = clock_of(finding.envelope);
  finding.count = count_of(finding.envelope);
  finding.where = finding.last = event.where;
  finding.begin = event.begin;
  finding.record = event.record;
  finding.because = event.because;
  finding.text = std::move(event.text);
  return finding;
}

bool reads_coordinates(const RuleIndex& index) {
  const SignatureTable* table = index.signatures_for_kind("torch.device_assert");
  return table && std::ranges::any_of(table->fields(),
                                      [](const std::string& field) { return field == "block" || field == "thread"; });
}

}  // namespace

Matcher::Matcher(const RuleIndex& index, bool scan, const ChunkHits* hits,
                 std::function<void(const Finding&)> on_finding)
    : index_(index),
      scan_(scan),
      hits_(hits),
      on_finding_(std::move(on_finding)),
      event_matcher_(index),
      counts_storms_(scan && !on_finding_),
      storm_(reads_coordinates(index)) {}

ParserInterest Matcher::interest(const Line& line) {
  candidates_.clear();
  if (!scan_) {
    candidates_.assign(index_.all_line_signatures().begin(), index_.all_line_signatures().end());
    return index_.all_parsers();
  }
  const LiteralScanner& scanner = index_.scanner();
  const bool known = hits_ && hits_->literals_in(line.text, scanner.literals(), literals_);
  if (!known) scanner.literals_in(line.text, literals_);
  ParserInterest interest;
  find_candidates(interest);
  const bool of_interest = interest.line_parsers.any() || interest.record_parsers.any() || !candidates_.empty();
  lines_of_interest_ += of_interest ? 1 : 0;
  if (!of_interest || !counts_storms_) return interest;
  storm_.next_line(line, literals_);
  if (interest.record_parsers.any() || !counts_as_repeat(line)) return interest;
  candidates_.clear();
  return {};
}

// Whom the line's literals interest.
void Matcher::find_candidates(ParserInterest& interest) {
  for (LiteralId id : literals_) {
    interest.line_parsers |= index_.parsers_for(id).line_parsers;
    interest.record_parsers |= index_.parsers_for(id).record_parsers;
    auto signatures = index_.line_signatures_for(id);
    candidates_.insert(candidates_.end(), signatures.begin(), signatures.end());
  }
  auto order = [](const SignatureRef& ref) { return std::tuple(ref.rule, ref.absent, ref.position); };
  std::sort(candidates_.begin(), candidates_.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  auto same = [&](const auto& a, const auto& b) { return order(a) == order(b); };
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
}

// Whether the line only repeats one before it; if so, counts it.
bool Matcher::counts_as_repeat(const Line& line) {
  const Storm::Known* known = storm_.repeated();
  if (!known) return false;
  const auto matches = [&](const SignatureRef& ref) {
    return match_line(index_, *ref.signature, line.text).has_value();
  };
  if (known->pieces.size() > 1 && std::ranges::any_of(candidates_, matches)) return false;
  findings_.count_again(known->findings, line.where, clock_of(line.envelope), count_of(line.envelope));
  return true;
}

void Matcher::on_line(const Line& line) {
  for (const SignatureRef& ref : candidates_) {
    auto match = match_line(index_, *ref.signature, line.text);
    if (!match) continue;
    Finding finding;
    finding.kind = "line";
    finding.fields = std::move(match->captures);
    add_unit_twins(finding.fields);
    finding.envelope = line.envelope;
    finding.first_at = finding.last_at = clock_of(line.envelope);
    finding.count = count_of(line.envelope);
    finding.where = finding.begin = finding.last = line.where;
    finding.record = line.record;
    finding.text = line.text;
    finding.quoted = is_quiet(line.envelope, line.record) && inside_quotes(line.text, match->offset);
    handle(ref, finding);
  }
}

void Matcher::on_event(Event event) {
  add_unit_twins(event.fields);
  if (tells_of_progress(event.kind) && result_.progress.size() < kMaxProgress) {
    storm_.changed();
    result_.progress.push_back(event);
  }
  const bool quoted = is_quiet(event.envelope, event.record) &&
                      inside_quotes(event.text, offset_of(event, index_.scanner().literals()));
  Finding finding = finding_of(std::move(event));
  finding.quoted = quoted;
  bool known = false;
  for (const EventMatch& match : event_matcher_.matches(finding.kind, finding.emitter, finding.fields)) {
    known = known || !match.signature.absent;
    if (match.captures.size() == 0) {
      handle(match.signature, finding);
      continue;
    }
    Fields own = finding.fields;
    for (const auto& [name, value] : match.captures) finding.fields.set(name, value);
    add_unit_twins(finding.fields);
    handle(match.signature, finding);
    finding.fields = std::move(own);
  }
  if (!known && tells_of_failure(finding.kind)) {
    finding.rule = nullptr;
    finding.role = names_only_its_place(finding) ? Role::banner : Role::generic;
    finding.severity = Severity::error;
    add(finding, 0);
  }
}

void Matcher::on_fact(Fact fact) {
  storm_.changed();
  facts_.add(std::move(fact));
}

void Matcher::handle(const SignatureRef& ref, Finding& finding) {
  if (ref.absent) {
    storm_.changed();
    if (!finding.quoted) ruled_out_.insert(ref.rule);
    return;
  }
  finding.rule = ref.rule;
  finding.role = ref.signature->role;
  finding.severity = ref.signature->severity;
  if (ref.rule->combine == Combine::any) {
    add(finding, ref.position);
  } else if (!finding.quoted) {
    storm_.changed();
    combine(ref, finding);
  }
}

void Matcher::combine(const SignatureRef& ref, Finding finding) {
  const Rule& rule = *ref.rule;
  Partial& partial = this->partial({ref.rule, scope_value(rule.same, finding)});
  partial.seen.resize(rule.signatures.size());
  partial.present.resize(rule.signatures.size());
  bool in_order = rule.combine != Combine::sequence || ref.position == 0 || partial.present[ref.position - 1u];
  if (!in_order) return;
  partial.seen[ref.position] = std::move(finding);
  partial.present[ref.position] = true;
  if (!std::all_of(partial.present.begin(), partial.present.end(), [](bool seen) { return seen; })) return;
  std::vector<const Finding*> parts;
  for (const Finding& part : partial.seen) parts.push_back(&part);
  std::ranges::stable_sort(parts, {}, [](const Finding* part) { return part->where.line; });
  const std::uint64_t lines = parts.back()->where.line - parts.front()->where.line;
  if (rule.within_lines > 0 && lines > rule.within_lines) return;
  Finding whole = *parts.front();
  for (const Finding& part : partial.seen) {
    for (const auto& [name, value] : part.fields) whole.fields.set_if_absent(name, value);
    whole.role = std::max(whole.role, part.role);
    whole.severity = std::max(whole.severity, part.severity);
  }
  for (const Finding* part : std::span(parts).subspan(1)) {
    if (whole.more.size() < FindingStore::kMaxMoreEvidence)
      whole.more.push_back({part->where, part->text.substr(0, FindingStore::kMaxTextBytes)});
  }
  std::fill(partial.present.begin(), partial.present.end(), false);
  add(whole, 0);
}

// What was not used for longest makes room.
Matcher::Partial& Matcher::partial(PartialKey key) {
  if (partial_.size() >= kMaxPartial && !partial_.contains(key)) {
    ++result_.combinations_dropped;
    partial_.erase(std::min_element(partial_.begin(), partial_.end(),
                                    [](const auto& a, const auto& b) { return a.second.touched < b.second.touched; }));
  }
  Partial& partial = partial_[std::move(key)];
  partial.touched = ++partial_uses_;
  return partial;
}

void Matcher::add(const Finding& finding, std::uint16_t position) {
  if (on_finding_) on_finding_(finding);
  if (!finding.quoted) findings_.clear_earlier(finding);
  const std::optional<std::size_t> repeated = findings_.add(finding, position);
  if (!repeated || (finding.rule && !finding.rule->clears.empty())) return storm_.changed();
  storm_.counted(*repeated, finding);
}

MatchResult Matcher::finish() {
  result_.findings = findings_.take();
  std::erase_if(result_.findings, [this](const Finding& finding) { return ruled_out_.contains(finding.rule); });
  result_.facts = facts_.take();
  result_.findings_merged = findings_.merged();
  result_.facts_dropped = facts_.dropped();
  return std::move(result_);
}

}  // namespace cutopsy
