// Format, NCCL 2.3 to 2.30 (src/debug.cc in NVIDIA/nccl):
//   [2026-11-30 10:00:00] node1:4242:4310 [0] transport/net_socket.cc:200 NCCL WARN NET/Socket : message truncated
// Any part before the level may be missing; the time is printed from 2.26 on.
#include "parsers/nccl_warn.h"

#include <utility>

#include "parsers/line_event.h"
#include "parsers/pci_address.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kWarnings[] = {
    {"NCCL WARN ",
     R"((?:\b(?P<host>[\w.-]+):(?P<pid>\d+):(?P<tid>\d+) +)?(?:\[(?P<gpu>-?\d+)\] +)?)"
     R"((?:(?P<file>[\w./+-]+\.\w+):(?P<line>\d+) +)?NCCL WARN +(?P<message>\S.*))",
     "nccl"},
};

constexpr Phrase kDetails[] = {
    {"on CUDA device ", R"(\bboth on CUDA device (?P<bus_id>[0-9a-f]{3,12})\b)"},
};

constexpr auto kTriggers = triggers_of(kWarnings);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook warnings(kWarnings);
  Event event = line_event(line, "nccl.warn", "nccl");
  if (!warnings.find(line.text, event.fields)) return;
  if (event.envelope.host.empty()) event.envelope.host = event.fields.get("host");
  if (event.envelope.pid.empty()) event.envelope.pid = event.fields.get("pid");
  static const PhraseBook details(kDetails);
  Fields found;
  details.collect(line.text, found);
  event.fields.set("gpu_pci", pci_address_of_bus_id(found.get("bus_id")));
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kNcclWarnParser{"nccl_warn", kTriggers, parse};

}  // namespace cutopsy
