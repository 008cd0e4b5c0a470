#include "kernels/image.h"

namespace cutopsy::kernels {

bool multiplies_by_warpgroup() {
#ifdef CUTOPSY_WGMMA
  return true;
#else
  return false;
#endif
}

}  // namespace cutopsy::kernels

// The build defines CUTOPSY_FATBIN and CUTOPSY_LOWERED_PTX, the paths of both forms, where there is a CUDA compiler.
#ifdef CUTOPSY_FATBIN

// GNU assembler and ELF, as on every system that CUDA for Linux runs on.
__asm__(
    ".pushsection .rodata\n"
    ".balign 64\n"
    "cutopsy_fatbin_begin:\n"
    ".incbin \"" CUTOPSY_FATBIN
    "\"\n"
    "cutopsy_fatbin_end:\n"
    ".balign 64\n"
    "cutopsy_lowered_begin:\n"
    ".incbin \"" CUTOPSY_LOWERED_PTX
    "\"\n"
    "cutopsy_lowered_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const std::byte cutopsy_fatbin_begin[];
__attribute__((visibility("hidden"))) extern const std::byte cutopsy_fatbin_end[];
__attribute__((visibility("hidden"))) extern const char cutopsy_lowered_begin[];
__attribute__((visibility("hidden"))) extern const char cutopsy_lowered_end[];
}

namespace cutopsy::kernels {

std::span<const std::byte> kernel_image() {
  return {cutopsy_fatbin_begin, cutopsy_fatbin_end};
}

std::string_view lowered_ptx() {
  return {cutopsy_lowered_begin, cutopsy_lowered_end};
}

}  // namespace cutopsy::kernels

#else

namespace cutopsy::kernels {

std::span<const std::byte> kernel_image() {
  return {};
}

std::string_view lowered_ptx() {
  return {};
}

}  // namespace cutopsy::kernels

#endif
