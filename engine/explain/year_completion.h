// Gives a date to clocks that print no year, such as syslog's "Mar 14 09:21:40", so that the logs of one case can be
// compared. The headers of glog and c10 ("0314 09:21:40") are left alone: often only a job's last lines have one, and
// they would say that it began then.
#pragma once

#include <span>
#include <vector>

#include "engine/explain/scope.h"
#include "engine/match/finding.h"
#include "parsers/event.h"

namespace cutopsy {

/// In a case of several inputs, gives each clock without a year the one that brings it nearest to the case's last known
/// time; if no input prints a year, any one will do, for only differences count. Inputs of which no line was dated get
/// their time from what was found in them. A single input is left alone: its lines tell the order.
void complete_years(std::vector<Finding>& findings, std::span<const Fact> facts, std::span<InputTraits> inputs);

}  // namespace cutopsy
