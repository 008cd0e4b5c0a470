// Whether two lines were written by the same writer in the same way, perhaps at different times.
#pragma once

#include <tuple>

#include "parsers/line.h"

namespace cutopsy {

inline bool equal_but_for_time(const Envelope& a, const Envelope& b) {
  const auto rest = [](const Envelope& envelope) {
    return std::tie(envelope.level, envelope.host, envelope.rank, envelope.local_rank, envelope.pod, envelope.pid,
                    envelope.application, envelope.kernel, envelope.repeats);
  };
  return rest(a) == rest(b);
}

}  // namespace cutopsy
