#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/job.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    kPidParameter,
    Parameter{"port", "the TCP port that the job wants to listen on; without it, MASTER_PORT"},
    Parameter{"master_port", "the variable's value, if the log tells it"},
};

constexpr unsigned kListening = 0x0a;              // TCP_LISTEN of include/net/tcp_states.h
constexpr std::size_t kMostDescriptors = 200'000;  // looked at for the port's owner

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

std::optional<unsigned> hexadecimal(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// The inode of a socket that listens on `port`: https://docs.kernel.org/networking/proc_net_tcp.html
std::optional<std::string> listener(std::string_view table, unsigned port) {
  while (!table.empty()) {
    const std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 10 || hexadecimal(words[3]) != kListening) continue;
    const std::size_t colon = words[1].rfind(':');
    if (colon != std::string_view::npos && hexadecimal(words[1].substr(colon + 1)) == port) {
      return std::string(words[9]);
    }
  }
  return std::nullopt;
}

// "process 4242 (python)", or that it cannot be told.
std::string owner_of(const Host& host, const std::string& inode) {
  const std::string socket = "socket:[" + inode + "]";
  std::size_t looked_at = 0;
  for (const Process& process : processes(host)) {
    const std::string folder = "/proc/" + std::to_string(process.pid) + "/fd";
    for (const std::string& descriptor : host.list(folder)) {
      if (++looked_at > kMostDescriptors) return "a process that was not found in time";
      if (host.link(folder + "/" + descriptor) == socket) {
        return "process " + std::to_string(process.pid) + " (" + process.name + ")";
      }
    }
  }
  return "a process of another user or container";
}

Answer ask(const Inquiry& inquiry) {
  const Job job = Job::find(inquiry.host, inquiry.parameters);
  auto text = inquiry.parameters.text("port");
  if (!text && !job.knows("MASTER_PORT")) return job.unknown_environment();
  if (!text) text = job.variable("MASTER_PORT");
  if (!text) return Answer::not_applicable("no port is named and MASTER_PORT is not set in " + job.name());
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), port);
  if (error != std::errc() || end != text->data() + text->size() || port > 65535) {
    return Answer::could_not_run("\"" + *text + "\" is no TCP port",
                                 "Set MASTER_PORT, or the port asked about, to a number from 1024 to 65535.");
  }
  if (port == 0) return Answer::no("port 0 lets the system choose a free one");
  const std::string folder = job.folder().empty() ? "/proc" : job.folder();
  bool any_table = false;
  for (const char* const table : {"/net/tcp", "/net/tcp6"}) {
    const auto sockets = inquiry.host.read(folder + table);
    if (!sockets) continue;
    any_table = true;
    if (const auto inode = listener(*sockets, port)) {
      return Answer::yes("port " + *text + " is taken by " + owner_of(inquiry.host, *inode),
                         "End that process if it is left from an earlier job, or choose another port.")
          .with("port", *text);
    }
  }
  if (!any_table) return Answer::could_not_run("the machine's sockets cannot be read from " + folder + "/net/tcp");
  return Answer::no("nobody listens on port " + *text).with("port", *text);
}

}  // namespace

extern const Check kRendezvousPort = {
    .name = "rendezvous-port",
    .question = "Is the port on which the job's ranks meet taken?",
    .decision = "yes when a socket listens on it in the job's network namespace; unknown when it is no port",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
