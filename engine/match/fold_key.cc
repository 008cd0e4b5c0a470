#include "engine/match/fold_key.h"

#include <array>

#include "engine/match/masking.h"
#include "parsers/name_table.h"

namespace cutopsy {
namespace {

// Fields that tell one fault of a rule from another. Threads, addresses, line numbers and the like do not.
constexpr std::array<std::string_view, 15> kIdentifying = {"python_type", "condition", "kernel",   "code",   "name",
                                                           "gpu",         "gpu_pci",   "library",  "symbol", "kind",
                                                           "api",         "file",      "exitcode", "signal", "pod"};
constexpr NameTable kTable(kIdentifying);
using IdentifyingValues = std::array<std::string_view, kIdentifying.size()>;

IdentifyingValues identifying_values(const Fields& fields) {
  IdentifyingValues values;
  for (const auto& [name, value] : fields) {
    if (const std::size_t index = kTable.find(name); index < values.size()) values[index] = value;
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
  const char numbers[] = {static_cast<char>(signature_position), static_cast<char>(signature_position >> 8),
                          static_cast<char>(finding.severity)};
  append({numbers, sizeof numbers});
  append(finding.quoted ? "quoted" : "");
  append(finding.envelope.level);
  append(finding.envelope.host);
  append(finding.envelope.rank);
  append(finding.envelope.pid);
  for (std::string_view value : identifying_values(finding.fields)) append(value);
  if (finding.role == Role::generic) append(mask(finding.fields.get("first_line")));
}

}  // namespace cutopsy
