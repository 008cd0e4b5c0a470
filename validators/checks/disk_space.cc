#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

// Less than this is full for every use. A proposal of our own.
constexpr std::uint64_t kLeastFree = 16ULL << 20;

constexpr std::array kParameters = {
    Parameter{"path", "an absolute path on the file system; the temporary and the working folder when absent"},
    Parameter{"needed", "bytes to be written; without it, 16 MiB", Form::bytes}};

std::vector<std::string> folders(const Parameters& parameters) {
  if (const auto path = parameters.path("path")) return {*path};
  const char* const temporary = std::getenv("TMPDIR");
  std::vector<std::string> paths{temporary && *temporary == '/' ? temporary : "/tmp"};
  std::array<char, PATH_MAX> working;
  if (getcwd(working.data(), working.size())) paths.emplace_back(working.data());
  return paths;
}

struct Place {
  std::string path;
  std::uint64_t free = 0;  // bytes that the user may write
  bool can_make_files = true;
};

// At the path or, while that is yet to be made, the nearest folder above it.
bool stat_nearest(std::string path, struct statvfs& space) {
  while (statvfs(path.c_str(), &space) != 0) {
    if (errno != ENOENT || path == "/") return false;
    path.resize(std::max<std::size_t>(1, path.rfind('/')));
  }
  return true;
}

std::string seen_at(const Place& place) {
  return size_text(place.free) + " are free at " + place.path +
         (place.can_make_files ? "" : ", but no more files can be made (inodes)");
}

Answer ask(const Inquiry& inquiry) {
  if (!inquiry.host.is_this_machine()) return Answer::could_not_run("free space cannot be read from a copy");
  const std::uint64_t needed = inquiry.parameters.bytes("needed", 1ULL << 60).value_or(kLeastFree);
  std::optional<Place> least;
  for (const std::string& path : folders(inquiry.parameters)) {
    struct statvfs space {};
    if (!stat_nearest(path, space)) return Answer::could_not_run("the free space at " + path + " cannot be read");
    if (space.f_blocks == 0 || (space.f_flag & ST_RDONLY) != 0) continue;  // nothing is ever written there
    const Place place{path, static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize,
                      space.f_files == 0 || space.f_favail > 0};
    if (!least || !place.can_make_files || (least->can_make_files && place.free < least->free)) least = place;
  }
  if (!least) return Answer::undecided("the file system is read-only: nothing can be written there, full or not");
  Answer answer = Answer::no(seen_at(*least));
  if (least->free < needed || !least->can_make_files) {
    answer =
        Answer::yes(seen_at(*least),
                    "Delete what is old, or write elsewhere (TMPDIR, HF_HOME, TORCH_HOME, the checkpoint folder).");
  }
  return std::move(answer).with("free_bytes", std::to_string(least->free)).with("path", least->path);
}

}  // namespace

extern const Check kDiskSpace = {
    .name = "disk-space",
    .question = "Is the disk full?",
    .decision =
        "yes when the user may write fewer bytes than needed (16 MiB without it, own proposal) or no more files; "
        "a quota is not seen",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
