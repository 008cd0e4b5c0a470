#include "tests/fake_gpu/identity.h"

#include <cstdio>
#include <cstdlib>

namespace cutopsy::fake {

Identity identity(const Scenario::Section& gpu, std::size_t index) {
  Identity it;
  it.name = gpu.text("name", "Simulated GPU");
  char text[64];
  std::snprintf(text, sizeof text, "GPU-%08zx-0000-0000-0000-000000000000", index);
  it.uuid = gpu.text("uuid", text);
  std::snprintf(text, sizeof text, "0000:%02zx:00.0", index + 1);
  const std::string pci = gpu.text("pci", text);
  const std::string compute = gpu.text("compute_capability", "9.0");
  if (std::sscanf(pci.c_str(), "%x:%x:%x", &it.pci_domain, &it.pci_bus, &it.pci_device) != 3 ||
      std::sscanf(compute.c_str(), "%d.%d", &it.compute_major, &it.compute_minor) != 2) {
    std::fprintf(stderr, "simulated GPU: not understood: pci = %s, compute_capability = %s\n", pci.c_str(),
                 compute.c_str());
    std::abort();
  }
  it.memory_total = static_cast<std::uint64_t>(gpu.number("memory.total", 64 << 20));
  it.memory_free = static_cast<std::uint64_t>(gpu.number("memory.free", static_cast<std::int64_t>(it.memory_total)));
  return it;
}

}  // namespace cutopsy::fake
