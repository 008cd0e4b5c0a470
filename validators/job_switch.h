// Environment variables that change how a job runs, as tables: what each does when it is on.
#pragma once

#include <span>
#include <string_view>

#include "validators/answer.h"
#include "validators/job.h"

namespace cutopsy {

struct JobSwitch {
  std::string_view variable;
  std::string_view value;  ///< the value that matters, case aside; "" for any that means on: set, not 0, no, off, false
  std::string_view effect;  ///< what it does then: "makes each launch wait for the one before"
};

/// Yes when any of them is on, with what each does; `advice` is what to do about it.
Answer ask_switches(const Job& job, std::span<const JobSwitch> switches, std::string_view advice);

}  // namespace cutopsy
