#include "validators/kernel_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace cutopsy {

namespace {

constexpr std::size_t kMostRecords = 1'000'000;
constexpr off_t kMostFileBytes = 64 << 20;
constexpr std::size_t kMostNewLines = 10'000;
constexpr std::size_t kMostLineBytes = 512;
constexpr std::size_t kMostRecordBytes = 8192;  // CONSOLE_EXT_LOG_MAX of the kernel

constexpr std::string_view kBootBanner = "Linux version ";

std::string printable(std::string_view text) {
  std::string line(text.substr(0, kMostLineBytes));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

struct Record {
  std::uint64_t sequence = 0;
  std::uint64_t microseconds = 0;
  std::string_view text;
};

// "4,1733,7421118204,-;NVRM: ..." with " KEY=value" lines behind it.
std::optional<Record> record_in(std::string_view bytes) {
  const std::size_t text = bytes.find(';');
  const std::size_t sequence = bytes.find(',');
  if (text == std::string_view::npos || sequence > text) return std::nullopt;
  Record record;
  const char* const end = bytes.data() + text;
  const auto [after_sequence, error] = std::from_chars(bytes.data() + sequence + 1, end, record.sequence);
  if (error != std::errc() || after_sequence == end) return std::nullopt;
  if (std::from_chars(after_sequence + 1, end, record.microseconds).ec != std::errc()) return std::nullopt;
  record.text = bytes.substr(text + 1);
  record.text = record.text.substr(0, record.text.find('\n'));
  return record;
}

std::string as_dmesg_prints(const Record& record) {
  std::array<char, 48> time;
  std::snprintf(time.data(), time.size(), "[%5llu.%06llu] ",
                static_cast<unsigned long long>(record.microseconds / 1'000'000),
                static_cast<unsigned long long>(record.microseconds % 1'000'000));
  return time.data() + printable(record.text);
}

std::optional<KernelLog> read_ring() {
  const int device = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) return std::nullopt;
  KernelLog log{.source = "/dev/kmsg", .since_boot = true, .lines = {}};
  std::array<char, kMostRecordBytes> bytes;
  bool first = true;
  while (log.lines.size() < kMostRecords) {
    const ssize_t got = read(device, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EPIPE) {  // overwritten under our hands; the next read goes on behind the gap
      log.since_boot = false;
      continue;
    }
    if (got <= 0) break;  // EAGAIN: the end
    const auto record = record_in({bytes.data(), static_cast<std::size_t>(got)});
    if (!record) continue;
    if (first && record->sequence > 0) log.since_boot = false;
    first = false;
    log.lines.push_back(as_dmesg_prints(*record));
  }
  close(device);
  if (log.lines.empty()) return std::nullopt;
  return log;
}

// The end of a regular file.
std::optional<std::string> tail(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat status {};
  std::optional<std::string> text;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    const off_t from = std::max<off_t>(0, status.st_size - kMostFileBytes);
    text.emplace(static_cast<std::size_t>(status.st_size - from), '\0');
    const ssize_t got = pread(file, text->data(), text->size(), from);
    text->resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  close(file);
  return text;
}

struct LogFile {
  std::string_view path;
  bool mixed;  // other programs write it too
};

constexpr std::array kLogFiles = {
    LogFile{"/var/log/kern.log", false},
    LogFile{"/var/log/messages", true},
    LogFile{"/var/log/syslog", true},
    LogFile{"/var/log/dmesg", false},
};

KernelLog lines_since_boot(const LogFile& file, std::string_view text) {
  KernelLog log{.source = std::string(file.path), .since_boot = false, .lines = {}};
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() || (file.mixed && line.find(" kernel: ") == std::string_view::npos)) continue;
    if (line.find(kBootBanner) != std::string_view::npos) {
      log.since_boot = true;
      log.lines.clear();
    }
    log.lines.push_back(printable(line));
  }
  return log;
}

}  // namespace

std::optional<KernelLog> read_kernel_log(const Host& host) {
  if (host.is_this_machine()) {
    if (auto log = read_ring()) return log;
  }
  for (const LogFile& file : kLogFiles) {
    const auto text = tail(host.at(file.path));
    if (!text) continue;
    KernelLog log = lines_since_boot(file, *text);
    if (!log.lines.empty()) return log;
  }
  return std::nullopt;
}

std::optional<KernelLog> read_kernel_log_file(const std::string& path) {
  const auto text = tail(path);
  if (!text) return std::nullopt;
  return lines_since_boot({path, false}, *text);
}

KernelLogTail::KernelLogTail(const std::string& device)
    : device_(open(device.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (device_ >= 0) lseek(device_, 0, SEEK_END);
}

KernelLogTail::~KernelLogTail() {
  if (device_ >= 0) close(device_);
}

std::vector<std::string> KernelLogTail::new_lines() {
  std::vector<std::string> lines;
  std::array<char, kMostRecordBytes> bytes;
  while (device_ >= 0 && lines.size() < kMostNewLines) {
    const ssize_t got = read(device_, bytes.data(), bytes.size());
    if (got < 0 && (errno == EINTR || errno == EPIPE)) continue;  // EPIPE: some were overwritten; what is left follows
    if (got <= 0) break;
    const auto record = record_in({bytes.data(), static_cast<std::size_t>(got)});
    if (record) lines.push_back(as_dmesg_prints(*record));
  }
  return lines;
}

Answer without_kernel_log() {
  return Answer::could_not_run("the kernel's log cannot be read",
                               "Run as root; in a container, with --cap-add SYSLOG and --device /dev/kmsg.");
}

void KernelLogHits::add(const std::string& line) {
  if (count++ == 0) first = line;
  last = line;
}

Answer KernelLogHits::measured(Answer answer) const {
  answer.measurements.push_back({"lines", std::to_string(count)});
  if (count > 0) {
    answer.measurements.push_back({"first_line", first});
    answer.measurements.push_back({"last_line", last});
  }
  return answer;
}

}  // namespace cutopsy
