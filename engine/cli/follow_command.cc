#include "engine/cli/follow_command.h"

#include <fmt/format.h>
#include <poll.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>

#include "engine/live/alert_feed.h"
#include "engine/live/follow_source.h"
#include "engine/live/metrics_file.h"
#include "engine/live/signal_watch.h"
#include "engine/pipeline.h"
#include "engine/report/message.h"

namespace cutopsy {
namespace {

constexpr int kGood = 0, kFailed = 2;
constexpr int kTickMilliseconds = 1000;  // for what is told at times: repeats, metrics

class Follower {
 public:
  Follower(const RuleIndex& index, std::string metrics)
      : index_(index), metrics_(std::move(metrics)), feed_([this](const std::string& alert) { write(alert); }) {}

  /// False after a message on stderr.
  bool open(const std::vector<std::string>& inputs) {
    try {
      for (const std::string& input : inputs) {
        if (input == "-") {
          reads_stdin_ = true;
        } else {
          files_.push_back({input, std::make_unique<FollowSource>(input)});
        }
      }
    } catch (const SourceError& error) {
      print_message("cutopsy: {}\n", error.what());
      return false;
    }
    return true;
  }

  int run(SignalWatch& signals) {
    std::vector<std::thread> readers;
    for (File& file : files_) {
      start(file.name, [&] { readers.emplace_back([&] { read(file.name, *file.source); }); });
    }
    if (reads_stdin_) {
      // It cannot be woken while it waits for input: at a signal it is left to the end of the process.
      const auto read_to_end = [this] {
        read("-", *open_stdin());
        stdin_ended_ = true;
      };
      if (!start("standard input", [&] { std::thread(read_to_end).detach(); })) stdin_ended_ = true;
    }
    while (!is_over(signals)) tick(false);
    for (File& file : files_) file.source->stop();
    for (std::thread& reader : readers) reader.join();
    tick(true);
    return failed_ ? kFailed : kGood;
  }

 private:
  struct File {
    std::string name;
    std::unique_ptr<FollowSource> source;
  };

  /// False after a message on stderr when there is no further thread.
  template <typename Starting>
  bool start(const std::string& name, Starting starting) {
    try {
      starting();
      return true;
    } catch (const std::system_error& error) {
      print_message("cutopsy: {}: is not followed: {}; raise the limit of processes (ulimit -u)\n", name, error.what());
      failed_ = true;
      return false;
    }
  }

  void read(const std::string& name, ByteSource& source) {
    std::string error;
    try {
      const Reading reading =
          read_input(index_, name, source,
                     {.scan = true, .on_finding = [&](const Finding& finding) { feed_.add(name, finding); }});
      error = reading.summary.error;
    } catch (const std::exception& fault) {
      error = fmt::format("{}: is not followed any more: {}", name, fault.what());
    }
    if (error.empty()) return;
    print_message("cutopsy: {}\n", error);
    failed_ = true;
  }

  bool is_over(SignalWatch& signals) {
    pollfd wait{signals.descriptor(), POLLIN, 0};
    poll(&wait, 1, kTickMilliseconds);
    const bool only_stdin = files_.empty();
    return signals.next() || output_closed_ || (only_stdin && stdin_ended_);
  }

  void tick(bool last) {
    feed_.tell_repeats(AlertFeed::Clock::now(), last);
    if (metrics_.empty()) return;
    std::string text = metrics_text(feed_.counts());
    if (text == written_) return;
    try {
      write_metrics(metrics_, text);
      written_ = std::move(text);
    } catch (const SourceError& error) {
      if (!failed_.exchange(true)) print_message("cutopsy: {}\n", error.what());
    }
  }

  void write(const std::string& alert) {
    const bool written = std::fwrite(alert.data(), 1, alert.size(), stdout) == alert.size() && std::fflush(stdout) == 0;
    if (!written) output_closed_ = failed_ = true;
  }

  const RuleIndex& index_;
  std::string metrics_;
  std::string written_;
  AlertFeed feed_;
  std::vector<File> files_;
  bool reads_stdin_ = false;
  std::atomic<bool> stdin_ended_ = false, failed_ = false, output_closed_ = false;
};

}  // namespace

int follow(const std::vector<std::string>& inputs, const std::string& metrics, const RuleIndex& index) {
  SignalWatch signals({SIGINT, SIGTERM, SIGHUP});
  // Never destroyed: a thread that waits for standard input may still hold it.
  static auto* const follower = new Follower(index, metrics);
  return follower->open(inputs) ? follower->run(signals) : kFailed;
}

}  // namespace cutopsy
