// Facts of which the logs of one job give several values: another driver on one host, another NCCL in one container.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/event.h"

namespace cutopsy {

struct DifferingFact {
  struct Value {
    std::string text;
    Place where;  ///< a line that says it
    std::vector<std::string> hosts;
    std::vector<std::string> ranks;
    std::vector<std::string> gpus;
  };
  std::string_view name;
  std::vector<Value> values;  ///< two or more, in order of appearance
};

/// Every fact with more than one value. "2.1.0" and "2.1.0+cu118", "525.125.6" and "525.125.06" are the same version,
/// blanks do not count.
/// At most kMaxDifferingValues values of each are told apart, with as many hosts, ranks and GPUs.
std::vector<DifferingFact> differing_facts(std::span<const Fact> facts);

/// True when all of the job should agree on the fact and two hosts or ranks do not.
bool divides_the_job(const DifferingFact& fact);

inline constexpr std::size_t kMaxDifferingValues = 16;

}  // namespace cutopsy
