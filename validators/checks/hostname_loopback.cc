#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"address", "the name under which rank 0 is looked for; without it MASTER_ADDR, else this machine's name"},
    Parameter{"master_addr", "the variable's value, if the log tells it"},
    Parameter{"nodes", "how many machines the job spans; without it told by NNODES, SLURM_NNODES or WORLD_SIZE",
              Form::number},
};

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

// The addresses that /etc/hosts gives a name: https://man7.org/linux/man-pages/man5/hosts.5.html
std::vector<std::string> addresses_of(std::string_view hosts, std::string_view name) {
  std::vector<std::string> addresses;
  while (!hosts.empty()) {
    std::string_view line = hosts.substr(0, hosts.find('\n'));
    hosts.remove_prefix(std::min(line.size() + 1, hosts.size()));
    line = line.substr(0, line.find('#'));
    std::string address;
    while (!line.empty()) {
      const std::size_t from = std::min(line.find_first_not_of(" \t\r"), line.size());
      line.remove_prefix(from);
      const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
      line.remove_prefix(word.size());
      if (address.empty()) {
        address = word;
      } else if (word == name) {
        addresses.push_back(address);
        break;
      }
    }
  }
  return addresses;
}

std::optional<long> count(const std::optional<std::string>& text) {
  long value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

// Whether the job spans machines; no value when nothing tells.
std::optional<bool> spans_machines(const Inquiry& inquiry, const Job& job) {
  if (const auto nodes = inquiry.parameters.number("nodes", 0, 1'000'000)) return *nodes > 1;
  for (const char* const variable : {"NNODES", "SLURM_NNODES", "PET_NNODES"}) {
    if (const auto nodes = count(job.variable(variable))) return *nodes > 1;
  }
  const auto world = count(job.variable("WORLD_SIZE"));
  const auto local = count(job.variable("LOCAL_WORLD_SIZE"));
  if (world && local) return *world > *local;
  return std::nullopt;
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  auto name = inquiry.parameters.text("address");
  if (!name) name = job.variable("MASTER_ADDR");
  if (!name || name->empty()) name = inquiry.host.value("/proc/sys/kernel/hostname");
  const auto hosts = inquiry.host.read(job.root() + "/etc/hosts");
  if (!name || name->empty()) return Answer::could_not_run("neither MASTER_ADDR nor this machine's name can be read");
  if (!hosts && !is_loopback(*name)) return Answer::could_not_run("/etc/hosts cannot be read");
  const std::vector<std::string> addresses = is_loopback(*name) ? std::vector{*name} : addresses_of(*hosts, *name);
  const auto loopback = std::find_if(addresses.begin(), addresses.end(), is_loopback);
  if (loopback == addresses.end()) {
    return Answer::no("/etc/hosts does not lead " + *name + " to this machine alone").with("address", *name);
  }
  const std::string seen = *name + " leads to " + *loopback + ", which every machine takes for itself";
  const std::string advice = "Set MASTER_ADDR to an address that the other machines reach, or correct /etc/hosts.";
  const auto spans = spans_machines(inquiry, job);
  Answer answer = !spans   ? Answer::undecided(seen + "; right on one machine, wrong for several", advice)
                  : *spans ? Answer::yes(seen + ", and the job spans several", advice)
                           : Answer::no(seen + ", which is right for a job on one machine");
  return std::move(answer).with("address", *name).with("resolved", *loopback);
}

}  // namespace

extern const Check kHostnameLoopback = {
    .name = "hostname-loopback",
    .question = "Does the name under which ranks look for each other lead to the loopback address?",
    .decision =
        "yes when it is one or /etc/hosts gives it one (127.0.1.1 on Debian) and the job spans several machines; "
        "unknown when nothing tells how many",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
