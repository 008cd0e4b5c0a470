// Format: the command behind a prompt, then the number alone (POSIX shells, fish, PowerShell):
//   user@host:~/run$ echo $?
//   130
#include "parsers/shell_status.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "parsers/job_facts.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {"echo $?", "echo $status", "echo $LASTEXITCODE"};
constexpr std::size_t kMaxDigits = 10;

class ShellStatus : public Record {
 public:
  Step feed(const Line& line) override {
    const bool is_number = !line.text.empty() && line.text.size() <= kMaxDigits &&
                           std::ranges::all_of(line.text, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number) return Step::refused;
    status_ = line.text;
    envelope_ = line.envelope;
    where_ = line.where;
    return Step::last;
  }

  void finish(EventSink& sink) override {
    if (status_.empty()) return;
    Fields found;
    found.set("exit_code", status_);
    report_facts(std::move(found), envelope_, where_, sink);
  }

 private:
  std::string status_;
  Envelope envelope_;
  Place where_;
};

std::unique_ptr<Record> open(const Line& opener) {
  const bool asks = std::ranges::any_of(kTriggers, [&](auto command) { return opener.text.ends_with(command); });
  return asks ? std::make_unique<ShellStatus>() : nullptr;
}

}  // namespace

constinit const RecordParser kShellStatusParser{"shell_status", kTriggers, open};

}  // namespace cutopsy
