#include "engine/match/fold_key.h"

#include <algorithm>
#include <array>

#include "engine/match/masking.h"

namespace cutopsy {
namespace {

// Fields that tell one fault of a rule from another. Threads, addresses, line numbers and the like do not.
constexpr std::array<std::string_view, 15> kIdentifying = {"python_type", "condition", "kernel",   "code",   "name",
                                                           "gpu",         "gpu_pci",   "library",  "symbol", "kind",
                                                           "api",         "file",      "exitcode", "signal", "pod"};
using IdentifyingValues = std::array<std::string_view, kIdentifying.size()>;

IdentifyingValues identifying_values(const Fields& fields) {
  IdentifyingValues values;
  for (const auto& [name, value] : fields) {
    const auto known = std::find(kIdentifying.begin(), kIdentifying.end(), std::string_view(name));
    if (known != kIdentifying.end()) values[static_cast<std::size_t>(known - kIdentifying.begin())] = value;
  }
  return values;
}

}  // namespace

void make_fold_key(const Finding& finding, std::uint16_t signature_position, std::string& key) {
  key = finding.rule ? finding.rule->id : finding.kind;
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
  for (std::string_view value : identifying_values(finding.fields)) append(value);
  if (finding.role == Role::generic) append(mask(finding.fields.get("first_line")));
}

}  // namespace cutopsy
