#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr const char* kDevices = "/sys/class/infiniband";

constexpr std::array kParameters = {
    Parameter{"device",
              "an adapter or the beginning of its name, as in NCCL_IB_HCA: mlx5_0 or mlx5_0:1; all when absent"},
    Parameter{"ports", "how many ports must be active; when absent, a port without a cable is no yes", Form::number}};

// https://docs.kernel.org/admin-guide/abi-stable.html, /sys/class/infiniband/<device>/ports/<port>/
struct Port {
  std::string name;      // "mlx5_0_port_1"
  std::string state;     // "4: ACTIVE"
  std::string physical;  // "5: LinkUp"
  std::string rate;      // "400 Gb/sec (4X NDR)"
  bool is_infiniband = false;
  std::uint64_t downed = 0;  // times that the link went down

  bool is_active() const { return state.ends_with("ACTIVE"); }
  // The cable works, but no subnet manager has set the port up.
  bool waits_for_manager() const {
    return is_infiniband && physical.ends_with("LinkUp") && (state.ends_with("INIT") || state.ends_with("ARMED"));
  }
};

std::vector<Port> ports_of(const Host& host, const std::string& wanted) {
  std::vector<Port> ports;
  for (const std::string& device : host.list(kDevices)) {
    if (!device.starts_with(wanted)) continue;
    const std::string folder = std::string(kDevices) + "/" + device + "/ports";
    for (const std::string& number : host.list(folder)) {
      const std::string port = folder + "/" + number;
      const auto state = host.value(port + "/state");
      if (!state) continue;
      ports.push_back({device + "_port_" + number, *state, host.value(port + "/phys_state").value_or(""),
                       host.value(port + "/rate").value_or(""), host.value(port + "/link_layer") == "InfiniBand",
                       host.number(port + "/counters/link_downed").value_or(0)});
    }
  }
  return ports;
}

Answer judge(const std::vector<Port>& ports, bool named, std::int64_t needed) {
  std::int64_t active = 0;
  const Port* down = nullptr;
  std::string flapped;
  for (const Port& port : ports) {
    if (port.waits_for_manager()) {
      return Answer::yes("port " + port.name + " has a link but is " + port.state,
                         "Start the subnet manager (opensm).");
    }
    if (port.is_active()) {
      ++active;
      if (port.downed > 0) flapped += " " + port.name;
    } else {
      down = &port;
    }
  }
  const std::string seen = std::to_string(active) + " of " + std::to_string(ports.size()) + " ports are active";
  const char* const advice = "Check cable, transceiver and switch port.";
  if (active < needed) return Answer::yes(seen + ", " + std::to_string(needed) + " must be", advice);
  if (down && named) return Answer::yes("port " + down->name + " is " + down->state + ", " + down->physical, advice);
  if (down && needed == 0)
    return Answer::undecided(seen + "; " + down->name + " is not: it may have no cable on purpose");
  if (!flapped.empty())
    return Answer::undecided(seen + ", but links have been down since the counters began:" + flapped);
  return Answer::no(seen);
}

Answer ask(const Inquiry& inquiry) {
  auto device = inquiry.parameters.text("device");
  if (device) device = device->substr(0, device->find_first_of(":/"));  // "mlx5_0:1", "mlx5_0:1/RoCE"
  if (device && device->find_first_of("^=, ") != std::string::npos) {
    return Answer::could_not_run("'" + *device + "' is no name of one device");
  }
  const auto ports = ports_of(inquiry.host, device.value_or(""));
  if (ports.empty() && device && !inquiry.host.list(kDevices).empty()) {
    return Answer::yes("there is no InfiniBand device " + *device, "Name one that exists here (NCCL_IB_HCA).");
  }
  if (ports.empty()) return Answer::not_applicable("there is no InfiniBand or RoCE device");
  const std::int64_t needed = inquiry.parameters.number("ports", 1, 1024).value_or(0);
  Answer answer = judge(ports, device && inquiry.host.exists(std::string(kDevices) + "/" + *device), needed);
  for (const Port& port : ports) answer.measurements.push_back({port.name, port.state + ", " + port.rate});
  return answer;
}

}  // namespace

extern const Check kInfinibandLink = {
    .name = "infiniband-link",
    .question = "Is an InfiniBand or RoCE link down?",
    .decision =
        "yes when the device asked for is missing or, fully named, has a port that is not active, fewer ports are "
        "active than "
        "asked for, or a port with a link waits for the subnet manager; unknown when a port is down that may "
        "have no cable, or a link went down earlier",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
