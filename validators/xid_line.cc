#include "validators/xid_line.h"

#include <charconv>
#include <cstddef>

#include "validators/pci_devices.h"

namespace cutopsy {

std::optional<Xid> xid_in(std::string_view line) {
  static constexpr std::string_view kMark = "NVRM: Xid (";
  const std::size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  line.remove_prefix(mark + kMark.size());
  const std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view device = line.substr(0, close);
  Xid xid{pci_address(device.substr(0, device.find(' '))), 0};
  line.remove_prefix(close + 3);
  if (std::from_chars(line.data(), line.data() + line.size(), xid.number).ec != std::errc()) return std::nullopt;
  return xid;
}

}  // namespace cutopsy
