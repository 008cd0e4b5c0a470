// The number formats that a GPU multiplies matrices in, as bits.
//
// fp16 and fp32: IEEE 754 binary16 and binary32. bf16: the upper half of binary32. tf32: binary32 of which only the
// upper 19 bits count (CUDA programming guide, "Alternate floating point"). fp8 is E4M3 of "FP8 formats for deep
// learning", https://arxiv.org/abs/2209.05433: without infinities, with one NaN of each sign.
#pragma once

#include <cstdint>
#include <cstring>

namespace cutopsy::kernels {

enum class Format { fp32, tf32, fp16, bf16, fp8 };

/// Sign, exponent and fraction, from the highest bit down; bits below them are zero.
struct FormatLayout {
  unsigned storage_bits;
  unsigned exponent_bits;
  unsigned fraction_bits;

  constexpr unsigned bias() const { return (1U << (exponent_bits - 1)) - 1; }
  constexpr unsigned unused_bits() const { return storage_bits - 1 - exponent_bits - fraction_bits; }
  /// How many numbers a 32-bit word holds, the first in its lowest bits.
  constexpr unsigned per_word() const { return 32 / storage_bits; }
};

constexpr FormatLayout layout_of(Format format) {
  switch (format) {
    case Format::fp32:
      return {32, 8, 23};
    case Format::tf32:
      return {32, 8, 10};
    case Format::fp16:
      return {16, 5, 10};
    case Format::bf16:
      return {16, 8, 7};
    case Format::fp8:
      break;
  }
  return {8, 4, 3};
}

inline float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The value of a finite number.
inline float decode(Format format, std::uint32_t bits) {
  const FormatLayout layout = layout_of(format);
  bits >>= layout.unused_bits();
  if (layout.exponent_bits == 8) return float_of_bits(bits << (23 - layout.fraction_bits));
  const std::uint32_t fraction = bits & ((1U << layout.fraction_bits) - 1);
  const std::uint32_t exponent = bits >> layout.fraction_bits & ((1U << layout.exponent_bits) - 1);
  const bool negative = (bits >> (layout.fraction_bits + layout.exponent_bits) & 1) != 0;
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1U << layout.fraction_bits;
  const std::uint32_t power = (exponent == 0 ? 1 : exponent) + 127 - layout.bias() - layout.fraction_bits;
  const float size = static_cast<float>(significand) * float_of_bits(power << 23);
  return negative ? -size : size;
}

/// The bits of a value that the format can hold exactly, and as a normal number or zero.
inline std::uint32_t encode(Format format, float value) {
  const FormatLayout layout = layout_of(format);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 31;
  std::uint32_t size = 0;
  if (value != 0) {
    const std::uint32_t exponent = (bits >> 23 & 0xFF) - 127 + layout.bias();
    size = exponent << layout.fraction_bits | (bits & 0x7FFFFF) >> (23 - layout.fraction_bits);
  }
  return (sign << (layout.exponent_bits + layout.fraction_bits) | size) << layout.unused_bits();
}

}  // namespace cutopsy::kernels
