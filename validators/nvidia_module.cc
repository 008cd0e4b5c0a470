#include "validators/nvidia_module.h"

#include <sstream>

namespace cutopsy {

namespace {

// The first word that is digits and points: the banner's only one.
std::string version_in(const std::string& banner) {
  std::istringstream words(banner);
  for (std::string word; words >> word;) {
    const bool dotted = word.find('.') != std::string::npos;
    if (dotted && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  return "";
}

}  // namespace

std::optional<NvidiaModule> nvidia_module(const Host& host) {
  if (const auto text = host.value("/proc/driver/nvidia/version")) {
    const std::string banner = text->substr(0, text->find('\n'));
    return NvidiaModule{version_in(banner), banner.find("Open Kernel Module") != std::string::npos};
  }
  if (const auto version = host.value("/sys/module/nvidia/version")) return NvidiaModule{*version, std::nullopt};
  if (host.exists("/sys/module/nvidia")) return NvidiaModule{"", std::nullopt};
  return std::nullopt;
}

}  // namespace cutopsy
