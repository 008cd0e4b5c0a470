// Format (nvidia-smi -q); `Current` or `Total` is the first line or soon after it:
//     MIG Mode
//         Current                           : Disabled
//         Pending                           : Disabled
//     FB Memory Usage
//         Total                             : 81559 MiB
#include "parsers/smi_query.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "parsers/job_facts.h"
#include "parsers/trim.h"

namespace cutopsy {
namespace {

struct Section {
  std::string_view heading;
  std::string_view key;
  std::string_view fact;
};

constexpr Section kSections[] = {
    {"MIG Mode", "Current", "mig_mode"},
    {"ECC Mode", "Current", "ecc_mode"},
    {"FB Memory Usage", "Total", "gpu_memory"},
};

constexpr auto kTriggers = [] {
  std::array<std::string_view, std::size(kSections)> triggers;
  for (std::size_t i = 0; i < triggers.size(); ++i) triggers[i] = kSections[i].heading;
  return triggers;
}();

class SmiSection : public Record {
 public:
  explicit SmiSection(const Section& section) : section_(section) {}

  Step feed(const Line& line) override {
    const std::size_t colon = line.text.find(" : ");
    if (colon == line.text.npos) return Step::refused;
    if (trim(line.text.substr(0, colon), " ") != section_.key) return Step::taken;
    value_ = trim(line.text.substr(colon + 3), " ");
    envelope_ = line.envelope;
    where_ = line.where;
    return Step::last;
  }

  void finish(EventSink& sink) override {
    if (value_.empty() || value_ == "N/A") return;
    Fields found;
    found.set(section_.fact, value_);
    report_facts(std::move(found), envelope_, where_, sink);
  }

 private:
  const Section& section_;
  std::string value_;
  Envelope envelope_;
  Place where_;
};

std::unique_ptr<Record> open(const Line& opener) {
  const std::string_view heading = trim(opener.text, " ");
  for (const Section& section : kSections) {
    if (heading == section.heading) return std::make_unique<SmiSection>(section);
  }
  return nullptr;
}

}  // namespace

constinit const RecordParser kSmiQueryParser{"smi_query", kTriggers, open};

}  // namespace cutopsy
