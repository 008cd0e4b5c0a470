// How parts of a report are put into words, alike in every format for people.
#pragma once

#include <string>

#include "engine/report/json.h"

namespace cutopsy {

/// "train.log:12"; "line 12" of standard input, "train.log" where no line is known.
std::string shown_place(const Json& where);

/// "1,204 times within 62 s", "3 times", "" for one.
std::string shown_repeats(const Json& incident);

/// "rank 3", "first on rank 0, of ranks 0 1, while 2 3 waited", "" where no rank is known.
std::string shown_ranks(const Json& incident);

/// "17 of 2,000 cases" of a row, "17 cases" when `total` is not known (0).
std::string shown_cases(const Json& group, std::uint64_t total);

/// "a.log, b.log and 15 more"
std::string shown_case_names(const Json& group);

/// "first seen 2026-01-01T10:00:00Z, last seen ...", "" where the logs do not tell.
std::string shown_dates(const Json& group);

/// How many cases the run had, 0 where that is not known.
std::uint64_t case_count(const Json& document);

/// "1 case", "2 cases"
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace cutopsy
