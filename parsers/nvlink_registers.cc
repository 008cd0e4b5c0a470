// Source: https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html, WORKFLOW_NVLINK_ERR. The catalogue
// vouches for the first, third, fourth and fifth register of Hopper; other generations share most of the bits.
#include "parsers/nvlink_registers.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cutopsy {
namespace {

constexpr std::size_t kRegisters = 7;

constexpr std::uint32_t bits(std::initializer_list<int> numbers) {
  std::uint32_t word = 0;
  for (const int number : numbers) word |= 1U << number;
  return word;
}

struct Meaning {
  std::string_view finding;
  std::size_t in_register;
  std::uint32_t mask;
};

// The gravest first.
constexpr Meaning kMeanings[] = {
    {"ecc or parity", 0, bits({4, 5})},
    {"ecc or parity", 2, bits({0, 1, 2, 6})},
    {"ecc or parity", 4, bits({18, 19, 21, 22, 24, 25, 27, 28})},
    {"mechanical", 0, bits({8, 9, 12, 16, 17, 24, 28})},
    {"signal", 0, bits({21, 22})},
    {"fabric reset", 3, bits({18})},
    {"repeating", 0, bits({27, 29})},
    {"repeating", 2, bits({13, 16, 17, 18, 19})},
};
constexpr Meaning kMild[] = {
    {"secondary", 0, bits({1, 20})},
    {"secondary", 3, bits({16, 17})},
    {"corrected", 4, bits({20, 23, 26, 29})},
    {"ignorable", 0, bits({0, 23, 30})},
};

using Registers = std::array<std::uint32_t, kRegisters>;

// "0x0, 0x0, 0x10000, ..."
std::optional<Registers> read(std::string_view text) {
  Registers registers{};
  for (std::size_t i = 0; i < kRegisters; ++i) {
    if (!text.starts_with("0x")) return std::nullopt;
    text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), registers[i], 16);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(end - text.data());
    if (i + 1 < kRegisters && text.starts_with(", ")) text.remove_prefix(2);
  }
  return text.empty() ? std::optional(registers) : std::nullopt;
}

std::string list_of(const Registers& registers) {
  std::string list;
  for (std::size_t i = 0; i < kRegisters; ++i)
    for (int bit = 0; bit < 32; ++bit)
      if (registers[i] >> bit & 1) list += (list.empty() ? "" : ",") + std::to_string(i) + ":" + std::to_string(bit);
  return list;
}

std::string_view first_of(std::span<const Meaning> meanings, const Registers& registers) {
  for (const Meaning& meaning : meanings)
    if (registers[meaning.in_register] & meaning.mask) return meaning.finding;
  return "";
}

bool has_unlisted_bits(Registers registers) {
  for (const Meaning& meaning : kMeanings) registers[meaning.in_register] &= ~meaning.mask;
  for (const Meaning& meaning : kMild) registers[meaning.in_register] &= ~meaning.mask;
  return registers != Registers{};
}

}  // namespace

void decode_nvlink_registers(Fields& fields) {
  const auto registers = read(fields.get("registers"));
  if (!registers || *registers == Registers{}) return;
  fields.set("bits", list_of(*registers));
  std::string_view finding = first_of(kMeanings, *registers);
  if (finding.empty()) finding = has_unlisted_bits(*registers) ? "unlisted" : first_of(kMild, *registers);
  fields.set("finding", finding);
}

}  // namespace cutopsy
