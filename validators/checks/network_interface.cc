#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"interface", "the name that the log says the job wanted"},
    Parameter{"nccl_socket_ifname", "the variable's value, if the log tells it"},
    Parameter{"gloo_socket_ifname", "the variable's value, if the log tells it"},
};

struct Interface {
  std::string name;
  std::string state;  // of /sys/class/net/NAME/operstate: up, down, unknown (a tunnel or lo); "" when not told
};

// Of the job's network namespace. /sys shows that of ours, so that it tells nothing of others.
std::vector<Interface> interfaces(const Host& host, const Job& job) {
  const std::string text = host.read((job.folder().empty() ? "/proc" : job.folder()) + "/net/dev").value_or("");
  std::vector<Interface> found;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    line = line.substr(0, colon);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    found.push_back({std::string(line), host.value("/sys/class/net/" + std::string(line) + "/operstate").value_or("")});
  }
  return found;
}

struct Wish {
  std::string source;  // "NCCL_SOCKET_IFNAME=eth"
  std::string name;
  bool prefix;  // as NCCL takes a name without "="
};

void add_wishes(std::vector<Wish>& wishes, const std::string& variable, std::string_view list, bool prefix) {
  const std::string source = variable + "=" + std::string(list);
  if (list.starts_with('^')) return;  // what not to use
  if (list.starts_with('=')) {
    prefix = false;
    list.remove_prefix(1);
  }
  while (!list.empty()) {
    std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(name.size() + 1, list.size()));
    name = name.substr(0, name.find(':'));  // a port may follow
    if (!name.empty()) wishes.push_back({source, std::string(name), prefix});
  }
}

// Every name of a list must exist for Gloo; NCCL takes what it finds of them.
Answer judge(const std::vector<Wish>& wishes, const std::vector<Interface>& present) {
  std::string names;
  for (const Interface& interface : present) names += (names.empty() ? "" : ", ") + interface.name;
  const std::string advice =
      "Name one of the interfaces that are there, the same on every node, or unset the variable.";
  bool any = false;
  std::string absent;
  for (const Wish& wish : wishes) {
    for (const Interface& interface : present) {
      if (wish.prefix ? !interface.name.starts_with(wish.name) : interface.name != wish.name) continue;
      if (interface.state != "down") any = true;
      if (interface.state == "down") absent = interface.name + " of " + wish.source + " is down";
    }
  }
  if (any) return Answer::no("an interface of " + wishes.front().source + " is there and not down");
  if (absent.empty()) absent = wishes.front().source + " names no interface that is there (" + names + ")";
  return Answer::yes(absent, advice);
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  const auto told = inquiry.parameters.text("interface");
  if (!told && !job.knows("NCCL_SOCKET_IFNAME") && !job.knows("GLOO_SOCKET_IFNAME")) return job.unknown_environment();
  const std::vector<Interface> present = interfaces(inquiry.host, job);
  std::vector<std::vector<Wish>> groups(3);
  if (told) add_wishes(groups[0], "interface", *told, false);
  add_wishes(groups[1], "NCCL_SOCKET_IFNAME", job.variable("NCCL_SOCKET_IFNAME").value_or(""), true);
  add_wishes(groups[2], "GLOO_SOCKET_IFNAME", job.variable("GLOO_SOCKET_IFNAME").value_or(""), false);
  Answer answer =
      Answer::not_applicable("neither NCCL_SOCKET_IFNAME nor GLOO_SOCKET_IFNAME names an interface in " + job.name());
  for (const std::vector<Wish>& wishes : groups) {
    if (wishes.empty()) continue;
    if (present.empty()) return Answer::could_not_run("the interfaces of " + job.name() + " cannot be read");
    answer = judge(wishes, present);
    if (answer.reply == Reply::yes) break;
  }
  return answer;
}

}  // namespace

extern const Check kNetworkInterface = {
    .name = "network-interface",
    .question = "Is the network interface that the job names absent or down?",
    .decision =
        "yes when no interface of the job's network namespace has a name that the parameter, NCCL_SOCKET_IFNAME "
        "(a prefix, = for the whole name) or GLOO_SOCKET_IFNAME gives, or all that have are down",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
