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

}  // namespace

void add_process_group(const Line& line, Fields& fields) {
  static const PhraseBook label(kLabel);
  label.find(line.text, fields);
  fields.set_if_absent("rank", line.envelope.rank);
}

}  // namespace cutopsy
