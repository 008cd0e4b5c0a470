#include "tests/fake_gpu/load_mark.h"

#include <fcntl.h>

#include <cstdlib>

namespace cutopsy::fake {

namespace {

int scenario_file() {
  static const int file = [] {
    const char* const path = std::getenv("CUTOPSY_FAKE_GPU");
    return path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  }();
  return file;
}

struct flock byte_of(std::size_t index, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(index);
  lock.l_len = 1;
  return lock;
}

}  // namespace

void mark_load(std::size_t index) {
  struct flock lock = byte_of(index, F_RDLCK);
  if (scenario_file() >= 0) fcntl(scenario_file(), F_SETLK, &lock);
}

bool is_marked(std::size_t index) {
  struct flock lock = byte_of(index, F_WRLCK);
  return scenario_file() >= 0 && fcntl(scenario_file(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace cutopsy::fake
