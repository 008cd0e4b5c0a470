// Which GPU architectures the device code in a library or program is for, read from the headers around that code.
//
// nvcc puts device code into an ELF file as containers ("fatbins"): each a header of 16 bytes and then images, each a
// header and its (compressed) code. .nv_fatbin holds what the runtime loads, __nv_relfatbin what the driver can still
// link when it loads (relocatable device code). NVIDIA documents the names of the sections (fatbinary_section.h of the
// toolkit) and not the rest. Magic number and fields:
//   https://github.com/GrigoryEvko/nvopen-tools/blob/main/fatbin/FORMAT_SPECIFICATION.md
// The bits for the suffixes `a` and `f` were read off the output of nvcc 13.0 for sm_90a, sm_100a, sm_100f and sm_120f.
//
//   container  0 u32 magic 0xBA55ED50   4 u16 version 1   6 u16 header bytes   8 u64 bytes that follow the header
//   image      0 u16 kind   4 u32 header bytes   8 u64 code bytes with padding   28 u32 architecture   40 u64 flags
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

struct ComputeCapability {
  unsigned major = 0;
  unsigned minor = 0;

  /// Of "9.0", "sm_90", "compute_90" or "90", as logs and libraries print it; no value for other text.
  static std::optional<ComputeCapability> parse(std::string_view text);
  std::string text() const { return std::to_string(major) + "." + std::to_string(minor); }
  auto operator<=>(const ComputeCapability&) const = default;
};

struct DeviceImage {
  enum class Kind : std::uint8_t {
    ptx,    ///< compiled by the driver for any later GPU
    cubin,  ///< machine code
    other,  ///< for the linker only (LTO-IR), or of a kind that we do not know
  };
  enum class Scope : std::uint8_t {
    general,
    family,    ///< suffix f: this GPU and later ones of the same major number
    specific,  ///< suffix a: this GPU alone
  };
  Kind kind = Kind::other;
  unsigned architecture = 0;  ///< 90 for sm_90
  Scope scope = Scope::general;

  std::string name() const;  ///< "sm_90a", "compute_90"
  auto operator<=>(const DeviceImage&) const = default;
};

enum class Fit { no, unsure, yes };

/// Whether an image can run on a GPU: machine code on the same major and the same or a later minor number, PTX on any
/// later GPU, each narrowed by its suffix. Unsure between Tegra and other chips, which are promised nothing:
/// https://docs.nvidia.com/cuda/cuda-c-programming-guide/#binary-compatibility
Fit fit(const DeviceImage& image, ComputeCapability gpu);

/// The containers of a file that hold the same images.
struct ContainerGroup {
  std::vector<DeviceImage> images;  ///< sorted, each once
  bool relocatable = false;         ///< of __nv_relfatbin
  std::size_t containers = 0;
};

struct DeviceCode {
  std::vector<ContainerGroup> groups;
  bool complete = true;  ///< false when a header made no sense or there were too many: more may be in the file

  std::size_t containers() const;
  /// All images of the file, sorted, each once.
  std::vector<DeviceImage> images() const;
};

/// Reads headers alone, so 1 GB takes milliseconds; whatever the bytes, it reads a bounded number of them. No groups
/// for a file without device code; no value when the file cannot be read.
std::optional<DeviceCode> read_device_code(const std::string& path, std::string* why_not);

/// "sm_80, sm_90a, compute_90"
std::string list_images(const std::vector<DeviceImage>& images);

}  // namespace cutopsy
