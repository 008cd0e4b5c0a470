// Compressed logs and archives, from a file and from a pipe: each fault is a SourceError, and bombs end.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/source/input.h"
#include "tests/fuzz/memory_file.h"

namespace cutopsy {
namespace {

constexpr UnpackingBounds kBounds = {.free_bytes = 1 << 20, .ratio = 250, .members = 200};

void check_name(const std::string& name) {
  require(name.find("/../") == name.npos && !name.ends_with("/.."), "no member's name leads out of its archive", name);
  require(std::ranges::none_of(name, [](unsigned char c) { return std::iscntrl(c) != 0; }),
          "no member's name has control characters", name);
}

std::size_t read_all(ByteSource& text) {
  std::vector<char> buffer(16 * 1024);
  std::size_t all = 0;
  while (const std::size_t bytes = text.read(buffer)) {
    require(bytes <= buffer.size(), "a read gives no more than was asked for");
    all += bytes;
  }
  return all;
}

void read(const InputTexts& texts, std::size_t packed) {
  std::size_t all = 0;
  const auto see = [&](const ArchiveMember& member) {
    check_name(member.name);
    try {
      all += read_all(member.text);
    } catch (const SourceError&) {
    }
  };
  try {
    texts.read(see);
  } catch (const SourceError&) {
  }
  require(all <= kBounds.free_bytes + (packed + 1) * kBounds.ratio, "an input unpacks to no more than it may");
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  const std::string_view bytes = bytes_of(data, size);
  const MemoryFile file(bytes);
  for (std::size_t part : {0, 1}) {
    InputTexts texts{file.path(), std::make_shared<UnpackingLimit>("fuzz", kBounds)};
    texts.part = {part, 2};
    read(texts, size);
  }
  InputTexts pipe{"-", std::make_shared<UnpackingLimit>("fuzz", kBounds)};
  pipe.open_stdin = [&] { return open_text(std::string(bytes)); };
  read(pipe, size);
  return 0;
}
