// Format (ProcessGroupNCCL.cpp, createLogPrefix): [Rank 1] until 2.1, [PG 0 Rank 1] in 2.2, [PG 0 (default_pg) Rank 1]
// in 2.3 and 2.4, then [PG ID 0 PG GUID 0(default_pg) Rank 1]; groups may have no name.
#include "parsers/process_group.h"

#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kLabel[] = {
    {"Rank ",
     R"(\[(?:PG (?:ID )?(?P<pg>\d+)(?: PG GUID [^\s(\]]+)?(?: ?\((?P<pg_name>[^)\]]*)\))? )?Rank (?P<rank>\d+)\])"},
};

const PhraseBook& labels() {
  static const PhraseBook label(kLabel);
  return label;
}

}  // namespace

void add_process_group(const Line& line, Fields& fields) {
  labels().find(line.text, fields);
  fields.set_if_absent("rank", line.envelope.rank);
}

std::string labelled_rank(const Line& line) {
  constexpr std::string_view kWholeJob = "default_pg";  // torch/distributed/distributed_c10d.py
  Fields label;
  labels().find(line.text, label);
  const std::string_view name = label.get("pg_name");
  const std::string_view number = label.get("pg");
  const bool of_all = name.empty() ? number.empty() || number == "0" : name == kWholeJob;
  return of_all ? std::string(label.get("rank")) : "";
}

}  // namespace cutopsy
