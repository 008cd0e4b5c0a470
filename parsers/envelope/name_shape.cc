#include "parsers/envelope/name_shape.h"

#include <algorithm>

#include "parsers/status_table.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxName = 128;
constexpr std::size_t kMaxHost = 64;  // RFC 1035 allows 63 bytes a label
constexpr std::size_t kMaxSite = 256;
constexpr std::size_t kMaxDigits = 20;  // of a 64-bit number

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_word(char c) {
  return is_lower(c) || is_upper(c) || is_digit(c) || c == '_';
}

template <typename Accepts>
std::size_t run(std::string_view text, std::size_t most, Accepts accepts) {
  std::size_t n = 0;
  while (n < text.size() && accepts(text[n])) ++n;
  return n <= most ? n : 0;
}

// Programs, which a version may follow: "python3.11", "gcc-12", "collect2".
constexpr std::string_view kPrograms[] = {"python", "pypy", "pip",  "gcc",  "clang", "llvm", "nvcc", "collect", "cc",
                                          "ld",     "perl", "ruby", "bash", "cmake", "cuda", "sha",  "md"};
// Devices and network interfaces as kernels number them: "nvme0n1", "enp5s0".
constexpr std::string_view kDevices[] = {"nvme", "eth",  "enp",  "eno", "ens", "ib",  "mlx", "loop", "i915",
                                         "sd",   "bond", "veth", "br",  "wlp", "ata", "usb", "card"};

// What stands before a colon and is no host.
constexpr std::string_view kNoHosts[] = {
    "error",     "warning", "warn",     "info",    "note",    "fatal",   "debug",      "critical", "exception",
    "traceback", "cause",   "reason",   "detail",  "details", "message", "msg",        "result",   "output",
    "status",    "stderr",  "stdout",   "err",     "log",     "raised",  "got",        "failed",   "failure",
    "exited",    "nvcc",    "ptxas",    "collect", "srun",    "sbatch",  "slurmstepd", "mpirun",   "mpiexec",
    "torchrun",  "docker",  "kernel",   "what",    "caused",  "time",    "date",       "start",    "started",
    "end",       "ended",   "finished", "torch",   "pytest"};
constexpr std::string_view kFileEndings[] = {".py", ".cc", ".cpp", ".cu", ".so", ".sh",
                                             ".c",  ".h",  ".js",  ".rs", ".go"};

bool is_program(std::string_view name) {
  return std::ranges::any_of(kPrograms, [&](std::string_view program) {
    return name.starts_with(program) && name.find_first_not_of("0123456789.-", program.size()) == name.npos;
  });
}

bool is_device(std::string_view name) {
  if (name.find_first_of(".-") != name.npos) return false;
  return std::ranges::any_of(kDevices, [&](std::string_view device) { return name.starts_with(device); });
}

}  // namespace

std::size_t number_length(std::string_view text) {
  return run(text, kMaxDigits, is_digit);
}

std::size_t rank_length(std::string_view text) {
  constexpr std::size_t kMaxRankDigits = 6;
  return run(text, kMaxRankDigits, is_digit);
}

std::size_t word_length(std::string_view text) {
  return run(text, kMaxName, is_word);
}

std::size_t application_length(std::string_view text) {
  const std::size_t length = run(text, kMaxName, [](char c) { return is_word(c) || c == '.' || c == '-' || c == '@'; });
  return family_of(text.substr(0, length)).empty() ? length : 0;
}

std::size_t host_length(std::string_view text) {
  return run(text, kMaxHost, [](char c) { return is_word(c) || c == '.' || c == '-'; });
}

std::size_t node_length(std::string_view text) {
  const std::size_t length =
      run(text, kMaxHost, [](char c) { return is_lower(c) || is_digit(c) || c == '.' || c == '-'; });
  const std::string_view name = text.substr(0, length);
  if (name.empty() || name.front() == '.' || name.front() == '-' || name.back() == '.') return 0;
  const bool has_letter = std::ranges::any_of(name, is_lower);
  const bool has_digit = std::ranges::any_of(name, is_digit);
  const bool is_address = std::ranges::count(name, '.') == 3;
  if (!has_digit || (!has_letter && !is_address)) return 0;
  const bool is_library = name.starts_with("lib") || name.starts_with("nvidia-") || name.find(".so") != name.npos;
  return is_library || is_program(name) || is_device(name) ? 0 : length;
}

std::size_t machine_length(std::string_view text) {
  const std::size_t length =
      run(text, kMaxHost, [](char c) { return is_lower(c) || is_digit(c) || c == '.' || c == '-'; });
  const std::string_view name = text.substr(0, length);
  if (!text.substr(length).starts_with(": ")) return 0;
  if (name.size() < 2 || !is_lower(name.front()) || name.back() == '.' || name.back() == '-') return 0;
  const bool is_file = std::ranges::any_of(kFileEndings, [&](std::string_view end) { return name.ends_with(end); });
  const bool is_word = std::ranges::find(kNoHosts, name) != std::end(kNoHosts);
  return is_file || is_word || is_program(name) || name.starts_with("lib") ? 0 : length;
}

std::size_t container_length(std::string_view text) {
  const std::size_t length = run(text, kMaxHost, [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
  return length > 0 && is_lower(text[0]) ? length : 0;
}

std::size_t replica_length(std::string_view text) {
  constexpr std::size_t kPodHash = 5;
  constexpr std::size_t kLeastSetHash = 8;
  constexpr std::size_t kMostSetHash = 10;
  const std::string_view name = text.substr(0, container_length(text));
  const std::size_t pod = name.rfind('-');
  if (pod == name.npos || pod == 0 || name.size() - pod - 1 != kPodHash) return 0;
  const std::size_t set = name.rfind('-', pod - 1);
  if (set == name.npos || set == 0) return 0;
  const std::size_t hash = pod - set - 1;
  const bool has_digit = std::ranges::any_of(name.substr(set + 1, hash), is_digit);
  return hash >= kLeastSetHash && hash <= kMostSetHash && has_digit ? name.size() : 0;
}

std::size_t member_length(std::string_view text) {
  const std::string_view name = text.substr(0, container_length(text));
  const std::size_t number = name.find_last_not_of("0123456789");
  return number != name.npos && number > 0 && number + 1 < name.size() && name[number] == '-' ? name.size() : 0;
}

std::size_t log_stream_length(std::string_view text) {
  constexpr std::size_t kLeastId = 8;
  const std::size_t length =
      run(text, kMaxSite, [](char c) { return is_word(c) || c == '-' || c == '.' || c == '/' || c == '$'; });
  const std::string_view name = text.substr(0, length);
  const std::size_t slash = name.rfind('/');
  if (slash == name.npos || slash == 0 || name[0] == '/' || name[0] == '.') return 0;
  const std::string_view id = name.substr(slash + 1);
  const bool is_id = id.size() >= kLeastId && id.find('.') == id.npos && std::ranges::any_of(id, is_digit);
  return is_id ? length : 0;
}

std::size_t caller_length(std::string_view text) {
  const std::size_t length = run(text, kMaxSite, [](char c) { return c > ' '; });
  return text.substr(length).starts_with(" - ") ? length : 0;
}

std::size_t site_length(std::string_view text) {
  const std::size_t length = run(text, kMaxSite, [](char c) {
    return c > ' ' && c != ']' && c != '[' && c != '|' && c != '(' && c != ')' && c != ',' && c != '"';
  });
  std::string_view site = text.substr(0, length);
  if (site.ends_with(':')) site.remove_suffix(1);
  for (std::size_t colon = site.find(':'); colon != site.npos; colon = site.find(':', colon + 1)) {
    if (colon > 0 && colon + 1 < site.size() && is_digit(site[colon + 1])) return site.size();
  }
  return 0;
}

std::size_t module_length(std::string_view text) {
  std::size_t length = run(text, kMaxName, [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == ':'; });
  if (length > 0 && text[length - 1] == ':') --length;
  const std::string_view module = text.substr(0, length);
  return module.find('_') != module.npos || module.find("::") != module.npos ? length : 0;
}

std::size_t service_length(std::string_view text) {
  if (text.empty() || !(is_lower(text[0]) || is_digit(text[0]))) return 0;
  const std::size_t length =
      run(text, kMaxName, [](char c) { return (is_word(c) && !is_upper(c)) || c == '.' || c == '-' || c == '@'; });
  const std::string_view name = text.substr(0, length);
  const std::size_t bar = std::min(text.find_first_not_of(' ', length), text.size());
  if (name.empty() || bar == length || bar == text.size() || text[bar] != '|') return 0;
  const std::size_t number = name.find_last_not_of("0123456789");
  const bool numbered = number != name.npos && number + 1 < name.size() &&
                        (name[number] == '-' || name[number] == '_' || name[number] == '.');
  const bool padded = bar - length >= 2 && is_lower(name[0]);
  return numbered || padded ? length : 0;
}

std::size_t letters_length(std::string_view text) {
  return run(text, kMaxName, [](char c) { return is_lower(c) || is_upper(c); });
}

std::size_t stream_length(std::string_view text) {
  for (std::string_view stream : {"stdout", "stderr", "stddiag"}) {
    if (text.starts_with(stream)) return stream.size();
  }
  return 0;
}

std::size_t flag_length(std::string_view text) {
  return !text.empty() && (text[0] == ' ' || is_lower(text[0]) || is_upper(text[0])) ? 1 : 0;
}

std::size_t spaces_length(std::string_view text) {
  return run(text, kMaxName, [](char c) { return c == ' ' || c == '\t'; });
}

std::size_t seconds_length(std::string_view text) {
  const std::size_t length = run(text, kMaxDigits, [](char c) { return is_digit(c) || c == '.'; });
  const std::size_t point = text.substr(0, length).find('.');
  return point == text.npos || point == 0 || point + 1 == length ? 0 : length;
}

std::size_t step_seconds_length(std::string_view text) {
  constexpr std::size_t kLength = 5;
  constexpr std::string_view kUnits[] = {"GiB", "MiB", "KiB", "GB", "MB", "KB", "GHz", "MHz", "ms",  "us", "ns",
                                         "s",   "sec", "x",   "it", "W",  "C",  "is",  "to",  "and", "of", "in"};
  const bool is_number = seconds_length(text) == kLength && std::ranges::count(text.substr(0, kLength), '.') == 1;
  if (!is_number) return 0;
  std::string_view next = text.substr(kLength);
  next.remove_prefix(std::min(next.find_first_not_of(' '), next.size()));
  const bool is_text = !next.empty() && next.size() < text.size() - kLength && !is_digit(next[0]) && next[0] != '-';
  const std::string_view unit = next.substr(0, letters_length(next));
  const bool is_unit = std::ranges::find(kUnits, unit) != std::end(kUnits);
  return is_text && !is_unit ? kLength : 0;
}

std::size_t gap_length(std::string_view text) {
  const std::size_t spaces = std::min(text.find_first_not_of(' '), text.size());
  return spaces % 2;
}

std::size_t rest_length(std::string_view text) {
  return text.size();
}

}  // namespace cutopsy
