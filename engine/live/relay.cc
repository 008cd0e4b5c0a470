#include "engine/live/relay.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/live/write_all.h"
#include "engine/report/message.h"

namespace cutopsy {
namespace {

class Relay {
 public:
  Relay(ChildProcess& child, SignalWatch& signals, ByteQueue& queue, int log)
      : child_(child), signals_(signals), queue_(queue), log_(log), rest_(child.streams().size()) {}

  ChildEnd run() {
    bool left_behind = false;
    while (any_open()) {
      if (!wait()) continue;
      if (child_.poll_end() && grace_is_over()) {
        left_behind = true;
        break;
      }
    }
    while (!child_.poll_end()) wait();
    for (std::string& rest : rest_) queue_.push(rest);
    return {*child_.poll_end(), left_behind};
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool any_open() const {
    return std::ranges::any_of(child_.streams(), [](const ChildStream& stream) { return stream.from >= 0; });
  }

  bool grace_is_over() {
    if (ended_at_ == Clock::time_point()) ended_at_ = Clock::now();
    return Clock::now() - ended_at_ > std::chrono::milliseconds(kGraceMilliseconds);
  }

  /// Waits for output or a signal and handles it; true when there was no output.
  bool wait() {
    // Waking for every write of a program that prints without a pause would cost it more than the work itself.
    constexpr auto kGatherTime = std::chrono::microseconds(500);
    if (std::exchange(is_busy_, false)) std::this_thread::sleep_for(kGatherTime);
    std::array<pollfd, 3> polled{};
    std::size_t count = 0;
    for (const ChildStream& stream : child_.streams()) polled[count++] = {stream.from, POLLIN, 0};
    polled[count++] = {signals_.descriptor(), POLLIN, 0};
    constexpr int kPollMilliseconds = 100;  // to notice the end of the grace
    poll(polled.data(), count, child_.poll_end() ? kPollMilliseconds : -1);
    while (const auto signal = signals_.next()) handle(*signal);
    bool silent = true;
    for (std::size_t i = 0; i < child_.streams().size(); ++i) {
      if (polled[i].revents == 0) continue;
      silent = false;
      pass_on(i);
    }
    return silent;
  }

  /// What the terminal sends reaches the child without us.
  void handle(const ReceivedSignal& signal) {
    if (signal.number == SIGWINCH) {
      child_.resize();
    } else if (signal.number != SIGCHLD && !signal.from_terminal && !child_.poll_end()) {
      kill(child_.pid(), signal.number);
    }
  }

  void pass_on(std::size_t index) {
    ChildStream& stream = child_.streams()[index];
    const ssize_t bytes = read(stream.from, buffer_.data(), buffer_.size());
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (bytes <= 0) {  // a pseudo-terminal that nobody holds any more gives EIO
      close_stream(stream);
      return;
    }
    const std::string_view text(buffer_.data(), static_cast<std::size_t>(bytes));
    constexpr std::size_t kBusyBytes = 4096;
    is_busy_ = is_busy_ || (stream.is_roomy && text.size() >= kBusyBytes);
    keep(text, rest_[index]);
    if (log_ >= 0 && !write_all(log_, text)) {
      print_message("cutopsy run: the log cannot be written: {}; going on without it\n", std::strerror(errno));
      log_ = -1;
    }
    if (!write_all(stream.to, text)) close_stream(stream);  // the child learns of it as it would without us
  }

  static void close_stream(ChildStream& stream) {
    close(stream.from);
    stream.from = -1;
  }

  /// The queue gets whole lines, unless there is one stream only.
  void keep(std::string_view text, std::string& rest) {
    constexpr std::size_t kLongLine = 64 * 1024;
    if (rest_.size() == 1) return queue_.push(text);
    const std::size_t end = text.rfind('\n');
    if (end == text.npos) {
      rest += text;
      if (rest.size() < kLongLine) return;
      text = {};
    } else {
      rest += text.substr(0, end + 1);
      text.remove_prefix(end + 1);
    }
    queue_.push(rest);
    rest = text;
  }

  ChildProcess& child_;
  SignalWatch& signals_;
  ByteQueue& queue_;
  int log_;
  std::vector<std::string> rest_;  // of each stream: an unfinished line
  Clock::time_point ended_at_;
  bool is_busy_ = false;  // a pipe that can hold what comes during a nap has much to pass on
  std::vector<char> buffer_ = std::vector<char>(kRoomyBytes);
};

}  // namespace

ChildEnd relay(ChildProcess& child, SignalWatch& signals, ByteQueue& queue, int log) {
  return Relay(child, signals, queue, log).run();
}

}  // namespace cutopsy
