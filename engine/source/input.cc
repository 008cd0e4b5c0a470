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

bool is_regular(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

bool can_be_shared(const std::string& path) {
  std::array<char, kTellingBytes> first{};
  try {
    const std::size_t bytes = is_regular(path) ? open_file(path)->read(first) : 0;
    return file_kind({first.data(), bytes}).archive == Archive::zip;
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
  const bool is_stdin = name == "-";
  auto source = !is_stdin ? open_file(name) : open_stdin ? open_stdin() : cutopsy::open_stdin();
  const std::string said = is_stdin ? "standard input" : name;
  UnpackedInput input = unpack(std::make_unique<CountedSource>(std::move(source), limit, on_read), said, limit);
  refuse(input.kind, said);
  ArchiveReader archive(limit, see);
  if (input.kind.archive == Archive::none) {
    see({name, 0, *input.bytes});
  } else if (is_stdin || input.was_compressed || !is_regular(name)) {
    archive.read_stream(*input.bytes, name, input.kind.archive);
  } else {
    input.bytes.reset();
    archive.read_file(name, input.kind.archive, part, on_read);
  }
  return archive.notes();
}

}  // namespace cutopsy
