#include "engine/cli/rule_coverage.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/explain/error_words.h"
#include "engine/match/masking.h"
#include "engine/pipeline.h"
#include "engine/source/chunk.h"
#include "engine/source/input.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

using LineRange = std::pair<std::uint64_t, std::uint64_t>;

/// The lines of the records that some rule knows, in order.
std::vector<LineRange> known_lines(const std::vector<Finding>& findings) {
  std::vector<LineRange> ranges;
  for (const Finding& finding : findings) {
    if (!finding.rule || finding.role == Role::generic) continue;
    ranges.emplace_back(finding.begin.line, finding.where.line);
    for (const Evidence& more : finding.more) ranges.emplace_back(more.where.line, more.where.line);
  }
  std::ranges::sort(ranges);
  return ranges;
}

bool stands_in(const std::vector<LineRange>& ranges, std::uint64_t line) {
  return std::ranges::any_of(ranges,
                             [&](const LineRange& range) { return range.first <= line && line <= range.second; });
}

/// Shows every line of an input, without its wrapping.
void for_each_line(const std::string& path, const std::function<void(const Line&)>& see) {
  const auto source = open_input(path);
  ChunkReader chunks(*source);
  Stripper stripper;
  std::uint64_t number = 0;
  for (Chunk chunk; chunks.next(chunk);) {
    while (!chunk.empty()) {
      const std::size_t end = std::min(chunk.find('\n'), chunk.size());
      stripper.strip(chunk.substr(0, end), {0, ++number}, see);
      chunk.remove_prefix(std::min(end + 1, chunk.size()));
    }
  }
}

class Counter {
 public:
  explicit Counter(RuleCoverage& coverage) : coverage_(coverage) {}

  void read(const RuleIndex& index, const std::string& path) {
    const auto source = open_input(path);
    const Reading reading = read_input(index, path, *source);
    ++coverage_.inputs;
    std::set<std::string_view> fired;
    for (const Finding& finding : reading.findings)
      if (finding.rule) fired.insert(finding.rule->id);
    for (const Finding& finding : reading.findings)
      if (!finding.rule || finding.role == Role::generic) add(path, finding.where.line, finding.text, finding.count);
    for (std::string_view id : fired) ++coverage_.fired[std::string(id)];
    count_lines(path, known_lines(reading.findings));
  }

  void finish() {
    for (auto& [signature, line] : lines_)
      if (!known_.contains(signature)) coverage_.unexplained.push_back(std::move(line.line));
    std::ranges::sort(coverage_.unexplained, [](const UnexplainedLine& a, const UnexplainedLine& b) {
      return std::tie(b.inputs, b.count, a.signature) < std::tie(a.inputs, a.count, b.signature);
    });
  }

 private:
  struct Entry {
    UnexplainedLine line;
    std::size_t last_input = 0;  // that it was counted in
  };

  void count_lines(const std::string& path, const std::vector<LineRange>& known) {
    for_each_line(path, [&](const Line& line) {
      const bool is_known = stands_in(known, line.where.line);
      if (!is_known && !looks_like_error(line)) return;
      std::string signature = mask(line.text);
      if (is_known) {
        if (known_.size() < kMaxSignatures) known_.insert(std::move(signature));
        return;
      }
      add(path, line.where.line, line.text, 1);
    });
  }

  void add(const std::string& path, std::uint64_t line, std::string_view text, std::uint64_t count) {
    const std::string signature = mask(text);
    if (lines_.size() >= kMaxSignatures && !lines_.contains(signature)) {
      coverage_.not_counted += count;
      return;
    }
    Entry& entry = lines_[signature];
    if (entry.line.count == 0) entry.line = {signature, 0, 0, path + ":" + std::to_string(line), std::string(text)};
    entry.line.count += count;
    if (std::exchange(entry.last_input, coverage_.inputs) != coverage_.inputs) ++entry.line.inputs;
  }

  RuleCoverage& coverage_;
  std::unordered_map<std::string, Entry> lines_;  // by signature
  std::unordered_set<std::string> known_;  // signatures of lines in records of rules: their repeats are known too
};

}  // namespace

RuleCoverage measure_coverage(const RuleIndex& index, const InputList& list) {
  RuleCoverage coverage;
  coverage.errors = list.errors;
  Counter counter(coverage);
  for (const InputName& input : list.inputs) {
    try {
      counter.read(index, input.path);
    } catch (const SourceError& error) {
      coverage.errors.push_back(error.what());
    }
  }
  counter.finish();
  return coverage;
}

}  // namespace cutopsy
