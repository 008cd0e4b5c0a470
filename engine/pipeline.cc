#include "engine/pipeline.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/chunk_scans.h"
#include "engine/explain/explain.h"
#include "engine/explain/grouping.h"
#include "engine/explain/last_words.h"
#include "engine/explain/rank_comparison.h"
#include "engine/explain/steady_end.h"
#include "engine/explain/version_comparison.h"
#include "engine/explain/year_completion.h"
#include "engine/input_walker.h"
#include "engine/match/gpu_count.h"
#include "engine/source/chunk.h"

namespace cutopsy {
namespace {

// Shows the identity builder the input's first lines and, when it is over, its last ones.
class EndsSampler {
 public:
  void see(std::string_view chunk) {
    if (first_) builder_.sample(chunk.substr(0, kEndBytes), false);
    is_short_ = first_ && chunk.size() <= kEndBytes && lines_in(chunk) <= IdentityBuilder::kSampledLines;
    first_ = false;
    keep_end(chunk);
  }
  void finish(Reading& reading) {
    const std::string_view steady = end_of(last_, kSteadyBytes);
    const std::string_view end = end_of(steady, kEndBytes);
    if (!is_short_) builder_.sample(end, true);
    reading.identity = builder_.finish(reading.findings, reading.facts);
    if (ended_badly(reading.facts)) {
      reading.last_error = last_error_line(end, reading.summary.lines);
    } else if (!reading.findings.empty()) {
      reading.steady_since = steady_since(steady, reading.summary.lines);
    }
  }

 private:
  static constexpr std::size_t kEndBytes = 16 * 1024;
  static constexpr std::size_t kSteadyBytes = 64 * 1024;  // kSteadyLines, also as records of a journal in JSON

  // Cut off only when it has doubled: small chunks move each byte once.
  void keep_end(std::string_view chunk) {
    const std::string_view end = end_of(chunk, kSteadyBytes);
    if (end.size() == kSteadyBytes) last_.clear();
    last_ += end;
    if (last_.size() > 2 * kSteadyBytes) last_.erase(0, last_.size() - kSteadyBytes);
  }

  static std::string_view end_of(std::string_view text, std::size_t bytes) {
    return text.substr(text.size() - std::min(text.size(), bytes));
  }

  static std::size_t lines_in(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  static bool ended_badly(const std::vector<Fact>& facts) {
    const auto is_end = [](const Fact& fact) { return fact.name == "exit_code" || fact.name == "outcome"; };
    const auto last = std::find_if(facts.rbegin(), facts.rend(), is_end);
    return last != facts.rend() && last->name == "exit_code" && last->value != "0";
  }

  IdentityBuilder builder_;
  bool first_ = true;
  bool is_short_ = false;  // the first lines are the last ones
  std::string last_;       // the last kSteadyBytes and perhaps as much before them
};

void set_input(Finding& finding, std::uint32_t input) {
  for (Place* place : {&finding.where, &finding.begin, &finding.last, &finding.because}) place->input = input;
  for (Evidence& evidence : finding.more) evidence.where.input = input;
}

// A line's own rank tells more than the name of its file.
void set_rank(Finding& finding, const std::string& rank) {
  if (rank.empty() || finding.envelope.kernel || finding.fields.has("rank")) return;
  finding.envelope.rank = rank;
  finding.ranks = {rank};
}

}  // namespace

LimitsReached& LimitsReached::operator+=(const LimitsReached& more) {
  records_cut += more.records_cut;
  records_stale += more.records_stale;
  lanes_evicted += more.lanes_evicted;
  findings_merged += more.findings_merged;
  facts_dropped += more.facts_dropped;
  combinations_dropped += more.combinations_dropped;
  findings_not_compared += more.findings_not_compared;
  lines_cut += more.lines_cut;
  return *this;
}

Reading read_input(const RuleIndex& index, const std::string& name, ByteSource& source, ReadOptions options) {
  Reading reading;
  ChunkReader chunks(source);
  ChunkHits hits;
  Matcher matcher(index, options.scan, &hits, options.on_finding);
  Reader reader(matcher, matcher);
  InputWalker walker(hits, reader, 0);
  EndsSampler ends;
  try {
    if (options.scan) {
      ChunkScans scans(chunks, index.scanner(), options.crew);
      while (ScannedChunk* chunk = scans.next()) {
        ends.see(chunk->bytes);
        walker.walk(*chunk);
      }
    } else {
      for (Chunk chunk; chunks.next(chunk);) {
        ends.see(chunk);
        walker.walk_all(chunk);
      }
    }
  } catch (const SourceError& error) {
    reading.summary.error = error.what();
  }
  reader.finish();
  reading.summary.name = name;
  reading.summary.bytes = chunks.bytes();
  reading.summary.lines = walker.lines();
  reading.summary.candidate_lines = matcher.lines_of_interest();
  MatchResult matched = matcher.finish();
  reading.findings = std::move(matched.findings);
  reading.facts = std::move(matched.facts);
  reading.progress = std::move(matched.progress);
  reading.limits.records_cut = reader.limits().records_cut;
  reading.limits.records_stale = reader.limits().records_stale;
  reading.limits.lanes_evicted = reader.limits().lanes_evicted;
  reading.limits.lines_cut = chunks.cuts();
  reading.limits.findings_merged = matched.findings_merged;
  reading.limits.facts_dropped = matched.facts_dropped;
  reading.limits.combinations_dropped = matched.combinations_dropped;
  ends.finish(reading);
  return reading;
}

void Case::add(Reading reading) {
  const auto input = static_cast<std::uint32_t>(analysis_.inputs.size());
  const std::string rank = rank_of_name(reading.summary.name);
  for (Finding& finding : reading.findings) {
    set_input(finding, input);
    if (finding.ranks.empty()) set_rank(finding, rank);
    analysis_.findings.push_back(std::move(finding));
  }
  for (Fact& fact : reading.facts) {
    fact.where.input = input;
    analysis_.facts.push_back(std::move(fact));
  }
  for (Event& event : reading.progress) {
    event.where.input = event.begin.input = input;
    progress_.push_back(std::move(event));
  }
  traits_.push_back({reading.summary.lines, reading.identity.first_seconds, reading.identity.last_seconds,
                     reading.identity.kernel_clock, std::move(reading.last_error), reading.steady_since});
  analysis_.limits += reading.limits;
  analysis_.inputs.push_back(std::move(reading.summary));
}

void Case::add(const Reading& reading, const std::vector<std::size_t>& chosen) {
  Reading part{
      reading.summary,     {}, reading.facts, reading.progress, reading.limits, reading.identity, reading.last_error,
      reading.steady_since};
  for (std::size_t i : chosen) part.findings.push_back(reading.findings[i]);
  add(std::move(part));
}

// Adds what only the comparison of ranks and hosts shows.
void Case::compare() {
  std::size_t world_size = 0;
  for (const Fact& fact : analysis_.facts) {
    if (fact.name == "world_size")
      std::from_chars(fact.value.data(), fact.value.data() + fact.value.size(), world_size);
  }
  std::vector<std::string> names;
  for (const InputSummary& input : analysis_.inputs) names.push_back(input.name);
  Matcher matcher(index_, true);
  if (auto event = compare_ranks(progress_, world_size)) matcher.on_event(std::move(*event));
  for (Event& event : compare_versions(analysis_.facts, names)) matcher.on_event(std::move(event));
  for (Finding& finding : matcher.finish().findings) analysis_.findings.push_back(std::move(finding));
}

Analysis Case::finish() {
  compare();
  add_gpu_count(analysis_.facts);
  complete_years(analysis_.findings, analysis_.facts, traits_);
  analysis_.diagnosis = explain(index_, analysis_.findings, analysis_.facts, traits_);
  for (Incident& incident : analysis_.diagnosis.incidents) {
    if (incident.definition) incident.advice = index_.advice(*incident.definition);
  }
  analysis_.limits.findings_not_compared = analysis_.diagnosis.findings_not_compared;
  return std::move(analysis_);
}

Analysis analyse(const RuleIndex& index, const std::string& name, ByteSource& source, ReadOptions options) {
  Case job(index);
  job.add(read_input(index, name, source, options));
  return job.finish();
}

}  // namespace cutopsy
