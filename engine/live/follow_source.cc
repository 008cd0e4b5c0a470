#include "engine/live/follow_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <tuple>
#include <vector>

namespace cutopsy {
namespace {

constexpr std::size_t kRememberedBytes = 256;
constexpr std::size_t kRememberedFiles = 64;

std::pair<dev_t, ino_t> id_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

std::pair<std::int64_t, std::int64_t> modified(const struct stat& status) {
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// "train.log" was rotated to "train.log.1" or "train.log-20260101", not to "train.log.gz".
bool is_rotated_name(std::string_view file, std::string_view name) {
  constexpr std::string_view kPacked[] = {".gz", ".bz2", ".xz", ".zst"};
  return file.starts_with(name) && file.size() > name.size() &&
         std::ranges::none_of(kPacked, [&](std::string_view end) { return file.ends_with(end); });
}

void drain(int events) {
  std::array<char, 4096> buffer{};
  while (::read(events, buffer.data(), buffer.size()) > 0) {
  }
}

}  // namespace

FollowSource::FollowSource(std::string path) : path_(std::move(path)) {
  const std::filesystem::path whole(path_);
  folder_ = whole.has_parent_path() ? whole.parent_path().string() : ".";
  name_ = whole.filename().string();
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock of files' times
  since_ = {now.tv_sec, now.tv_nsec};
  folder_events_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  file_events_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const bool watched =
      inotify_add_watch(folder_events_, folder_.c_str(), IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) >= 0;
  if (watched) return;
  const std::string why = std::strerror(errno);
  for (int descriptor : {folder_events_, file_events_, wake_}) close(descriptor);
  throw SourceError(fmt::format("{}: its folder cannot be watched: {}; check the path", path_, why));
}

FollowSource::~FollowSource() {
  if (file_.descriptor >= 0) close(file_.descriptor);
  for (const OpenFile& file : done_) close(file.descriptor);
  for (int descriptor : {folder_events_, file_events_, wake_}) close(descriptor);
}

void FollowSource::stop() {
  stopped_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
}

std::size_t FollowSource::read(std::span<char> buffer) {
  while (!stopped_) {
    if (file_.descriptor < 0 && !open_next()) {
      wait();
      continue;
    }
    if (was_truncated()) {
      at_ = 0;
      end_.clear();
    }
    if (const std::size_t bytes = read_on(buffer); bytes > 0) return bytes;
    struct stat now {};
    const bool is_there = stat(path_.c_str(), &now) == 0;
    if (is_there && id_of(now) == file_.id) {
      wait();
    } else if (!rotated_) {
      rotated_ = true;  // what was written between the last read and the renaming is read first
    } else if (!open_next()) {
      wait();
    }
  }
  return 0;
}

/// Bytes after at_; 0 at the end of what there is.
std::size_t FollowSource::read_on(std::span<char> buffer) {
  const ssize_t bytes = pread(file_.descriptor, buffer.data(), buffer.size(), at_);
  if (bytes < 0 && errno != EINTR)
    throw SourceError(
        fmt::format("{}: reading failed: {}; what was read before is reported", path_, std::strerror(errno)));
  if (bytes <= 0) return 0;
  at_ += bytes;
  remember_end({buffer.data(), static_cast<std::size_t>(bytes)});
  return static_cast<std::size_t>(bytes);
}

void FollowSource::remember_end(std::string_view bytes) {
  end_ += bytes.substr(bytes.size() - std::min(bytes.size(), kRememberedBytes));
  if (end_.size() > kRememberedBytes) end_.erase(0, end_.size() - kRememberedBytes);
}

bool FollowSource::was_truncated() {
  std::array<char, kRememberedBytes> there{};
  const auto size = static_cast<off_t>(end_.size());
  const ssize_t bytes = pread(file_.descriptor, there.data(), end_.size(), at_ - size);
  return bytes >= 0 && std::string_view(there.data(), static_cast<std::size_t>(bytes)) != end_;
}

FollowSource::OpenFile FollowSource::open_regular(const std::string& path) {
  const int descriptor = path.empty() ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)))
    return {descriptor, id_of(status)};
  close(descriptor);
  return {};
}

/// Opens what comes after the file that was read; false when there is nothing yet.
bool FollowSource::open_next() {
  OpenFile next;
  while (const auto wanted = next_file()) {
    next = open_regular(wanted->path);
    if (next.descriptor >= 0 && next.id == wanted->id) break;  // else it was renamed between looking and opening
    if (next.descriptor >= 0) close(next.descriptor);
    next = {};
  }
  if (next.descriptor < 0) return false;
  if (file_.descriptor >= 0) done_.push_back(file_);
  if (done_.size() > kRememberedFiles) {
    close(done_.front().descriptor);
    done_.pop_front();
  }
  file_ = next;
  at_ = 0;
  end_.clear();
  rotated_ = false;
  watch_file();
  return true;
}

/// A listing that is made while files are renamed can miss some: only one of a quiet folder counts.
std::optional<FollowSource::NextFile> FollowSource::next_file() {
  while (true) {
    drain(folder_events_);
    const auto next = list_next_file();
    pollfd changed{folder_events_, POLLIN, 0};
    if (poll(&changed, 1, 0) == 0 || stopped_) return next;
  }
}

bool FollowSource::is_done(FileId id) const {
  return id == file_.id || std::ranges::any_of(done_, [&](const OpenFile& file) { return file.id == id; });
}

/// The oldest rotated file that is newer than the one that was read, or the file of the name itself.
std::optional<FollowSource::NextFile> FollowSource::list_next_file() const {
  struct stat named {
  }, current{};
  std::optional<NextFile> next;
  if (stat(path_.c_str(), &named) == 0 && S_ISREG(named.st_mode) && !is_done(id_of(named)))
    next = {path_, id_of(named)};
  const bool has_read = file_.descriptor >= 0 && fstat(file_.descriptor, &current) == 0;
  const auto since = has_read ? modified(current) : since_;
  // By time; of one time the one with the higher number is older: train.log.2 before train.log.1.
  std::optional<std::tuple<std::pair<std::int64_t, std::int64_t>, long>> oldest;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    struct stat status {};
    const bool is_file =
        is_rotated_name(name, name_) && stat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode);
    if (!is_file || is_done(id_of(status)) || modified(status) < since) continue;
    const long number = std::strtol(name.c_str() + std::min(name.size(), name_.size() + 1), nullptr, 10);
    const std::tuple age(modified(status), -number);
    if (oldest && *oldest < age) continue;
    oldest = age;
    next = {entry->path().string(), id_of(status)};
  }
  return next;
}

void FollowSource::watch_file() {
  if (file_watch_ >= 0) inotify_rm_watch(file_events_, file_watch_);
  const std::string by_descriptor = fmt::format("/proc/self/fd/{}", file_.descriptor);
  file_watch_ = inotify_add_watch(file_events_, by_descriptor.c_str(), IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF);
}

void FollowSource::wait() {
  pollfd polled[] = {{folder_events_, POLLIN, 0}, {file_events_, POLLIN, 0}, {wake_, POLLIN, 0}};
  poll(polled, std::size(polled), -1);
  drain(folder_events_);
  drain(file_events_);
}

}  // namespace cutopsy
