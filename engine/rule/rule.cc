#include "engine/rule/rule.h"

namespace cutopsy {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
    case Severity::fatal:
      return "fatal";
  }
  return "";
}

std::string_view to_string(RuleStatus status) {
  switch (status) {
    case RuleStatus::stable:
      return "stable";
    case RuleStatus::experimental:
      return "experimental";
    case RuleStatus::deprecated:
      return "deprecated";
  }
  return "";
}

std::string_view to_string(Role role) {
  switch (role) {
    case Role::info:
      return "info";
    case Role::banner:
      return "banner";
    case Role::effect:
      return "effect";
    case Role::generic:
      return "generic";
    case Role::cause:
      return "cause";
  }
  return "";
}

std::string_view to_string(Scope scope) {
  switch (scope) {
    case Scope::any:
      return "any";
    case Scope::pid:
      return "pid";
    case Scope::gpu:
      return "gpu";
    case Scope::host:
      return "host";
    case Scope::rank:
      return "rank";
  }
  return "";
}

}  // namespace cutopsy
