#include "tests/fake_gpu/cuda/peers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/fake_gpu/cuda/fields.h"

namespace cutopsy::fake {

bool peer_listed(const Device& from, const Device& to, const char* key) {
  if (&from == &to) return false;
  if (!from.section().has(key)) return true;
  const std::vector<std::string> peers = from.section().words(key);
  return std::find(peers.begin(), peers.end(), std::to_string(to.index())) != peers.end();
}

std::uint64_t peer_corruption(const Device& executing, const Device& other, const char* key) {
  for (const std::string& word : executing.section().words(key)) {
    const auto fields = number_fields(word);
    if (fields[0] == other.index()) return fields.size() > 1 ? fields[1] : 1;
  }
  return 0;
}

}  // namespace cutopsy::fake
