// What makes two findings repeats of one another.
#pragma once

#include <string>
#include <string_view>

#include "engine/match/finding.h"

namespace cutopsy {

/// Findings with equal keys fold into one. Replaces `key`, whose memory is used again.
void make_fold_key(const Finding& finding, std::uint16_t signature_position, std::string& key);

}  // namespace cutopsy
