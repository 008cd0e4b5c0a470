// One incident for people: a part of the text report.
#pragma once

#include <string>

#include "engine/report/json.h"
#include "engine/report/text_report.h"

namespace cutopsy {

std::string incident_text(const Json& incident, const TextStyle& style);

/// "train.log:12 the line that failed (3 times)"
std::string unknown_text(const Json& unknown, const TextStyle& style);

/// A line of its own that stands above a part of the report.
std::string heading_text(std::string_view name, const TextStyle& style);

}  // namespace cutopsy
