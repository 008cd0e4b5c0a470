#include "engine/report/json.h"

#include <nlohmann/json.hpp>

namespace cutopsy {
namespace {

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

std::string_view text_in(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value && value->is_string() ? std::string_view(value->get_ref<const std::string&>()) : std::string_view();
}

std::uint64_t number_in(const Json& object, const char* key) {
  const Json* value = member(object, key);
  const bool is_count = value && value->is_number_integer() && *value >= 0;
  return is_count ? value->get<std::uint64_t>() : 0;
}

double fraction_in(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value && value->is_number() ? value->get<double>() : 0;
}

bool flag_in(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value && value->is_boolean() && value->get<bool>();
}

const Json& list_in(const Json& object, const char* key) {
  static const Json empty = Json::array();
  const Json* value = member(object, key);
  return value && value->is_array() ? *value : empty;
}

const Json& object_in(const Json& object, const char* key) {
  static const Json empty = Json::object();
  const Json* value = member(object, key);
  return value && value->is_object() ? *value : empty;
}

std::string dumped(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cutopsy
