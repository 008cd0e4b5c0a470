// What the simulated library exports: the compiler holds each definition against the product's own table.
#pragma once

#include "validators/nvml_abi.h"

namespace cutopsy::fake {

#define CUTOPSY_NVML_DECLARATION(name, ...) extern "C" int nvml##name(__VA_ARGS__);
CUTOPSY_NVML_FUNCTIONS(CUTOPSY_NVML_DECLARATION)
#undef CUTOPSY_NVML_DECLARATION

}  // namespace cutopsy::fake
