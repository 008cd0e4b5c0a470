// The report as one value, schema cutopsy/report/v1: what every format is written from. A contract that changes only by
// adding.
#pragma once

#include <vector>

#include "engine/batch.h"
#include "engine/report/incident_rows.h"
#include "engine/report/json.h"

namespace cutopsy {

/// What came of a run. With several cases each incident names its case, and "groups" has a row for each fingerprint
/// (see incident_rows.h) with the index of its sample among "incidents" or "unknown".
Json report_document(const Batch& batch, const RuleSet& rules);

/// The same from rows that several runs wrote, where nothing is known of their inputs; `statistics` is their sum, or
/// empty.
Json merged_document(const IncidentRows& rows, Json statistics, const RuleSet& rules);

/// The incidents of a document as lines that stand alone: rows of their cases, what no rule knows included.
std::vector<Json> report_lines(const Json& document);

/// The same with one line for each fingerprint where the document has groups, in their order.
std::vector<Json> report_rows(const Json& document);

}  // namespace cutopsy
