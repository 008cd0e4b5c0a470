#include "engine/match/fold_key.h"

#include <array>

#include "engine/match/masking.h"

namespace cutopsy {
namespace {

// Fields that tell one fault of a rule from another. Threads, addresses, line numbers and the like do not.
constexpr std::array<std::string_view, 15> kIdentifying = {"python_type", "condition", "kernel",   "code",   "name",
                                                           "gpu",         "gpu_pci",   "library",  "symbol", "kind",
                                                           "api",         "file",      "exitcode", "signal", "pod"};

}  // namespace

std::string fold_key(const Finding& finding, std::uint16_t signature_position) {
  std::string key(finding.rule ? finding.rule->id : finding.kind);
  auto append = [&key](std::string_view part) {
    key += '\0';
    key += part;
  };
  append(std::to_string(signature_position));
  append(std::to_string(static_cast<int>(finding.severity)));
  append(finding.quoted ? "quoted" : "");
  append(finding.envelope.level);
  append(finding.envelope.host);
  append(finding.envelope.rank);
  append(finding.envelope.pid);
  for (std::string_view name : kIdentifying) append(finding.fields.get(name));
  if (finding.role == Role::generic) append(mask(finding.fields.get("first_line")));
  return key;
}

}  // namespace cutopsy
