// Rule files for tests: one rule without mistakes, and places to put one.
#pragma once

#include <string>

namespace cutopsy {

/// One rule whose `match:` is `match`, at line 3, column 10.
inline std::string rule_matching(const std::string& match) {
  return "- id: memory/gpu-oom\n"
         "  title: The GPU ran out of memory\n"
         "  match: " +
         match +
         "\n"
         "  cause: The batch is too large.\n"
         "  fix: [{ do: Shrink the batch. }]\n";
}

/// One rule with further `lines`, from line 6 on.
inline std::string rule_with(const std::string& lines) {
  return rule_matching("{ event: gpu.oom }") + lines;
}

/// A table of two rules, driver/xid-45 in block style (line 7) and driver/xid-79 in flow style (line 9).
inline const std::string kTableOfRules =
    "- id: driver/xid-{code}\n"
    "  title: Xid {code}\n"
    "  match: { event: kernel.xid, where: { code: '^{code}$' } }\n"
    "  cause: Text of the table.\n"
    "  fix: [{ do: 'Reboot {host}, then look for Xid {code}.' }]\n"
    "  table:\n"
    "    - code: 45\n"
    "      title: The channel was torn down\n"
    "    - { code: 79, severity: fatal, cause: 'Off the bus, {pci} says' }\n";

}  // namespace cutopsy
