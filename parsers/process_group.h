// The label that PyTorch's ProcessGroupNCCL puts before what it logs: the process group and the rank in it.
#pragma once

#include <string>

#include "parsers/event.h"
#include "parsers/line.h"

namespace cutopsy {

/// Sets rank, pg (its number) and pg_name from the label in the line, rank else from the line's envelope.
void add_process_group(const Line& line, Fields& fields);

/// The rank in the job that the label in the line names; "" when there is none, or the group is not that of all ranks.
std::string labelled_rank(const Line& line);

}  // namespace cutopsy
