// What was found in one case, as parts of the JSON report.
#pragma once

#include <string_view>

#include "engine/pipeline.h"
#include "engine/report/json.h"

namespace cutopsy {

Json incident_json(const Analysis& analysis, const Incident& incident);
Json unknown_json(const Analysis& analysis, const Unknown& unknown);

/// {"input": name, "line": number}
Json place_json(const Analysis& analysis, const Place& where);

/// The values by their names.
Json fields_json(const Fields& fields);

/// Log text as a report keeps it: printable, with its line ends, cut where it is very long.
Json text_json(std::string_view value);

}  // namespace cutopsy
