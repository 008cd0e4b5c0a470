// The literals found in the chunk that is being read, kept so that its lines need not be searched again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy {

using LiteralId = std::uint16_t;

class ChunkHits {
 public:
  struct Hit {
    std::size_t end = 0;  ///< offset behind the literal
    LiteralId id = 0;
  };

  /// Forgets the chunk: its bytes may change from now on.
  void clear();
  /// From now on `hits` are all that stand in the chunk's `bytes`.
  void keep(std::string_view bytes, std::vector<Hit> hits);

  /// Replaces `found` by the distinct literals in `text`, ascending; false when `text` is not a piece of the chunk's
  /// own bytes. `literals` are those of the scanner.
  bool literals_in(std::string_view text, const std::vector<std::string>& literals,
                   std::vector<LiteralId>& found) const;

 private:
  std::string_view bytes_;
  std::vector<Hit> hits_;  // by end
};

}  // namespace cutopsy
