#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr const char* kInterfaces = "/sys/class/net";

constexpr std::array kParameters = {Parameter{"interface",
                                              "its name, as in NCCL_SOCKET_IFNAME; when absent, the members "
                                              "of bonds"}};

// Whether it carries traffic; tunnels and the loopback never say more than "unknown".
// https://docs.kernel.org/networking/operstates.html
bool is_up(const std::string& state) {
  return state == "up" || state == "unknown";
}

struct Interface {
  std::string name;
  std::string state;
};

// Those that NCCL would take for `prefix`: a name or the beginning of names.
std::vector<Interface> interfaces(const Host& host, const std::string& prefix) {
  std::vector<Interface> found;
  for (const std::string& name : host.list(kInterfaces)) {
    if (!name.starts_with(prefix)) continue;
    if (auto state = host.value(std::string(kInterfaces) + "/" + name + "/operstate")) found.push_back({name, *state});
  }
  return found;
}

Answer named(const Host& host, const std::string& name) {
  if (name.empty() || name.find_first_of("^=,: ") != std::string::npos) {
    return Answer::could_not_run("'" + name + "' is no name of one interface");
  }
  if (host.list(kInterfaces).empty()) return Answer::could_not_run("/sys/class/net cannot be listed");
  const auto found = interfaces(host, name);
  if (found.empty()) {
    return Answer::yes("there is no network interface " + name,
                       "Name one that exists here, or none (NCCL_SOCKET_IFNAME).");
  }
  for (const Interface& interface : found) {
    if (!is_up(interface.state)) continue;
    return Answer::no("network interface " + interface.name + " is " + interface.state)
        .with("operstate", interface.state);
  }
  return Answer::yes("network interface " + found.front().name + " is " + found.front().state,
                     "Check cable, switch port and ip link.")
      .with("operstate", found.front().state);
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  if (const auto name = inquiry.parameters.text("interface")) return named(host, *name);
  std::size_t members = 0;
  for (const std::string& name : host.list(kInterfaces)) {
    // https://docs.kernel.org/networking/bonding.html: "up", "going down", "going back", "down"
    const auto state = host.value(std::string(kInterfaces) + "/" + name + "/bonding_slave/mii_status");
    if (!state) continue;
    ++members;
    if (*state != "up") {
      return Answer::yes("network interface " + name + ", one of a bond, is " + *state,
                         "Check its cable and switch port.")
          .with("mii_status", *state);
    }
  }
  if (members > 0) return Answer::no("all " + std::to_string(members) + " members of bonds are up");
  return Answer::undecided("without a name nobody can say which interface should be up", "Give interface.");
}

}  // namespace

extern const Check kNicLink = {
    .name = "nic-link",
    .question = "Is a network interface down?",
    .decision =
        "yes when the one asked for is missing or neither up nor of unknown state, or a member of a bond is down; "
        "ports that nobody needs are down on healthy machines, so nothing else is a yes",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
