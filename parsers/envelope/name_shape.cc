#include "parsers/envelope/name_shape.h"

#include <algorithm>

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
  return run(text, kMaxName, [](char c) { return is_word(c) || c == '.' || c == '-' || c == '@'; });
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
  constexpr std::string_view kOut = "stdout";
  return text.starts_with(kOut) || text.starts_with("stderr") ? kOut.size() : 0;
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

}  // namespace cutopsy
