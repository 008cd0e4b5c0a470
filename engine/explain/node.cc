#include "engine/explain/node.h"

namespace cutopsy {

std::string_view to_string(Basis basis) {
  switch (basis) {
    case Basis::log:
      return "log";
    case Basis::rule:
      return "rule";
    case Basis::role:
      return "role";
  }
  return "";
}

}  // namespace cutopsy
