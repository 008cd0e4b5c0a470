// The value that every report is made of and from: the document of the schema cutopsy/report/v1, or a part of it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cutopsy {

using Json = nlohmann::ordered_json;

// Members of what may come from a file that somebody else wrote: a member that is missing, or of another type, reads as
// an empty one. Views last as long as `object`.
std::string_view text_in(const Json& object, const char* key);
std::uint64_t number_in(const Json& object, const char* key);
double fraction_in(const Json& object, const char* key);
bool flag_in(const Json& object, const char* key);
const Json& list_in(const Json& object, const char* key);
const Json& object_in(const Json& object, const char* key);

/// One line without spaces, or with `indent` many. Bytes that are no UTF-8 become U+FFFD.
std::string dumped(const Json& value, int indent = -1);

}  // namespace cutopsy
