#include "tests/fake_gpu/cuda/cells.h"

#include <algorithm>
#include <cstring>

#include "tests/fake_gpu/cuda/abi.h"
#include "tests/fake_gpu/cuda/fields.h"

namespace cutopsy::fake {

namespace {

constexpr std::uint64_t kWord = 8;

}  // namespace

Cells::Cells(std::byte* memory, const Scenario::Section& gpu) : memory_(memory) {
  add(gpu, "stuck", Kind::stuck);
  add(gpu, "flip", Kind::flip);
  add(gpu, "flip_once", Kind::flip_once);
  add(gpu, "misread_once", Kind::misread_once);
  add(gpu, "misread_cached", Kind::misread_cached);
  add(gpu, "disturbed", Kind::disturbed);
  add(gpu, "uncorrectable", Kind::uncorrectable);
  cache_bytes_ = static_cast<std::uint64_t>(gpu.number("attribute.38", 1 << 20));
  if (gpu.has("alias_bit")) address_lines_ &= ~(1ULL << gpu.number("alias_bit"));
}

void Cells::add(const Scenario::Section& gpu, const char* key, Kind kind) {
  for (const std::string& word : gpu.words(key)) {
    const auto fields = number_fields(word);
    const auto field = [&](std::size_t n, std::uint64_t otherwise) {
      return n < fields.size() ? fields[n] : otherwise;
    };
    faults_.push_back({kind, field(0, 0) & ~(kWord - 1), field(1, 1), field(2, 0)});
  }
}

// Each load keeps the word in the cache for as long again.
bool Cells::still_cached(Fault& fault) {
  const bool cached = fault.last_load == 0 || traffic_ - fault.last_load <= 2 * cache_bytes_;
  fault.last_load = traffic_;
  fault.spent = !cached;
  return cached;
}

std::uint64_t Cells::load_word(std::uint64_t offset) {
  std::uint64_t word = 0;
  traffic_ += kWord;
  std::memcpy(&word, at(offset), kWord);
  for (Fault& fault : faults_) {
    if (fault.offset != (offset & address_lines_) || fault.spent) continue;
    if (fault.kind == Kind::uncorrectable) throw DeviceException{status::ecc_uncorrectable};
    if (fault.kind == Kind::stuck) word = (word & ~fault.mask) | (fault.value & fault.mask);
    if (fault.kind == Kind::misread_once) {
      word ^= fault.mask;
      fault.spent = true;
    }
    if (fault.kind == Kind::misread_cached && still_cached(fault)) word ^= fault.mask;
  }
  return word;
}

void Cells::disturb_neighbours(std::uint64_t offset, std::uint64_t word) {
  std::uint64_t before = 0;
  std::memcpy(&before, at(offset), kWord);
  for (const Fault& fault : faults_) {
    if (fault.kind != Kind::disturbed || fault.offset + 2 * kWord != (offset & address_lines_)) continue;
    std::uint64_t disturbed = 0;
    std::memcpy(&disturbed, memory_ + fault.offset, kWord);
    disturbed |= word & ~before & fault.mask;
    std::memcpy(memory_ + fault.offset, &disturbed, kWord);
  }
}

void Cells::store_word(std::uint64_t offset, std::uint64_t word) {
  disturb_neighbours(offset, word);
  for (Fault& fault : faults_) {
    if (fault.offset != (offset & address_lines_) || fault.spent) continue;
    if (fault.kind == Kind::flip || fault.kind == Kind::flip_once) word ^= fault.mask;
    fault.spent = fault.kind == Kind::flip_once || (fault.kind == Kind::misread_cached && fault.last_load != 0);
  }
  std::memcpy(at(offset), &word, kWord);
}

void Cells::load(std::uint64_t offset, void* value, std::size_t bytes) {
  if (faults_.empty() && address_lines_ == ~0ULL) {
    std::memcpy(value, memory_ + offset, bytes);
    return;
  }
  auto* to = static_cast<std::byte*>(value);
  while (bytes > 0) {
    const std::uint64_t within = offset % kWord;
    const std::size_t part = std::min<std::size_t>(bytes, kWord - within);
    const std::uint64_t word = load_word(offset - within);
    std::memcpy(to, reinterpret_cast<const std::byte*>(&word) + within, part);
    to += part;
    offset += part;
    bytes -= part;
  }
}

void Cells::store(std::uint64_t offset, const void* value, std::size_t bytes) {
  if (faults_.empty() && address_lines_ == ~0ULL) {
    std::memcpy(memory_ + offset, value, bytes);
    return;
  }
  const auto* from = static_cast<const std::byte*>(value);
  while (bytes > 0) {
    const std::uint64_t within = offset % kWord;
    const std::size_t part = std::min<std::size_t>(bytes, kWord - within);
    std::uint64_t word = 0;
    std::memcpy(&word, at(offset - within), kWord);
    std::memcpy(reinterpret_cast<std::byte*>(&word) + within, from, part);
    store_word(offset - within, word);
    from += part;
    offset += part;
    bytes -= part;
  }
}

}  // namespace cutopsy::fake
