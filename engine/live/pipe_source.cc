#include "engine/live/pipe_source.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/live/write_all.h"

namespace cutopsy {

std::size_t PipeSource::read(std::span<char> buffer) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now()).count();
    if (interrupted_ && left <= 0) return 0;
    pollfd polled[] = {{STDIN_FILENO, POLLIN, 0}, {signals_.descriptor(), POLLIN, 0}};
    poll(polled, std::size(polled), interrupted_ ? static_cast<int>(left) : -1);
    if (signals_.next() && !std::exchange(interrupted_, true))
      until_ = Clock::now() + std::chrono::milliseconds(kGraceMilliseconds);
    if (polled[0].revents == 0) continue;
    const ssize_t bytes = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0)
      throw SourceError(
          fmt::format("standard input: reading failed: {}; what was read before is reported", std::strerror(errno)));
    const std::string_view text(buffer.data(), static_cast<std::size_t>(bytes));
    if (to_ >= 0 && !write_all(to_, text)) to_ = -1;
    return text.size();
  }
}

}  // namespace cutopsy
