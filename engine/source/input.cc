#include "engine/source/input.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <utility>

#include "engine/source/unpacked_input.h"

namespace cutopsy {
namespace {

// Tells of each byte that is read.
class CountedSource : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> source, std::shared_ptr<UnpackingLimit> limit,
                std::function<void(std::uint64_t)> on_read)
      : source_(std::move(source)), limit_(std::move(limit)), on_read_(std::move(on_read)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t bytes = source_->read(buffer);
    limit_->add_packed(bytes);
    if (on_read_) on_read_(bytes);
    return bytes;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::shared_ptr<UnpackingLimit> limit_;
  std::function<void(std::uint64_t)> on_read_;
};

void refuse(const FileKind& kind, const std::string& name) {
  if (!kind.refusal.empty()) throw SourceError(fmt::format("{}: {}", name, kind.refusal));
}

Archive archive_kind(const std::string& path) {
  std::array<char, kTellingBytes> first{};
  std::size_t have = 0;
  const auto file = open_file(path);
  while (have < first.size()) {
    const std::size_t got = file->read(std::span(first).subspan(have));
    if (got == 0) break;
    have += got;
  }
  return file_kind({first.data(), have}).archive;
}

bool is_regular(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

bool can_be_shared(const std::string& path) {
  try {
    return is_regular(path) && archive_kind(path) == Archive::zip;
  } catch (const SourceError&) {  // told of when it is read
    return false;
  }
}

std::unique_ptr<ByteSource> open_input(const std::string& name) {
  auto limit = std::make_shared<UnpackingLimit>(name);
  auto source = std::make_unique<CountedSource>(name == "-" ? open_stdin() : open_file(name), limit, nullptr);
  UnpackedInput input = unpack(std::move(source), name, limit);
  refuse(input.kind, name);
  if (input.kind.archive != Archive::none) {
    throw SourceError(fmt::format("{}: is an archive; unpack it and name one of its logs", name));
  }
  return std::move(input.bytes);
}

ArchiveNotes InputTexts::read(const ArchiveReader::See& see) const {
  ArchiveReader archive(limit, see);
  if (name != "-" && is_regular(name)) {
    if (const Archive kind = archive_kind(name); kind != Archive::none) {
      archive.read_file(name, kind, part, on_read);
      return archive.notes();
    }
  }
  auto source = name != "-" ? open_file(name) : open_stdin ? open_stdin() : cutopsy::open_stdin();
  const std::string said = name == "-" ? "standard input" : name;
  UnpackedInput input = unpack(std::make_unique<CountedSource>(std::move(source), limit, on_read), said, limit);
  refuse(input.kind, said);
  if (input.kind.archive == Archive::none) {
    see({name, 0, *input.bytes});
  } else {
    archive.read_stream(*input.bytes, name, input.kind.archive);
  }
  return archive.notes();
}

}  // namespace cutopsy
