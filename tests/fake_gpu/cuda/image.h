// What a driver makes of a device image: which of its parts runs on a device, or why none does.
//
// Forms: a fat binary (magic 0xBA55ED50) or the wrapper that points to one (0x466243B1, fatbinary_section.h of the
// CUDA Toolkit), a cubin (ELF for machine 190), PTX as text. The entries of a fat binary have no public description;
// their layout here is what nvcc 13.0 writes and other readers found:
// https://github.com/n-eiling/cuda-fatbin-decompression
#pragma once

#include <string>
#include <string_view>

namespace cutopsy::fake {

/// The device and driver that an image meets.
struct Loader {
  int compute_capability = 90;  ///< 10 * major + minor
  int cuda_version = 13000;     ///< as cuDriverGetVersion()
  bool force_jit = false;       ///< CUDA_FORCE_PTX_JIT: ready-made code is passed over
  bool disable_jit = false;     ///< CUDA_DISABLE_PTX_JIT
};

struct Image {
  int status = 0;         ///< CUresult; 0 when a part was found
  std::string log;        ///< what the JIT compiler would write about a failure
  bool compiled = false;  ///< a cubin was chosen, not PTX
  std::string_view code;  ///< the part; "" when it is compressed and cannot be searched
  int architecture = 0;   ///< 10 * major + minor of the part

  /// Whether the part has a kernel of that name. A compressed part has every name.
  bool has_kernel(std::string_view name) const;
};

/// `image` as cuModuleLoadData takes it, in memory that stays.
Image choose_image(const void* image, const Loader& loader);

/// The newest PTX version that a driver takes, as 10 * major + minor: PTX ISA, release notes,
/// https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes
int newest_ptx(int cuda_version);

}  // namespace cutopsy::fake
