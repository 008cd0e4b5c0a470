#include "engine/cli/rule_coverage.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/explain/error_words.h"
#include "engine/match/masking.h"
#include "engine/pipeline.h"
#include "engine/source/input.h"
#include "engine/source/input_lines.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

/// Lines, by the stretches that they stand in.
class LineSet {
 public:
  void add(std::uint64_t first, std::uint64_t last) {
    std::uint64_t& end = stretches_[first];
    end = std::max(end, last);
  }
  /// To be asked in ascending order.
  bool holds(std::uint64_t line) {
    for (; next_ != stretches_.end() && next_->first <= line; ++next_) reached_ = std::max(reached_, next_->second);
    return line <= reached_;
  }
  void start() { next_ = stretches_.begin(); }

 private:
  using Stretches = std::map<std::uint64_t, std::uint64_t>;  // first line -> last line
  Stretches stretches_;
  Stretches::const_iterator next_;
  std::uint64_t reached_ = 0;
};

bool is_known(const Finding& finding) {
  return finding.rule && finding.role != Role::generic;
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
    for (std::string_view id : fired) ++coverage_.fired[std::string(id)];
    count_lines(path, reading.findings);
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

  void count_lines(const std::string& path, const std::vector<Finding>& findings) {
    LineSet known, told;
    // The deciding lines of exceptions that no rule knows, errors whatever their words, and how often each came.
    std::map<std::uint64_t, std::uint64_t> deciding;
    std::unordered_set<std::string> counted;  // signatures of their records: repeats are in those numbers
    for (const Finding& finding : findings) {
      LineSet& lines = is_known(finding) ? known : told;
      lines.add(finding.begin.line, finding.where.line);
      for (const Evidence& more : finding.more) lines.add(more.where.line, more.where.line);
      if (is_known(finding)) continue;
      std::uint64_t& count = deciding[finding.where.line];
      count = std::max(count, finding.count);
    }
    known.start();
    told.start();
    Stripper stripper;
    for_each_line(path, [&](std::uint64_t number, std::string_view raw) {
      const bool of_rule = known.holds(number);
      const bool of_exception = told.holds(number);
      const auto exception = deciding.find(number);
      stripper.strip(raw, {0, number}, [&](const Line& line) {
        if (of_rule) {
          if (known_.size() < kMaxSignatures) known_.insert(mask(line.text));
        } else if (of_exception) {
          counted.insert(mask(line.text));
          if (exception != deciding.end()) add(path, number, line.text, exception->second);
        } else if (looks_like_error(line) && !counted.contains(mask(line.text))) {
          add(path, number, line.text, 1);
        }
      });
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
