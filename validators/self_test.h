// Whether a machine reports faults as it should: makes each (deliberate_fault.h) in a child, then lets a fresh one do
// the smallest piece of work.
//
// Faults are made only on GPUs on which nobody else computes and never where signs of MPS are, whatever is forced. They
// stand in the kernel's log as Xids, which a monitor may take for a reason to drain the machine.
#pragma once

#include <string>
#include <vector>

#include "validators/deliberate_fault.h"
#include "validators/runner.h"

namespace cutopsy {

struct SelfTestOptions {
  std::vector<const DeliberateFault*> faults;  ///< those to make; empty for all
  std::vector<std::string> gpus;               ///< names of GPUs (see Runner::is_name_of); empty for all
  std::string kernel_log;                      ///< the file that holds the kernel's log; "" for where it usually is
};

/// A result for each fault on each GPU, in that order on one GPU after another. Yes: it came back as something else, or
/// what came after it fails. The observer of `runner` goes on as it is.
std::vector<CheckResult> self_test(Runner& runner, const SelfTestOptions& options);

}  // namespace cutopsy
