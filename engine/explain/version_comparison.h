// Versions that should be the same on all of a job's nodes and are not.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parsers/event.h"

namespace cutopsy {

/// One `job.version_conflict` for each library, or the driver, of which hosts report different versions. Where a log
/// names no host it stands for one.
std::vector<Event> compare_versions(std::span<const Fact> facts, std::span<const std::string> inputs);

}  // namespace cutopsy
