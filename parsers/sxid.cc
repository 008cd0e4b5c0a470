// Formats (NVIDIA/open-gpu-kernel-modules, src/common/nvswitch; fabric manager user guide, appendix on SXids):
//   nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)
//   nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Severity 0 Engine instance 32 Sub-engine instance 00
//   nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Data {0x00000004, ...}
//   detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 61
// Severity and Data lines are details of the report before them, not reports.
#include "parsers/sxid.h"

#include <utility>

#include "parsers/line_event.h"
#include "parsers/pci_address.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kReports[] = {
    {"SXid (PCI:",
     R"(\bSXid \(PCI:(?P<pci>[0-9a-fA-F:.]+)\): (?P<sxid>\d{1,6}), (?P<severity>Fatal), (?P<text>.+))",
     "driver",
     {"fatal", "true"}},
    {"SXid (PCI:",
     R"(\bSXid \(PCI:(?P<pci>[0-9a-fA-F:.]+)\): (?P<sxid>\d{1,6}), (?P<severity>Non-fatal|Correctable), (?P<text>.+))",
     "driver",
     {"fatal", "false"}},
    {"SXid (PCI:", R"(\bSXid \(PCI:(?P<pci>[0-9a-fA-F:.]+)\): (?P<sxid>\d{1,6}), (?P<text>.+))", "driver"},
    {"detected NVSwitch fatal",
     R"((?P<text>detected NVSwitch (?P<severity>fatal) error (?P<sxid>\d{1,6}) on .*?pci bus id (?P<pci>[0-9a-fA-F:.]+).*))",
     "fabric manager",
     {"fatal", "true"}},
    {"detected NVSwitch non-fa",
     R"((?P<text>detected NVSwitch (?P<severity>non-fatal) error (?P<sxid>\d{1,6}) on .*?pci bus id (?P<pci>[0-9a-fA-F:.]+).*))",
     "fabric manager",
     {"fatal", "false"}},
};

constexpr Phrase kDetails[] = {
    {"Link ", R"(\bLink (?P<link>-?\d+))"},
    {" (First)", R"( \(First\)$)", "", {"first", "true"}},
    {"instance=", R"(\binstance=(?P<instance>\d+), chiplet=(?P<chiplet>\d+))"},
    {"Module ", R"(^Module (?P<module>\d+))"},
    {"Temperature ", R"(Temperature (?P<temperature>\d+)C(?:.*Threshold (?P<threshold>\d+)C)?)"},
    {"interrupt in ", R"(interrupt in (?P<function>\w+)\((?P<line>\d+)\))"},
    // The fabric manager counts a switch's links as ports.
    {" port ", R"( port (?P<port>\d+)$)"},
    {" port ", R"( port (?P<link>\d+)$)"},
    {" on fid ", R"( on fid (?P<fid>\d+))"},
    {" physical id ", R"( physical id (?P<physical_id>\d+))"},
};

constexpr Phrase kSwitch[] = {{"nvidia-nvswitch", R"(\bnvidia-nvswitch(?P<switch>\d+):)"}};

constexpr auto kTriggers = triggers_of(kReports);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook reports(kReports);
  static const PhraseBook details(kDetails);
  static const PhraseBook switches(kSwitch);
  Event event = line_event(line, "kernel.sxid", "driver");
  const Phrase* report = reports.find(line.text, event.fields);
  if (!report) return;
  const std::string text(event.fields.get("text"));
  if (text.starts_with("Severity ") || text.starts_with("Data {")) return;

  event.emitter = report->emitter;
  event.fields.set("code", std::string(event.fields.get("sxid")));
  event.fields.set("gpu_pci", canonical_pci_address(event.fields.get("pci")));
  switches.collect(line.text, event.fields);
  details.collect(text, event.fields);
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kSxidParser{"sxid", kTriggers, parse};

}  // namespace cutopsy
