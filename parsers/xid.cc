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
#include "parsers/nvlink5_event.h"
#include "parsers/nvlink_registers.h"
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
    {"Graphics Exception: ESR ", R"(Graphics Exception: ESR (?P<registers>0x[0-9a-fA-Fx= ]+))"},
    {"Graphics Exception: ", R"(Graphics Exception: (?P<exception>[^=,]+)$)"},
    // 13, 69: the method that the engine refused.
    {", Class ", R"(, Class (?P<class>[0-9a-fA-F]+), Offset (?P<offset>[0-9a-fA-F]+), Data (?P<data>[0-9a-fA-F]+))"},
    {", ErrorCode ", R"(, ErrorCode (?P<error>[0-9a-fA-F]+))"},
    // 31, 108: an access that the memory unit refused.
    {"MMU Fault: ENGINE ", R"(MMU Fault: ENGINE (?P<engine>\S+)(?: GPC(?P<gpc>\d+))?(?: (?P<client>\w+CLIENT\w*))?)"},
    {"faulted @ ", R"(faulted @ (?P<address>0x[0-9a-fA-F_]+))"},
    {"Fault is of type ", R"(Fault is of type (?P<exception>\w+)(?: (?P<access>ACCESS_TYPE_\w+))?)"},
    // 14, 31, 32, 38, 43, 45, 69, 109: the channel.
    {"Ch ", R"(\bCh (?P<channel>[0-9a-fA-F]{2,16})\b)"},
    {"hannel ", R"(\b[Cc]hannel (?:ID )?(?P<channel>(?:0x)?[0-9a-fA-F]{2,16})\b)"},
    {"ChI", R"(\bChI[dD] (?P<channel>[0-9a-fA-F]+))"},
    {"intr", R"(\bintr0? (?P<intr>[0-9a-fA-F]+))"},
    {"engmask ", R"(\bengmask (?P<engmask>[0-9a-fA-F]+))"},
    {"caused by previous Xid ", R"(caused by previous Xid (?P<caused_by>\d+))"},
    // 48, 63, 64, 92, 94, 95, 140, 160, 161, 171, 172, 177: memory.
    {"physAddr", R"(physAddr:? (?P<phys_addr>0x[0-9a-fA-F]+))"},
    {"partition ", R"(\bpartition (?P<partition>\d+))"},
    {"subpartition ", R"(\bsubpartition (?P<subpartition>\d+))"},
    {"FBPA ", R"(\bFBPA (?P<fbpa>\d+))"},
    {"Marking Channel ", R"(Marking Channel (?P<channel>\d+) in FBPA)"},
    {"Row Remapper", R"(Row Remapper[^(]*\((?P<address>0x[0-9a-fA-F]+)\)(?: - (?P<reason>.+?)\.?$)?)"},
    {"Page Retirement", R"(Page Retirement[^(]*\((?P<address>0x[0-9a-fA-F]+)\))"},
    {"Bank Remapper: ", R"(Bank Remapper: (?P<reason>[^,.]+))"},
    {"Repairing Channel failed", R"(Repairing Channel failed as (?P<reason>[^.]+))"},
    {"ontained: ", R"(\b(?:Uncontained|Contained): (?P<unit>[^.(]+?)(?: \((?P<unit_ids>[^)]*)\))?(?:\.|$))"},
    {"RST: ", R"(\bRST: (?P<reset>\w+), D-RST: (?P<device_reset>\w+))"},
    {"SBE interrupt storm", R"(^(?P<unit>[\w-]+) SBE interrupt storm)"},
    {"SRAM error", R"(^(?P<unit>[\w-]+), Uncorrectable SRAM error)"},
    {"DRAM error", R"(^(?P<memory>[\w-]+), Uncorrectable DRAM error)"},
    {"DRAM:", R"(\bDRAM:(?P<dram>\d+), LTC:(?P<ltc>\d+), MMU:(?P<mmu>\d+), PCIE:(?P<pcie>\d+))"},
    // 74, 136, 144-150: NVLink. The newer ones print the sub-code, then how bad it is.
    {" XC",
     R"(^(?P<exception>\w+) +(?P<severity>Nonfatal|Fatal) +XC(?P<xc>\d+) i(?P<injected>\d+) )"
     R"(Link (?P<link>-?\d+) \((?P<intr_info>0x[0-9a-fA-F]+) (?P<status>0x[0-9a-fA-F]+)(?: (?P<registers>[^)]+))?\))"},
    {"ink",
     R"(\b[Ll]inks? (?:(?P<link_mask>0x[0-9a-fA-F]+)|(?P<link>-?\d+))\b(?:\((?P<registers>0x[0-9a-fA-Fx, ]+)\))?)"},
    {" XC", R"(^(?P<exception>\w+) +(?P<severity>Nonfatal|Fatal) +XC)"},
    {" to remote PCI:", R"( to remote PCI:(?P<remote_pci>[0-9a-fA-F:.]+))"},
    // 109: the reason, with and without a label.
    {"errorString ", R"(errorString (?P<exception>[^,]+))"},
    {"CTX SWITCH TIMEOUT", R"((?P<exception>CTX SWITCH TIMEOUT))"},
    {", Info ", R"(, Info (?P<info>0x[0-9a-fA-F]+))"},
    {"SEC_FAULT: ", R"(SEC_FAULT: (?P<exception>.+))"},
    // 61, 62: the power management unit stopped; its registers.
    {"(", R"(^(?P<pc>[0-9a-f]{4,8})\((?P<symbol>[0-9a-f]{4,8})\) (?P<registers>[0-9a-f]{8}(?: [0-9a-f]{8})*)$)"},
    {" ", R"(^(?P<registers>[0-9a-f]{8}(?: [0-9a-f]{8}){7,})$)"},
    {"Guest driver is", R"(^(?P<reason>Guest driver is .+))"},
    // 119, 175: the call that the GSP did not answer. 120: the crash of its firmware. 143: its start.
    {"Expected function ", R"(Expected function (?P<function>\d+ \(\w+\)|\w+))"},
    {"Expected function ", R"(Expected function (?:(?P<function_id>\d+) \()?(?P<function_name>\w+)\)?)"
                           R"((?: sequence (?P<sequence>\d+))? \((?P<args>[^)]+)\))"},
    {"of waiting for RPC", R"(Timeout after (?P<waited>\d+s) of waiting for RPC response from GPU(?P<gpu_index>\d+))"},
    {"RPC from GSP", R"(RPC from GSP(?P<gpu_index>\d+)!)"},
    {"GSP task exception: ", R"(GSP task exception: (?P<exception>[^(]+?)(?: \(cause:(?P<cause>[^)]*)\))?(?: @|$))"},
    {" @ pc:", R"( @ pc:(?P<pc>0x[0-9a-fA-F]+)(?:, partition:(?P<partition>[\d#]+))?(?:, task:(?P<task>\d+))?)"},
    {"FSP ", R"(FSP .*Status = (?P<status>0x[0-9a-fA-F]+))"},
    {"polling for FSP boot",
     R"(Error status (?P<status>0x[0-9a-fA-F]+) while polling for FSP boot complete(?:, (?P<registers>0x[0-9a-fA-Fx, ]+))?)"},
    // 154, 156, 157: what is to be done, what was done.
    {"recovery action changed", R"(recovery action changed from (?P<old_code>\S+) \((?P<old_action>[^)]*)\) to )"
                                R"((?P<recovery_code>\S+) \((?P<recovery_action>[^)]+)\))"},
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

// "0000:18:00 GPU-I:02 GPU-CI:01": which slice of a GPU that is divided (MIG).
void read_instances(std::string_view device, Fields& fields) {
  const auto value_of = [&](std::string_view label) -> std::string_view {
    const std::size_t at = device.find(label);
    if (at == device.npos) return "";
    const std::string_view rest = device.substr(at + label.size());
    return rest.substr(0, std::ranges::find_if_not(rest, is_digit) - rest.begin());
  };
  fields.set("gpu_instance", value_of(" GPU-I:"));
  fields.set("compute_instance", value_of(" GPU-CI:"));
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
  read_instances(device, fields);
  const std::string_view pid = take_value(rest, "pid=");
  const std::string_view process = take_value(rest, "name=");
  if (is_number(pid)) fields.set("pid", pid);
  if (process.find("unknown>") == process.npos) fields.set("process", process);
  fields.set("text", rest);

  static const PhraseBook details(kDetails);
  details.collect(rest, fields);
  if (number == "74") decode_nvlink_registers(fields);
  decode_nvlink5_event(fields);
  return true;
}

// Xids that come in two kinds say which they are; "" for all others.
std::string_view is_harmless(const Fields& fields) {
  const std::string_view number = fields.get("xid");
  bool harmless = false;
  if (number == "74") {
    const std::string_view finding = fields.get("finding");
    harmless = finding == "corrected" || finding == "ignorable";
  } else if (number.size() == 3 && number >= "144" && number <= "150") {
    // What the driver prints counts more than the catalogue, which lists some fatal reports as such to ignore.
    const std::string_view action = fields.get("action");
    const std::string_view severity = fields.get("severity");
    harmless = severity != "Fatal" && action != "RESET_GPU" && (severity == "Nonfatal" || action == "IGNORE");
  } else if (number == "154") {
    harmless = fields.get("recovery_code") == "0x0";
  } else {
    return "";
  }
  return harmless ? "true" : "false";
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook device_plugin(kDevicePlugin);
  Event event = line_event(line, "kernel.xid", "driver");
  if (!read_report(find_report(line.text), event.fields)) {
    if (!device_plugin.find(line.text, event.fields)) return;
    event.emitter = "k8s-device-plugin";
    event.fields.set("code", std::string(event.fields.get("xid")));
  }
  event.fields.set("harmless", is_harmless(event.fields));
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kXidParser{"xid", kTriggers, parse};

}  // namespace cutopsy
