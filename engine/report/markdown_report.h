// The report as GitHub-flavoured Markdown (https://github.github.com/gfm/): a job's summary, a comment, a ticket.
#pragma once

#include <string>

#include "engine/report/json.h"

namespace cutopsy {

/// GitHub refuses longer summaries: https://docs.github.com/en/actions/reference/limits
inline constexpr std::size_t kMaxMarkdownBytes = 1000 * 1000;

/// A table of the rows, then each in full; those that do not fit into kMaxMarkdownBytes stand in the table only. Text
/// of the log cannot become markup.
std::string markdown_report(const Json& document);

}  // namespace cutopsy
