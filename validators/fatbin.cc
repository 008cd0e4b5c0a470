#include "validators/fatbin.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "validators/binary_file.h"

namespace cutopsy {

namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::size_t kContainerHeader = 16;
constexpr std::size_t kImageHeader = 64;  // the shortest; later toolkits append to it
constexpr std::uint64_t kAlignment = 8;

constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint16_t kCubinInCapsule = 16;  // "Mercury" code of later toolkits
constexpr std::uint64_t kSpecificFlag = 1ULL << 20;
constexpr std::uint64_t kFamilyFlag = 1ULL << 21;

// Some 30 times what the largest library of CUDA 13 has (libcublasLt.so).
constexpr std::size_t kMostHeaders = 200'000;
constexpr std::uint64_t kMostSearched = 64ULL << 20;  // bytes between containers
constexpr unsigned kMostArchitecture = 999;

// Chips whose machine code and that of others do not mix.
constexpr std::array kTegra = {53U, 62U, 72U, 87U};

template <typename T>
T field(const std::array<unsigned char, kImageHeader>& header, std::size_t offset) {
  T value{};
  std::memcpy(&value, header.data() + offset, sizeof value);
  return value;
}

bool is_tegra(unsigned architecture) {
  return std::find(kTegra.begin(), kTegra.end(), architecture) != kTegra.end();
}

DeviceImage image_of(const std::array<unsigned char, kImageHeader>& header) {
  DeviceImage image;
  const auto kind = field<std::uint16_t>(header, 0);
  if (kind == kPtx) image.kind = DeviceImage::Kind::ptx;
  if (kind == kCubin || kind == kCubinInCapsule) image.kind = DeviceImage::Kind::cubin;
  image.architecture = field<std::uint32_t>(header, 28);
  const auto flags = field<std::uint64_t>(header, 40);
  if (flags & kFamilyFlag) image.scope = DeviceImage::Scope::family;
  if (flags & kSpecificFlag) image.scope = DeviceImage::Scope::specific;
  return image;
}

void sort_unique(std::vector<DeviceImage>& images) {
  std::sort(images.begin(), images.end());
  images.erase(std::unique(images.begin(), images.end()), images.end());
}

// Walks the containers of one part of a file.
class Walk {
 public:
  Walk(const BinaryFile& file, FileRange range, bool relocatable, DeviceCode& code)
      : file_(file), end_(range.offset + range.size), at_(range.offset), relocatable_(relocatable), code_(code) {}

  void run() {
    while (find_container()) read_container();
  }

 private:
  // Moves to the next container; false at the end.
  bool find_container() {
    std::array<unsigned char, 4096> block{};
    while (at_ < end_ && end_ - at_ >= kContainerHeader) {
      const std::size_t bytes = std::min<std::uint64_t>(block.size(), end_ - at_);
      if (searched_ > kMostSearched || !file_.read(at_, block.data(), bytes)) {
        code_.complete = false;
        return false;
      }
      for (std::size_t i = 0; i + kContainerHeader <= bytes; i += kAlignment) {
        std::uint32_t magic = 0;
        std::memcpy(&magic, block.data() + i, sizeof magic);
        if (magic != kMagic) continue;
        at_ += i;
        return true;
      }
      const std::uint64_t step = bytes < block.size() ? bytes : bytes - kAlignment;
      at_ += step;
      searched_ += step;
    }
    return false;
  }

  void read_container() {
    std::array<unsigned char, kImageHeader> header{};
    if (headers_ > kMostHeaders || !file_.read(at_, header.data(), kContainerHeader)) return give_up();
    const std::uint64_t start = at_ + std::max<std::uint64_t>(field<std::uint16_t>(header, 6), kContainerHeader);
    const auto size = field<std::uint64_t>(header, 8);
    ++headers_;
    if (start > end_ || size > end_ - start) {
      code_.complete = false;
      at_ += kAlignment;
      return;
    }
    std::vector<DeviceImage> images;
    std::uint64_t image = start;
    const std::uint64_t stop = start + size;
    while (stop - image >= kImageHeader) {
      if (++headers_ > kMostHeaders || !file_.read(image, header.data(), header.size())) return give_up();
      const std::uint64_t code_at = image + field<std::uint32_t>(header, 4);
      const auto code_size = field<std::uint64_t>(header, 8);
      if (code_at < image + kImageHeader || code_at > stop || code_size > stop - code_at) {
        code_.complete = false;
        break;
      }
      const DeviceImage found = image_of(header);
      if (found.architecture <= kMostArchitecture) images.push_back(found);
      image = code_at + code_size;
    }
    add(std::move(images));
    at_ = (stop + kAlignment - 1) / kAlignment * kAlignment;
  }

  void give_up() {
    code_.complete = false;
    at_ = end_;
  }

  void add(std::vector<DeviceImage> images) {
    if (images.empty()) return;
    sort_unique(images);
    const auto same = std::find_if(code_.groups.begin(), code_.groups.end(), [&](const ContainerGroup& group) {
      return group.relocatable == relocatable_ && group.images == images;
    });
    if (same == code_.groups.end()) {
      code_.groups.push_back({std::move(images), relocatable_, 1});
    } else {
      ++same->containers;
    }
  }

  const BinaryFile& file_;
  std::uint64_t end_;
  std::uint64_t at_;
  bool relocatable_;
  DeviceCode& code_;
  std::size_t headers_ = 0;
  std::uint64_t searched_ = 0;
};

}  // namespace

std::optional<ComputeCapability> ComputeCapability::parse(std::string_view text) {
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  while (!text.empty() && (text.back() == 'a' || text.back() == 'f')) text.remove_suffix(1);
  std::string digits(text);
  const std::size_t dot = digits.find('.');
  if (dot == std::string::npos ? digits.size() < 2 : dot == 0 || dot + 2 != digits.size()) return std::nullopt;
  if (dot != std::string::npos) digits.erase(dot, 1);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  // 520 and 1200 are __CUDA_ARCH__'s way to write 5.2 and 12.0; no capability is near 20.0.
  if (dot == std::string::npos && number >= 200 && number % 10 == 0) number /= 10;
  if (number > kMostArchitecture) return std::nullopt;
  return ComputeCapability{number / 10, number % 10};
}

std::string DeviceImage::name() const {
  static constexpr std::array<std::string_view, 3> kPrefix = {"compute_", "sm_", "other_"};
  static constexpr std::array<std::string_view, 3> kSuffix = {"", "f", "a"};
  return std::string(kPrefix[static_cast<std::size_t>(kind)]) + std::to_string(architecture) +
         std::string(kSuffix[static_cast<std::size_t>(scope)]);
}

Fit fit(const DeviceImage& image, ComputeCapability gpu) {
  const ComputeCapability made_for{image.architecture / 10, image.architecture % 10};
  if (image.kind == DeviceImage::Kind::other || made_for > gpu) return Fit::no;
  if (made_for == gpu) return Fit::yes;
  if (image.scope == DeviceImage::Scope::specific) return Fit::no;
  const bool same_family = made_for.major == gpu.major;
  if (image.kind == DeviceImage::Kind::ptx) {
    return image.scope == DeviceImage::Scope::general || same_family ? Fit::yes : Fit::no;
  }
  if (!same_family) return Fit::no;
  return is_tegra(image.architecture) || is_tegra(gpu.major * 10 + gpu.minor) ? Fit::unsure : Fit::yes;
}

std::size_t DeviceCode::containers() const {
  std::size_t count = 0;
  for (const ContainerGroup& group : groups) count += group.containers;
  return count;
}

std::vector<DeviceImage> DeviceCode::images() const {
  std::vector<DeviceImage> all;
  for (const ContainerGroup& group : groups) all.insert(all.end(), group.images.begin(), group.images.end());
  sort_unique(all);
  return all;
}

std::optional<DeviceCode> read_device_code(const std::string& path, std::string* why_not) {
  const auto file = BinaryFile::open(path, why_not);
  if (!file) return std::nullopt;
  DeviceCode code;
  const auto elf = ElfFile::parse(*file);
  if (!elf) {
    std::uint32_t magic = 0;
    if (file->read(0, &magic, sizeof magic) && magic == kMagic) Walk(*file, {0, file->size()}, false, code).run();
    return code;
  }
  for (const FileRange& range : elf->sections(".nv_fatbin")) Walk(*file, range, false, code).run();
  for (const FileRange& range : elf->sections("__nv_relfatbin")) Walk(*file, range, true, code).run();
  return code;
}

std::string list_images(const std::vector<DeviceImage>& images) {
  std::string list;
  for (const DeviceImage& image : images) list += (list.empty() ? "" : ", ") + image.name();
  return list;
}

}  // namespace cutopsy
