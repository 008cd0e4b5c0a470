// A rule as JSON, for editors and scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/rule/rule_set.h"

namespace cutopsy {

/// Everything that a rule says: id, title, severity, status, place, cause, fix, debug, prevent, confirm, references,
/// and the ids of the rules that it explains and that explain it. Texts keep their {field} placeholders.
nlohmann::ordered_json rule_json(const Rule& rule, const RuleSet& rules);

/// `json` as text of this program's reports: two spaces deep, bytes that are no UTF-8 replaced, a line break at the
/// end.
std::string as_text(const nlohmann::ordered_json& json);

}  // namespace cutopsy
