// What `cutopsy check` found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "validators/driver_stack.h"
#include "validators/runner.h"

namespace cutopsy {

struct CheckReport {
  std::vector<Layer> layers;
  std::vector<Gpu> gpus;
  std::string why_no_gpu;  ///< "" when there are GPUs
  std::vector<CheckResult> results;
  bool self_test = false;  ///< the results are of faults that were made (self_test.h)
};

/// 1 when a check found its fault, else 2 when one could not run, else 0.
int exit_status_of(const CheckReport& report);

/// Faults first, each with its advice; then what could not be asked, by reason; then the rest by name. With `all` each
/// answer has its line. Of a self-test, the answers and what they come to.
std::string check_text(const CheckReport& report, bool colour, bool all);

/// The schema cutopsy/check/v1: tool, machine {layers, gpus}, self_test, checks, status.
std::string check_json(const CheckReport& report);

/// The checks that there are: name, question, class, what each needs, its parameters.
std::string check_list_text();
std::string check_list_json();

}  // namespace cutopsy
