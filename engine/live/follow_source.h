// A file that grows, read as by `tail -F`: over rotation, truncation, and appearing later.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/source/byte_source.h"

namespace cutopsy {

/// read() waits (inotify, no polling) for bytes and returns 0 only after stop(). A file that was there before is read
/// from its start. Rotated by renaming: the old file is read to its end, then the files that came in between, by their
/// time, then the new one. Truncated, also when it has grown past the old size since: read from its start again.
/// One thread reads; stop() may come from another.
class FollowSource : public ByteSource {
 public:
  /// Throws SourceError when the file's folder cannot be watched.
  explicit FollowSource(std::string path);
  ~FollowSource() override;
  FollowSource(const FollowSource&) = delete;
  FollowSource& operator=(const FollowSource&) = delete;

  std::size_t read(std::span<char> buffer) override;
  void stop();

 private:
  using FileId = std::pair<dev_t, ino_t>;

  struct OpenFile {
    int descriptor = -1;
    FileId id{};
  };

  struct NextFile {
    std::string path;
    FileId id{};
  };

  bool open_next();
  std::optional<NextFile> next_file();
  std::optional<NextFile> list_next_file() const;
  bool is_done(FileId id) const;
  static OpenFile open_regular(const std::string& path);
  bool was_truncated();
  std::size_t read_on(std::span<char> buffer);
  void remember_end(std::string_view bytes);
  void wait();
  void watch_file();

  std::string path_, folder_, name_;
  std::pair<std::int64_t, std::int64_t> since_;  // seconds, nanoseconds: files older than the watch are not ours
  OpenFile file_;
  std::deque<OpenFile> done_;  // files read last: while they are open their ids are nobody else's
  off_t at_ = 0;
  std::string end_;  // the last bytes before at_: when they change, the file was written anew
  bool rotated_ = false;
  int folder_events_ = -1, file_events_ = -1;  // inotify
  int file_watch_ = -1;
  int wake_ = -1;  // eventfd of stop()
  std::atomic<bool> stopped_ = false;
};

}  // namespace cutopsy
