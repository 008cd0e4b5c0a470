#include "engine/source/interruption.h"

#include <fmt/format.h>

#include <atomic>

#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

std::atomic<int> received = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // a handler writes it

void receive(int signal) {
  received = signal;
}

}  // namespace

Interruption::Interruption() {
  received = 0;
  struct sigaction action {};
  action.sa_handler = receive;
  // One handler for the first signal only. Without SA_RESTART, so that a read that waits on a pipe returns.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int Interruption::signal() {
  return received;
}

void throw_if_interrupted(const std::string& input) {
  if (const int signal = received; signal != 0) {
    throw SourceError(fmt::format("{}: was not read to its end: {} came; what was read before is reported", input,
                                  signal == SIGINT ? "SIGINT" : "SIGTERM"));
  }
}

}  // namespace cutopsy
