#include "engine/match/gpu_count.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

namespace cutopsy {
namespace {

struct Listed {
  std::set<std::string> gpus;
  const Fact* last = nullptr;
  bool is_told = false;
};

bool has_no_gap(const std::set<std::string>& gpus) {
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (!gpus.contains(std::to_string(i))) return false;
  }
  return true;
}

}  // namespace

void add_gpu_count(std::vector<Fact>& facts) {
  std::map<std::string, Listed> hosts;
  for (const Fact& fact : facts) {
    Listed& listed = hosts[fact.envelope.host];
    listed.is_told = listed.is_told || fact.name == "gpu_count";
    if (fact.name != "gpu_name" || fact.gpu.empty()) continue;
    listed.gpus.insert(fact.gpu);
    listed.last = &fact;
  }
  std::vector<Fact> counts;
  for (const auto& [host, listed] : hosts) {
    if (listed.is_told || listed.gpus.size() < 2 || !has_no_gap(listed.gpus)) continue;
    Fact count = *listed.last;
    count.name = "gpu_count";
    count.value = std::to_string(listed.gpus.size());
    count.gpu.clear();
    counts.push_back(std::move(count));
  }
  std::move(counts.begin(), counts.end(), std::back_inserter(facts));
}

}  // namespace cutopsy
