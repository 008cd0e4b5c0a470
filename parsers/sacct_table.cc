// Format (https://slurm.schedmd.com/sacct.html); columns are set off by blanks, their choice is the user's:
//   JobID           JobName  Partition    Account  AllocCPUS      State ExitCode
//   ------------ ---------- ---------- ---------- ---------- ---------- --------
//   4242              train        gpu        lab         64     FAILED      1:0
//   4242.batch        batch                   lab         64 OUT_OF_ME+    0:125
// The row of the whole job counts; its steps repeat it.
#include "parsers/sacct_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "parsers/job_facts.h"
#include "parsers/word.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {"ExitCode"};

// States by their beginning, as sacct cuts them to the column's width.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kStates{{
    {"FAILED", "FAILED"},
    {"TIMEOUT", "TIMEOUT"},
    {"OUT_OF_ME", "OUT_OF_MEMORY"},
    {"NODE_FAIL", "NODE_FAIL"},
    {"CANCELLED", "CANCELLED"},
    {"PREEMPTED", "PREEMPTED"},
    {"BOOT_FAIL", "BOOT_FAIL"},
    {"DEADLINE", "DEADLINE"},
}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void read_row(std::string_view rest, Fields& found) {
  found.set("job_id", take_word(rest));
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    for (const auto& [state, name] : kStates) {
      if (word.starts_with(state)) found.set("exit_reason", name);
    }
    const std::size_t colon = word.find(':');
    const bool is_exit = colon != word.npos && colon > 0 && colon + 1 < word.size() && word.size() <= 7 &&
                         std::ranges::count(word, ':') == 1 &&
                         std::ranges::all_of(word, [](char c) { return is_digit(c) || c == ':'; });
    if (!is_exit) continue;
    found.set("exit_code", word.substr(0, colon));
    if (word.substr(colon + 1) != "0") found.set("exit_signal", word.substr(colon + 1));
  }
}

class SacctTable : public Record {
 public:
  Step feed(const Line& line) override {
    const bool is_ruler = line.text.starts_with("---");
    const bool is_row = !line.text.empty() && is_digit(line.text.front());
    if (!is_ruler && !is_row) return Step::refused;
    std::string_view rest = line.text;
    const bool is_step = take_word(rest).find('.') != line.text.npos;
    if (is_ruler || is_step || found_.size() > 0) return Step::taken;
    read_row(line.text, found_);
    envelope_ = line.envelope;
    where_ = line.where;
    return Step::taken;
  }

  void finish(EventSink& sink) override {
    if (found_.has("exit_reason")) report_facts(std::move(found_), envelope_, where_, sink);
  }

 private:
  Fields found_;
  Envelope envelope_;
  Place where_;
};

std::unique_ptr<Record> open(const Line& opener) {
  const bool has_columns = opener.text.starts_with("JobID") && opener.text.find(" State") != opener.text.npos &&
                           opener.text.find(kTriggers[0]) != opener.text.npos;
  return has_columns ? std::make_unique<SacctTable>() : nullptr;
}

}  // namespace

constinit const RecordParser kSacctTableParser{"sacct_table", kTriggers, open};

}  // namespace cutopsy
