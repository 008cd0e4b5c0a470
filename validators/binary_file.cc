#include "validators/binary_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace cutopsy {

namespace {

// More than any library has: libtorch_cuda.so has 40 sections, libcuda.so.1 some 2,000 symbols.
constexpr std::size_t kMostSections = 4096;
constexpr std::size_t kMostNameBytes = 1 << 20;
constexpr std::size_t kMostSymbols = 100'000;

// From `offset` on to the string's end, which the table has or gets.
std::string_view text_at(const std::string& table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  return table.c_str() + offset;
}

// A table of strings; empty when there is none.
std::string read_table(const BinaryFile& file, const FileRange& range) {
  std::string table(std::min<std::uint64_t>(range.size, kMostNameBytes), '\0');
  if (!file.read(range.offset, table.data(), table.size())) table.clear();
  return table;
}

}  // namespace

std::optional<BinaryFile> BinaryFile::open(const std::string& path, std::string* why_not) {
  // Not blocking: the path may be a FIFO.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    *why_not = path + " cannot be opened: " + std::strerror(errno);
    return std::nullopt;
  }
  BinaryFile opened(file, 0);
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    *why_not = path + " is no regular file";
    return std::nullopt;
  }
  opened.size_ = static_cast<std::uint64_t>(status.st_size);
  posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);  // headers far apart: what lies between need not come along
  return opened;
}

BinaryFile::BinaryFile(BinaryFile&& other) noexcept : file_(std::exchange(other.file_, -1)), size_(other.size_) {}

BinaryFile::~BinaryFile() {
  if (file_ >= 0) close(file_);
}

bool BinaryFile::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  if (offset > size_ || bytes > size_ - offset) return false;
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = pread(file_, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<ElfFile> ElfFile::parse(const BinaryFile& file) {
  Elf64_Ehdr header{};
  if (!file.read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return std::nullopt;
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 || header.e_shnum > kMostSections) {
    return std::nullopt;
  }
  std::vector<Elf64_Shdr> entries(header.e_shnum);
  if (!file.read(header.e_shoff, entries.data(), entries.size() * sizeof(Elf64_Shdr))) return std::nullopt;

  ElfFile elf;
  elf.file_ = &file;
  elf.machine_ = header.e_machine;
  std::string names;
  if (header.e_shstrndx < entries.size()) {
    const Elf64_Shdr& table = entries[header.e_shstrndx];
    names = read_table(file, {table.sh_offset, table.sh_size});
  }
  for (const Elf64_Shdr& entry : entries) {
    FileRange range{entry.sh_offset, entry.sh_size};
    const bool inside = range.offset <= file.size() && range.size <= file.size() - range.offset;
    if (!inside || entry.sh_type == SHT_NOBITS) range = {};
    elf.sections_.push_back(
        {std::string(text_at(names, entry.sh_name)), entry.sh_type, entry.sh_addr, range, entry.sh_link});
  }
  return elf;
}

std::vector<FileRange> ElfFile::sections(std::string_view name) const {
  std::vector<FileRange> found;
  for (const Section& section : sections_) {
    if (section.name == name && section.range.size > 0) found.push_back(section.range);
  }
  return found;
}

std::vector<unsigned char> ElfFile::function(std::string_view name, std::size_t most) const {
  const auto table = std::find_if(sections_.begin(), sections_.end(),
                                  [](const Section& section) { return section.type == SHT_DYNSYM; });
  if (table == sections_.end() || table->link >= sections_.size()) return {};
  const std::string names = read_table(*file_, sections_[table->link].range);
  std::vector<Elf64_Sym> symbols(std::min<std::size_t>(table->range.size / sizeof(Elf64_Sym), kMostSymbols));
  if (!file_->read(table->range.offset, symbols.data(), symbols.size() * sizeof(Elf64_Sym))) return {};
  for (const Elf64_Sym& symbol : symbols) {
    if (text_at(names, symbol.st_name) != name || symbol.st_shndx >= sections_.size()) continue;
    const Section& home = sections_[symbol.st_shndx];
    if (symbol.st_value < home.address || symbol.st_value - home.address >= home.range.size) continue;
    const std::uint64_t start = symbol.st_value - home.address;
    const std::uint64_t length = std::min({symbol.st_size, home.range.size - start, std::uint64_t{most}});
    std::vector<unsigned char> code(length);
    if (!file_->read(home.range.offset + start, code.data(), code.size())) return {};
    return code;
  }
  return {};
}

}  // namespace cutopsy
