// Faults that are made on purpose on a GPU, to see whether they are reported as they should be.
//
// Each is a Check that only self_test() asks, in a child of its own: its yes means that the fault came back as
// something else. A fault ends the context that it is made in and no other, except under MPS, where all clients share
// one: there it is not made.
#pragma once

#include <span>
#include <string_view>

#include "validators/check.h"

namespace cutopsy {

struct DeliberateFault {
  Check check;
  /// What the kernel logs of it, any of them; empty when nothing has to come.
  std::span<const int> xids = {};
  /// Right is that its child gives no answer in time: it waits for a kernel that takes longer.
  bool outlasts = false;
};

/// In the order in which they are made.
std::span<const DeliberateFault> deliberate_faults();
/// The fault of that name, or nullptr.
const DeliberateFault* find_deliberate_fault(std::string_view name);

}  // namespace cutopsy
