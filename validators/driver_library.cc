#include "validators/driver_library.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "validators/binary_file.h"

namespace cutopsy {

namespace {

constexpr std::size_t kLongestStub = 32;  // bytes; CUDA 13.0 has 11

// The instruction that puts 34 into the register of the result: mov eax, 34 and mov w0, 34.
constexpr std::array<unsigned char, 5> kReturn34X8664 = {0xb8, 0x22, 0, 0, 0};
constexpr std::array<unsigned char, 4> kReturn34Aarch64 = {0x40, 0x04, 0x80, 0x52};

template <std::size_t kBytes>
bool contains(const std::vector<unsigned char>& code, const std::array<unsigned char, kBytes>& instruction) {
  return std::search(code.begin(), code.end(), instruction.begin(), instruction.end()) != code.end();
}

bool initialises_as_stub(const std::string& path) {
  std::string why_not;
  const auto file = BinaryFile::open(path, &why_not);
  const auto elf = file ? ElfFile::parse(*file) : std::nullopt;
  if (!elf) return false;
  const std::vector<unsigned char> code = elf->function("cuInit", kLongestStub + 1);
  if (code.size() > kLongestStub) return false;
  return (elf->machine() == EM_X86_64 && contains(code, kReturn34X8664)) ||
         (elf->machine() == EM_AARCH64 && contains(code, kReturn34Aarch64));
}

}  // namespace

bool is_stub_driver(const FoundLibrary& library, const std::string& path) {
  return library.is_below("stubs") || initialises_as_stub(path);
}

bool is_compat_driver(const FoundLibrary& library) {
  return library.is_below("compat") || library.is_below("cuda-compat");
}

}  // namespace cutopsy
