#include "engine/live/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string_view>
#include <system_error>

#include "engine/live/write_all.h"

namespace cutopsy {
namespace {

constexpr std::string_view kWipe = "\r\x1b[K";

std::string size_text(double bytes) {
  constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit + 1 < std::size(kUnits); bytes /= 1000) ++unit;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 1 : 0, kUnits[unit]);
}

std::string time_text(double seconds) {
  constexpr long kMost = 360'000;  // four days and more
  const long left = static_cast<long>(std::min<double>(seconds + 0.5, kMost));
  return left < 3600 ? fmt::format("{}:{:02}", left / 60, left % 60)
                     : fmt::format("{}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60);
}

std::size_t columns_of_terminal() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

bool can_draw() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal && std::string_view(terminal) != "dumb";
}

}  // namespace

std::string progress_line(const ProgressFigures& figures, std::size_t columns) {
  if (figures.all_bytes == 0 || figures.bytes == 0 || figures.seconds <= 0) return "";
  const auto bytes = static_cast<double>(std::min(figures.bytes, figures.all_bytes));
  const auto all_bytes = static_cast<double>(figures.all_bytes);
  const double rate = bytes / figures.seconds;
  std::string text = fmt::format(" {:3.0f}%  {}/s  {} left", 100 * bytes / all_bytes, size_text(rate),
                                 time_text((all_bytes - bytes) / rate));
  if (figures.all_inputs > 1) text += fmt::format("  {} of {} inputs", figures.inputs, figures.all_inputs);
  constexpr std::size_t kFrame = 3;  // brackets, and the last column, where terminals wrap
  constexpr std::size_t kWidest = 40;
  constexpr std::size_t kNarrowest = 5;
  if (columns < text.size() + kFrame + kNarrowest) return text.substr(0, columns > 0 ? columns - 1 : 0);
  const std::size_t width = std::min(kWidest, columns - text.size() - kFrame);
  const auto done = static_cast<std::size_t>(static_cast<double>(width) * bytes / all_bytes);
  return "[" + std::string(done, '#') + std::string(width - done, ' ') + "]" + text;
}

ProgressBar::ProgressBar(const BatchProgress& progress) : progress_(progress) {
  const auto draw_if_possible = [this](std::stop_token stop) {
    try {
      draw(std::move(stop));
    } catch (const std::exception&) {  // no memory: the reading goes on without a bar
    }
  };
  try {
    if (can_draw()) thread_ = std::jthread(draw_if_possible);
  } catch (const std::system_error&) {  // no further thread
  }
}

void ProgressBar::draw(std::stop_token stop) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  bool drawn = false;
  for (int wait = kDelayMilliseconds; true; wait = kIntervalMilliseconds) {
    stopped.wait_for(lock, stop, std::chrono::milliseconds(wait), [] { return false; });
    if (stop.stop_requested()) break;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const std::string line = progress_line(
        {progress_.bytes, progress_.all_bytes, progress_.inputs, progress_.all_inputs, seconds}, columns_of_terminal());
    if (line.empty()) continue;
    write_all(STDERR_FILENO, std::string(kWipe) + line);
    drawn = true;
  }
  if (drawn) write_all(STDERR_FILENO, kWipe);
}

}  // namespace cutopsy
