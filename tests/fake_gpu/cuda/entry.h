// How every entry point begins: it takes the driver's lock and returns when the call may not go on (Driver::refusal).
// The scenario knows a call by the name of its function.
#pragma once

#include "tests/fake_gpu/cuda/abi.h"
#include "tests/fake_gpu/cuda/driver.h"

#define CUTOPSY_ENTER(needs)                                         \
  cutopsy::fake::Driver& driver = cutopsy::fake::Driver::instance(); \
  const auto held = driver.lock();                                   \
  if (const int refused = driver.refusal(__func__, cutopsy::fake::Needs::needs); refused != 0) return refused

/// For a call that names a device by its ordinal; it becomes `it`.
#define CUTOPSY_ENTER_ON(ordinal)                                                                          \
  cutopsy::fake::Driver& driver = cutopsy::fake::Driver::instance();                                       \
  const auto held = driver.lock();                                                                         \
  cutopsy::fake::Device* const it = driver.device(ordinal);                                                \
  if (const int refused = driver.refusal(__func__, cutopsy::fake::Needs::initialised, it); refused != 0) { \
    return refused;                                                                                        \
  }                                                                                                        \
  if (!it) return cutopsy::fake::status::invalid_device
