// Device code as nvcc lays it out, with nothing in it but headers: fatbin containers, and an ELF library around them.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace cutopsy {

struct ImageBytes {
  std::uint16_t kind;  // 1 PTX, 2 machine code, 8 LTO-IR
  std::uint32_t architecture;
  std::uint64_t flags = 0x11;  // 0x100000 for suffix a, 0x200000 for f
  std::uint32_t header = 64;
};

template <typename T>
void put(std::string& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

inline std::string container_bytes(const std::vector<ImageBytes>& images) {
  std::string body;
  for (const ImageBytes& image : images) {
    std::string header(image.header, '\0');
    const std::string code(24, 'x');
    put(header, 0, image.kind);
    put(header, 2, std::uint16_t{0x0101});
    put(header, 4, image.header);
    put(header, 8, std::uint64_t{code.size()});
    put(header, 28, image.architecture);
    put(header, 40, image.flags);
    body += header + code;
  }
  std::string container(16, '\0');
  put(container, 0, std::uint32_t{0xba55ed50});
  put(container, 4, std::uint16_t{1});
  put(container, 6, std::uint16_t{16});
  put(container, 8, std::uint64_t{body.size()});
  return container + body;
}

/// A 64-bit library with these sections, and nothing to run.
inline std::string library_bytes(const std::vector<std::pair<std::string, std::string>>& sections) {
  std::string bytes(sizeof(Elf64_Ehdr), '\0');
  std::string names(1, '\0');
  std::vector<Elf64_Shdr> table(1);
  const auto add = [&](const std::string& name, std::string_view data, std::uint32_t type) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
    Elf64_Shdr section{};
    section.sh_name = static_cast<std::uint32_t>(names.size());
    section.sh_type = type;
    section.sh_offset = bytes.size();
    section.sh_size = data.size();
    names += name + '\0';
    bytes += data;
    table.push_back(section);
  };
  for (const auto& [name, data] : sections) add(name, data, SHT_PROGBITS);
  names += std::string(".shstrtab") + '\0';
  const std::string all_names = names;
  add(".shstrtab", all_names, SHT_STRTAB);
  table.back().sh_name = static_cast<std::uint32_t>(all_names.size() - std::strlen(".shstrtab") - 1);
  bytes.resize((bytes.size() + 7) / 8 * 8);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_shoff = bytes.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(table.size());
  header.e_shstrndx = static_cast<std::uint16_t>(table.size() - 1);
  put(bytes, 0, header);
  bytes.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(Elf64_Shdr));
  return bytes;
}

}  // namespace cutopsy
