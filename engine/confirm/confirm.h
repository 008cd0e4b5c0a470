// Tests a diagnosis on this machine: asks the checks that the rules of its incidents name.
//
// The gate comes first: a log of another machine says nothing about this one, so nothing is asked then. An incident
// whose hypothesis falls gives way to the next of its alternatives that stands.
#pragma once

#include "engine/batch.h"
#include "engine/rule/rule_set.h"
#include "validators/runner.h"

namespace cutopsy {

struct ConfirmOptions {
  bool this_machine = false;  ///< the user says, or we saw, that the job ran here
  Parameters given;           ///< known to the user: "pid", "python" and so on; they come before what the log says
};

/// Fills the hypotheses of all incidents, and of their alternatives as far as they are tried. What a log names is only
/// ever compared or measured, never run.
void confirm(Batch& batch, const RuleSet& rules, Runner& runner, const ConfirmOptions& options);

}  // namespace cutopsy
