#include "engine/live/signal_watch.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace cutopsy {

SignalWatch::SignalWatch(const std::vector<int>& signals) {
  sigset_t mask;
  sigemptyset(&mask);
  for (int signal : signals) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, &before_);
  descriptor_ = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

SignalWatch::~SignalWatch() {
  close(descriptor_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<ReceivedSignal> SignalWatch::next() {
  signalfd_siginfo info{};
  if (read(descriptor_, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return ReceivedSignal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

}  // namespace cutopsy
