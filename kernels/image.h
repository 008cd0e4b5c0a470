// The device kernels as part of the binary, in the forms that cuModuleLoadDataEx takes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace cutopsy::kernels {

/// A fatbin: machine code for every architecture that the building toolkit knows, PTX of its lowest and its highest.
/// Aligned to 64 bytes. Empty when this program was built without a CUDA compiler.
std::span<const std::byte> kernel_image();

/// The same kernels as PTX 6.0 for sm_50: for drivers older than the toolkit (CUDA 9.0 on) and for devices older than
/// its lowest architecture. A NUL follows the text. Empty like kernel_image().
std::string_view lowered_ptx();

/// Whether the machine code for compute capability 9.0 multiplies fp8 by wgmma: where the compiler knew how to.
bool multiplies_by_warpgroup();

}  // namespace cutopsy::kernels
