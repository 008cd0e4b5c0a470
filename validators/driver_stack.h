// What stands between a program and the GPU, layer by layer: bus, kernel module, device nodes, library. The lowest one
// that is missing is the one to mend.
#pragma once

#include <string>
#include <vector>

#include "validators/host.h"

namespace cutopsy {

struct Layer {
  std::string name;  ///< "PCI bus", "kernel module", "device nodes", "driver library"
  bool there = false;
  std::string detail;  ///< what was found, or what is missing
  std::string advice;  ///< what to do when it is missing
};

/// The layers, lowest first, from files alone: no driver library is loaded, no device opened.
std::vector<Layer> driver_stack(const Host& host);

}  // namespace cutopsy
