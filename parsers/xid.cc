// Formats, driver branches 3xx to 610 (kernel-open/nvidia and src/nvidia in NVIDIA/open-gpu-kernel-modules; see
// also https://docs.nvidia.com/deploy/xid-errors/):
//   NVRM: Xid (0000:03:00): 14, Channel 00000001
//   NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus.
//   NVRM: Xid (PCI:0000:18:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
//   NVRM: Xid (PCI:0000:18:00 GPU-I:02 GPU-CI:01): 43, pid=48213, name=python3, Ch 00000018
// The Kubernetes device plugin repeats the number (NVIDIA/k8s-device-plugin, internal/rm/health.go):
//   XidCriticalError: Xid=79 on Device=GPU-1b2c3d4e-..., the device will go unhealthy.
#include "parsers/xid.h"

#include <algorithm>
#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/pci_address.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr std::string_view kTriggers[] = {"NVRM: Xid", "Xid (PCI", "XidCriticalError"};

// What the text behind the process tells, for all numbers: wordings are shared by several Xids.
constexpr Phrase kDetails[] = {
    // 13: the exception of a multiprocessor, or of the graphics engine. ESR and ChID lines only repeat it as registers.
    {"Exception on (",
     R"(Exception on \((?:GPC (?P<gpc>\d+))?(?:, TPC (?P<tpc>\d+))?(?:, SM (?P<sm>\d+))?[^)]*\): (?P<exception>.+))"},
    {"Graphics Exception: ", R"(Graphics Exception: (?P<exception>[^=,]+)$)"},
    // 31, 108: an access that the memory unit refused.
    {"MMU Fault: ENGINE ", R"(MMU Fault: ENGINE (?P<engine>\S+)(?: GPC(?P<gpc>\d+) )?)"},
    {"faulted @ ", R"(faulted @ (?P<address>0x[0-9a-fA-F_]+))"},
    {"Fault is of type ", R"(Fault is of type (?P<exception>\w+)(?: (?P<access>ACCESS_TYPE_\w+))?)"},
    // 14, 31, 32, 38, 43, 45, 69, 109: the channel.
    {"Ch ", R"(\bCh (?P<channel>[0-9a-fA-F]{2,16})\b)"},
    {"hannel ", R"(\b[Cc]hannel (?:ID )?(?P<channel>(?:0x)?[0-9a-fA-F]{2,16})\b)"},
    {"ChI", R"(\bChI[dD] (?P<channel>[0-9a-fA-F]+))"},
    {"caused by previous Xid ", R"(caused by previous Xid (?P<caused_by>\d+))"},
    // 48, 63, 64, 94, 95, 171: memory.
    {"physAddr", R"(physAddr:? (?P<address>0x[0-9a-fA-F]+))"},
    {"Row Remapper", R"(Row Remapper[^(]*\((?P<address>0x[0-9a-fA-F]+)\))"},
    {"Page Retirement", R"(Page Retirement[^(]*\((?P<address>0x[0-9a-fA-F]+)\))"},
    {"ontained: ", R"(\b(?:Uncontained|Contained): (?P<engine>[^.(]+?)(?: \(|\.|$))"},
    {"SRAM error", R"(^(?P<engine>[\w-]+), Uncorrectable SRAM error)"},
    // 74, 136, 144-150: NVLink. The newer ones print the sub-code, then how bad it is.
    {"ink", R"(\b[Ll]inks? (?P<link>-?\d+|0x[0-9a-fA-F]+)\b)"},
    {" XC", R"(^(?P<exception>\w+) +(?:Nonfatal|Fatal) +XC)"},
    // 109: the reason, with and without a label.
    {"errorString ", R"(errorString (?P<exception>[^,]+))"},
    {"CTX SWITCH TIMEOUT", R"((?P<exception>CTX SWITCH TIMEOUT))"},
    {"SEC_FAULT: ", R"(SEC_FAULT: (?P<exception>.+))"},
    // 119, 175: the call that the GSP did not answer. 120: the crash of its firmware.
    {"Expected function ", R"(Expected function (?P<function>\d+ \(\w+\)|\w+))"},
    {"GSP task exception: ",
     R"(GSP task exception: (?P<exception>[^(]+?)(?: \(cause:[^)]*\))?(?: @ pc:(?P<address>0x[0-9a-fA-F]+)|$))"},
    {"of waiting for RPC", R"(after (?P<waited>\d+s) of waiting for RPC)"},
    {"recovery action changed", R"(recovery action changed from \S+ \([^)]*\) to \S+ \((?P<recovery_action>[^)]+)\))"},
    {" TPC ", R"([Rr]etir\w+ TPC (?P<tpc>\d+) from GPC (?P<gpc>\d+))"},
};

constexpr Phrase kDevicePlugin[] = {
    {"XidCriticalError", R"(XidCriticalError: Xid=(?P<xid>\d{1,4})\b)"},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// Takes `literal` off the front of `rest` if it stands there.
bool skip(std::string_view& rest, std::string_view literal) {
  if (!rest.starts_with(literal)) return false;
  rest.remove_prefix(literal.size());
  return true;
}

// Takes "KEY=VALUE, " (or "KEY=VALUE" at the end) off the front of `rest`; "" when the key is not there.
std::string_view take_value(std::string_view& rest, std::string_view key) {
  if (!skip(rest, key)) return "";
  const std::size_t end = std::min(rest.find(", "), rest.size());
  std::string_view value = rest.substr(0, end);
  rest.remove_prefix(end);
  skip(rest, ", ");
  return value;
}

// What follows "Xid (" of the first report in `text`, or "". An NVSwitch SXid is none.
std::string_view find_report(std::string_view text) {
  constexpr std::string_view kHead = "Xid (";
  for (std::size_t at = text.find(kHead); at != text.npos; at = text.find(kHead, at + 1)) {
    const std::string_view before = text.substr(0, at);
    const std::string_view rest = text.substr(at + kHead.size());
    if (before.ends_with("NVRM: ") || (rest.starts_with("PCI:") && !before.ends_with('S'))) return rest;
  }
  return "";
}

// Reads "PCI:0000:18:00 GPU-I:05): 79, pid=…" into `fields`; false when it is no report.
bool read_report(std::string_view rest, Fields& fields) {
  const std::size_t close = rest.find("): ");
  if (close == rest.npos) return false;
  std::string_view device = rest.substr(0, close);
  skip(device, "PCI:");
  const std::string_view pci = device.substr(0, device.find(' '));
  const std::string gpu_pci = canonical_pci_address(pci);
  rest.remove_prefix(close + 3);
  const std::string_view number = rest.substr(0, std::ranges::find_if_not(rest, is_digit) - rest.begin());
  rest.remove_prefix(number.size());
  const bool number_ends = rest.empty() || skip(rest, ", ") || rest == ",";
  if (gpu_pci.empty() || number.empty() || number.size() > 4 || !number_ends) return false;

  fields.set("xid", number);
  fields.set("code", number);
  fields.set("pci", pci);
  fields.set("gpu_pci", gpu_pci);
  const std::string_view pid = take_value(rest, "pid=");
  const std::string_view process = take_value(rest, "name=");
  if (is_number(pid)) fields.set("pid", pid);
  if (process.find("unknown>") == process.npos) fields.set("process", process);
  fields.set("text", rest);

  static const PhraseBook details(kDetails);
  details.collect(rest, fields);
  return true;
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook device_plugin(kDevicePlugin);
  Event event = line_event(line, "kernel.xid", "driver");
  if (!read_report(find_report(line.text), event.fields)) {
    if (!device_plugin.find(line.text, event.fields)) return;
    event.emitter = "k8s-device-plugin";
    event.fields.set("code", std::string(event.fields.get("xid")));
  }
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kXidParser{"xid", kTriggers, parse};

}  // namespace cutopsy
