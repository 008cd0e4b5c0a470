#include "tests/fake_gpu/cuda/image.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fake_gpu/cuda/abi.h"

namespace cutopsy::fake {

namespace {

constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::string_view kElfMagic{
    "\x7f"
    "ELF"};
constexpr std::uint16_t kCudaMachine = 190;  // EM_CUDA of elf(5)
// The ABI version of a cubin (EI_ABIVERSION) that CUDA 13 writes; drivers before refuse it.
constexpr int kAbiOfCuda13 = 8;

struct Wrapper {
  std::uint32_t magic, version;
  const void* fatbin;
  const void* unused;
};

struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t entries_bytes;
};

struct FatbinEntry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t compressed_bytes;  // 0 when it is not
  std::uint32_t unused;
  std::uint16_t minor, major;  // PTX: its version; ELF: the ABI's version and 1
  std::uint32_t architecture;
};
static_assert(sizeof(FatbinHeader) == 16 && sizeof(FatbinEntry) == 32);

enum : std::uint16_t { kPtx = 1, kElf = 2 };

template <typename T>
T read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Ready-made code runs on its own major architecture from its own minor on.
bool runs_on(int architecture, int compute_capability) {
  return architecture / 10 == compute_capability / 10 && architecture <= compute_capability;
}

bool elf_too_new(int abi, int cuda_version) {
  return abi >= kAbiOfCuda13 && cuda_version < 13000;
}

Image refused(int status, std::string log = "") {
  Image image;
  image.status = status;
  image.log = std::move(log);
  return image;
}

Image choose_elf(const char* elf, const Loader& loader) {
  if (read<std::uint16_t>(elf + 18) != kCudaMachine || loader.force_jit) return refused(status::invalid_image);
  const int abi = elf[8];
  // e_flags: the architecture in bits 8 to 15 since ABI 8, in bits 0 to 7 before.
  const auto flags = read<std::uint32_t>(elf + 48);
  const int architecture = static_cast<int>(abi >= kAbiOfCuda13 ? (flags >> 8) & 0xff : flags & 0xff);
  if (elf_too_new(abi, loader.cuda_version)) return refused(status::invalid_image);
  if (!runs_on(architecture, loader.compute_capability)) return refused(status::no_binary_for_gpu);
  const auto sections = read<std::uint64_t>(elf + 40);
  const std::size_t bytes = sections + std::size_t{read<std::uint16_t>(elf + 58)} * read<std::uint16_t>(elf + 60);
  return {0, "", true, {elf, bytes}, architecture};
}

// The number behind a directive: ".version 8.7" is 87, ".target sm_75" is 75; -1 without one.
int directive(std::string_view ptx, const char* form) {
  const std::string_view word(form, std::strcspn(form, " "));
  const std::size_t at = ptx.find(word);
  if (at == std::string_view::npos) return -1;
  int major = 0;
  int minor = -1;
  const int found = std::sscanf(std::string(ptx.substr(at, 40)).c_str(), form, &major, &minor);
  if (found < 1) return -1;
  return minor < 0 ? major : 10 * major + minor;
}

Image choose_ptx(std::string_view ptx, const Loader& loader) {
  const int version = directive(ptx, ".version %d.%d");
  const int target = directive(ptx, ".target sm_%d");
  if (version < 0 || target < 0 || directive(ptx, ".address_size %d") != 64) {
    return refused(status::invalid_ptx, "ptxas fatal   : Missing .version, .target or .address_size");
  }
  if (loader.disable_jit) return refused(status::jit_compilation_disabled);
  if (version > newest_ptx(loader.cuda_version)) {
    return refused(status::unsupported_ptx_version, "ptxas fatal   : Unsupported .version");
  }
  if (target > loader.compute_capability) {
    return refused(status::invalid_ptx, "ptxas fatal   : SM version of .target is higher than the device's");
  }
  return {0, "", false, ptx, target};
}

struct Best {
  int elf = 0;
  int ptx = 0;
  Image image;
};

void consider(const char* at, const FatbinEntry& entry, const Loader& loader, Best& best) {
  const auto architecture = static_cast<int>(entry.architecture);
  const std::string_view code =
      entry.compressed_bytes == 0 ? std::string_view(at + entry.header_bytes, entry.bytes) : "";
  if (entry.kind == kElf && !loader.force_jit && runs_on(architecture, loader.compute_capability)) {
    if (elf_too_new(entry.minor, loader.cuda_version)) {
      if (best.image.status == status::no_binary_for_gpu) best.image.status = status::invalid_image;
    } else if (architecture > best.elf) {
      best.elf = architecture;
      best.image = {0, "", true, code, architecture};
    }
  }
  if (entry.kind == kPtx && best.elf == 0 && architecture <= loader.compute_capability && architecture > best.ptx) {
    if (loader.disable_jit) {
      best.image.status = status::jit_compilation_disabled;
    } else if (10 * entry.major + entry.minor > newest_ptx(loader.cuda_version)) {
      best.image.status = status::unsupported_ptx_version;
    } else {
      best.ptx = architecture;
      best.image = {0, "", false, code, architecture};
    }
  }
}

Image choose_fatbin(const char* fatbin, const Loader& loader) {
  const auto header = read<FatbinHeader>(fatbin);
  const char* at = fatbin + header.header_bytes;
  const char* const end = at + header.entries_bytes;
  Best best;
  best.image.status = status::no_binary_for_gpu;
  while (at + sizeof(FatbinEntry) <= end) {
    const auto entry = read<FatbinEntry>(at);
    if (entry.header_bytes < sizeof(FatbinEntry)) return refused(status::invalid_image);
    consider(at, entry, loader, best);
    at += entry.header_bytes + entry.bytes;
  }
  return best.image;
}

}  // namespace

bool Image::has_kernel(std::string_view name) const {
  if (code.empty()) return true;
  if (compiled) return code.find(".text." + std::string(name) + '\0') != std::string_view::npos;
  const std::size_t at = code.find(".entry " + std::string(name));
  return at != std::string_view::npos && code.substr(at + 7 + name.size()).find_first_of(" (\n") == 0;
}

Image choose_image(const void* image, const Loader& loader) {
  const auto* bytes = static_cast<const char*>(image);
  const auto magic = read<std::uint32_t>(bytes);
  if (magic == kFatbinMagic) return choose_fatbin(bytes, loader);
  if (magic == kWrapperMagic) {
    const auto* inner = static_cast<const char*>(read<Wrapper>(bytes).fatbin);
    return read<std::uint32_t>(inner) == kFatbinMagic ? choose_fatbin(inner, loader) : refused(status::invalid_image);
  }
  if (std::string_view(bytes, 4) == kElfMagic) return choose_elf(bytes, loader);
  // Anything else is taken for text, as drivers do.
  if (magic == 0 || (bytes[0] != '/' && bytes[0] != '.' && bytes[0] != '\n')) return refused(status::invalid_image);
  return choose_ptx(bytes, loader);
}

int newest_ptx(int cuda_version) {
  struct Row {
    int cuda, ptx;
  };
  static constexpr std::array kRows = {
      Row{13000, 90}, Row{12090, 88}, Row{12080, 87}, Row{12070, 86}, Row{12060, 85}, Row{12040, 84}, Row{12030, 83},
      Row{12020, 82}, Row{12010, 81}, Row{12000, 80}, Row{11080, 78}, Row{11070, 77}, Row{11060, 76}, Row{11050, 75},
      Row{11040, 74}, Row{11030, 73}, Row{11020, 72}, Row{11010, 71}, Row{11000, 70}, Row{10020, 65}, Row{10010, 64},
      Row{10000, 63}, Row{9020, 62},  Row{9010, 61},  Row{9000, 60},  Row{8000, 50}};
  for (const Row& row : kRows) {
    if (cuda_version >= row.cuda) return row.ptx;
  }
  return 0;
}

}  // namespace cutopsy::fake
