// Libraries with device code, as they lie on a disk that nobody checked.
#include "tests/fuzz/memory_file.h"
#include "validators/binary_file.h"
#include "validators/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  const MemoryFile file(bytes_of(data, size));
  std::string why_not;
  const auto code = read_device_code(file.path(), &why_not);
  require(code.has_value(), "a regular file can be read", why_not);
  for (const ContainerGroup& group : code->groups)
    require(!group.images.empty() && group.containers > 0, "a group has images");
  list_images(code->images());
  for (const DeviceImage& image : code->images()) fit(image, {9, 0});

  const auto opened = BinaryFile::open(file.path(), &why_not);
  const auto elf = ElfFile::parse(*opened);
  if (!elf) return 0;
  for (const FileRange& range : elf->sections(".text"))
    require(range.offset <= size && range.size <= size - range.offset, "a section lies within the file");
  require(elf->function("cuInit", 64).size() <= 64, "a function's code is no longer than was asked for");
  ComputeCapability::parse(bytes_of(data, size));
  return 0;
}
