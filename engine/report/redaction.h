// What should not leave the building with a report: credentials, e-mail addresses, names of users in paths of home
// folders, network addresses.
#pragma once

#include <string>
#include <string_view>

#include "engine/report/json.h"

namespace cutopsy {

/// `text` with "<token>", "<email>", "<user>", "<address>" in the place of each. Doing it twice changes nothing more.
std::string redacted(std::string_view text);

/// All strings of a report but ids; four numbers with dots stay where they are a version's.
void redact(Json& document);

}  // namespace cutopsy
