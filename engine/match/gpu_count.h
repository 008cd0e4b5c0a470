// The number of GPUs where no line tells it but each GPU is listed.
#pragma once

#include <vector>

#include "parsers/event.h"

namespace cutopsy {

/// Adds a `gpu_count` fact for each host whose GPUs are listed from 0 on without a gap, two or more of them (a line on
/// GPU 0 alone may leave out the others), unless a fact tells that host's number.
void add_gpu_count(std::vector<Fact>& facts);

}  // namespace cutopsy
