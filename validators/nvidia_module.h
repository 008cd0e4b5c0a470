// NVIDIA's kernel module, as /proc and /sys show it.
#pragma once

#include <optional>
#include <string>

#include "validators/host.h"

namespace cutopsy {

struct NvidiaModule {
  std::string version;       ///< "550.54.14"; "" when only its presence is known
  std::optional<bool> open;  ///< the open one ("Open Kernel Module" in its banner); no value when the banner is hidden
};

/// The one that is loaded; no value when none is, or where /proc and /sys are hidden.
/// From /proc/driver/nvidia/version ("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  565.77  Release Build
/// ...": kernel-open/nvidia/nv-procfs.c in https://github.com/NVIDIA/open-gpu-kernel-modules) and /sys/module/nvidia.
std::optional<NvidiaModule> nvidia_module(const Host& host);

}  // namespace cutopsy
