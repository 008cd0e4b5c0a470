#include "engine/source/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "engine/source/archive_handle.h"
#include "engine/source/interruption.h"
#include "engine/source/log_names.h"
#include "engine/source/unpacked_input.h"

namespace cutopsy {
namespace {

// The data of the member at which the archive stands.
class MemberSource : public ByteSource {
 public:
  MemberSource(ArchiveHandle& handle, std::string name, std::shared_ptr<UnpackingLimit> limit)
      : handle_(handle), name_(std::move(name)), limit_(std::move(limit)) {}

  std::size_t read(std::span<char> buffer) override {
    throw_if_interrupted(name_);
    std::size_t bytes = 0;
    try {
      bytes = handle_.read(buffer);
    } catch (const SourceError& error) {
      throw SourceError(
          fmt::format("{}: is damaged ({}); what could be unpacked before that is reported", name_, error.what()));
    }
    limit_->add_unpacked(bytes);
    return bytes;
  }

 private:
  ArchiveHandle& handle_;
  std::string name_;
  std::shared_ptr<UnpackingLimit> limit_;
};

// The path without what would lead out of the archive, and without control characters: it is only shown.
std::string harmless(std::string path, std::size_t number) {
  std::ranges::replace(path, '\\', '/');
  std::ranges::replace_if(
      path, [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  std::string clean;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = std::string_view(path).substr(begin, end - begin);
    const bool is_drive = begin == 0 && part.size() == 2 && part[1] == ':';
    if (!part.empty() && part != "." && part != ".." && !is_drive) {
      if (!clean.empty()) clean += '/';
      clean += part;
    }
    begin = end + 1;
  }
  return clean.empty() ? fmt::format("member-{}", number + 1) : clean;
}

std::vector<std::string> paths_in(const std::string& path, Archive kind) {
  constexpr std::size_t kMost = 1'000'000;
  std::vector<std::string> paths;
  ArchiveHandle handle(path, kind);
  for (auto step = handle.next(); step != ArchiveHandle::Step::end && paths.size() < kMost; step = handle.next()) {
    paths.push_back(step == ArchiveHandle::Step::member ? harmless(handle.path(), paths.size()) : "");
  }
  return paths;
}

}  // namespace

// One archive on the way to a member.
struct ArchiveReader::Level {
  ArchiveHandle& handle;
  std::string name;
  ArchivePart part = {};
  std::vector<bool> are_steps = {};  // by the numbers of the members; empty when not known
  std::size_t number = 0;            // of the member
  const Level* outer = nullptr;
  std::map<std::string, std::size_t> times_seen = {};  // by path
  std::function<void()> after_member = {};

  std::size_t outer_number() const { return outer ? outer->number : number; }
};

void ArchiveReader::read_file(const std::string& path, Archive kind, ArchivePart part,
                              const std::function<void(std::uint64_t)>& on_read) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (part.number == 0) limit_->add_packed(error ? 0 : size);
  ArchiveHandle handle(path, kind);
  Level level{handle, path};
  level.part = part;
  std::uint64_t told = 0;
  if (kind == Archive::zip) {
    level.are_steps = steps_of_jobs(paths_in(path, kind));
    const std::uint64_t share = size / std::max<std::size_t>(level.are_steps.size(), 1);
    level.after_member = [share, &on_read] {
      if (on_read) on_read(share);
    };
  } else {
    level.after_member = [&] {
      if (on_read) on_read(handle.bytes_read() - told);
      told = handle.bytes_read();
    };
  }
  read_members(level);
}

void ArchiveReader::read_stream(ByteSource& bytes, const std::string& name, Archive kind) {
  ArchiveHandle handle(bytes, kind);
  Level level{handle, name};
  read_members(level);
}

void ArchiveReader::read_members(Level& level) {
  for (bool more = true; more && !limit_->is_reached(); ++level.number) {
    try {
      more = read_next(level);
    } catch (const SourceError& error) {
      notes_.errors.push_back({level.outer_number(), error.what()});
      more = Interruption::signal() == 0;
    }
    if (level.after_member) level.after_member();
  }
}

bool ArchiveReader::read_next(Level& level) {
  throw_if_interrupted(level.name);
  const ArchiveHandle::Step step = level.handle.next();
  if (step == ArchiveHandle::Step::end) return false;
  const bool is_ours = level.number % level.part.of == level.part.number;
  if (is_ours) limit_->add_member();
  if (step == ArchiveHandle::Step::fault) {
    if (!is_ours) return true;
    throw SourceError(
        fmt::format("{}: is damaged ({}); what else could be found is reported", level.name, level.handle.fault()));
  }
  if (level.handle.type() == ArchiveHandle::Type::folder) return true;
  std::string path = harmless(level.handle.path(), level.number);
  if (const std::size_t times = ++level.times_seen[path]; times > 1) path += fmt::format("#{}", times);
  if (!is_ours) return true;
  if (const std::string_view reason = reason_to_skip(level, path); !reason.empty()) {
    ++notes_.skipped[std::string(reason)];
  } else {
    read_member(level, path);
  }
  return true;
}

std::string_view ArchiveReader::reason_to_skip(const Level& level, const std::string& path) {
  if (level.handle.type() != ArchiveHandle::Type::file) return "no regular file";
  if (level.number < level.are_steps.size() && level.are_steps[level.number]) return kStepOfJob;
  return reason_to_skip_path(path);
}

void ArchiveReader::read_member(Level& level, const std::string& path) {
  const std::string name = fmt::format("{}/{}", level.name, path);
  if (level.handle.is_encrypted()) {
    throw SourceError(fmt::format("{}: is encrypted; unpack the archive with its password", name));
  }
  UnpackedInput member = unpack(std::make_unique<MemberSource>(level.handle, name, limit_), name, limit_);
  const bool is_archive = member.kind.archive != Archive::none;
  if (is_archive && (member.was_compressed || is_named_as_archive(path))) {
    read_nested(level, *member.bytes, name, member.kind.archive);
  } else if (is_archive || !member.kind.refusal.empty() || !looks_like_text(member.first_bytes)) {
    ++notes_.skipped["binary"];
  } else {
    see_({name, level.outer_number(), *member.bytes});
  }
}

void ArchiveReader::read_nested(Level& level, ByteSource& bytes, const std::string& name, Archive kind) {
  if (level.outer) {
    throw SourceError(fmt::format("{}: is an archive in an archive in an archive and was not read; unpack it", name));
  }
  ArchiveHandle handle(bytes, kind);
  Level nested{handle, name};
  nested.outer = &level;
  read_members(nested);
}

}  // namespace cutopsy
