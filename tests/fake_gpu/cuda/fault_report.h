// How a simulated machine tells of a fault: as a real one, or, when its scenario says so, wrongly (README.md, "Faults
// of reporting").
#pragma once

#include <string>

#include "tests/fake_gpu/cuda/device.h"

namespace cutopsy::fake {

/// The error that comes back of a kernel that ended in `status`: report.STATUS; that status. The Xid that belongs to it
/// goes to the scenario's kernel log.
int reported(const Device& device, int status);

/// What a launch leaves behind in the machine (scar): its error, which later processes then meet. Written before the
/// launch as if that would never end, since the process may be killed in it; cleared when it ends well.
class Scar {
 public:
  explicit Scar(const Device& device);
  void leave(int status) const;

  /// The error that is left on the device, 0 for none.
  static int of(const Device& device);

 private:
  std::string file_;
};

}  // namespace cutopsy::fake
