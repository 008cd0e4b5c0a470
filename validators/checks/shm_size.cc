#include <sys/statvfs.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>

#include "validators/checks/checks.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

// What a container gets when nobody asks for more: https://docs.docker.com/reference/cli/docker/container/run/
// --shm-size
constexpr std::uint64_t kContainerDefault = 64ULL << 20;

constexpr std::array kParameters = {
    Parameter{"needed", "bytes that the job wants in /dev/shm; without it only a full /dev/shm is a yes", Form::bytes}};

Answer ask(const Inquiry& inquiry) {
  if (!inquiry.host.is_this_machine()) return Answer::could_not_run("the size of /dev/shm cannot be read from a copy");
  struct statvfs space {};
  if (statvfs("/dev/shm", &space) != 0) {
    if (errno == ENOENT) return Answer::yes("there is no /dev/shm", "Mount a tmpfs at /dev/shm.");
    return Answer::could_not_run("/dev/shm cannot be looked at");
  }
  const std::uint64_t size = static_cast<std::uint64_t>(space.f_blocks) * space.f_frsize;
  const std::uint64_t free = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  const auto needed = inquiry.parameters.bytes("needed", 1ULL << 50);
  const std::string seen = size_text(free) + " of the " + size_text(size) + " of /dev/shm are free";
  const char* const advice = "Start the container with --ipc=host or a larger --shm-size.";
  Answer answer = Answer::undecided(seen + ", the size that containers get by default", advice);
  if (needed ? free < *needed : free == 0) {
    answer = Answer::yes(seen, advice);
  } else if (needed || size > kContainerDefault) {
    answer = Answer::no(seen);
  }
  return std::move(answer).with("size_bytes", std::to_string(size)).with("free_bytes", std::to_string(free));
}

}  // namespace

extern const Check kShmSize = {
    .name = "shm-size",
    .question = "Is shared memory (/dev/shm) too small?",
    .decision = "yes when less is free than needed, or nothing at all; unknown at a container's default of 64 MiB",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
