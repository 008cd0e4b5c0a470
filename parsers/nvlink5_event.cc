// Source: https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html, sub-codes of Xid 144-150.
#include "parsers/nvlink5_event.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cutopsy {
namespace {

constexpr std::int64_t kAny = -1;  // every status

struct Row {
  int xid;
  std::string_view names;     // of the unit, parted by '/'
  std::uint32_t reason;       // bits 20-25 of the first word
  std::string_view before;    // its lowest bits in drivers before R575
  std::string_view from_575;  // and from R575 on
  std::int64_t status;        // a bit of the second word; for NETIR and MSE its value
  std::string_view action;
  std::string_view investigate;
  std::string_view origin;
};

constexpr Row kRows[] = {
    {144, "SAW_MVB", 0b000000, "0000100001", "0000001", 0x1, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {144, "SAW_MVB", 0b000000, "0000100001", "0000001", 0x2, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {144, "SAW_MVB", 0b000000, "0000100001", "0000001", 0x4, "IGNORE", "IGNORE", "HW"},
    {144, "SAW_MVB", 0b000000, "0000100001", "0000001", 0x8, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {144, "SAW_MVB", 0b000000, "0000100001", "0000001", 0x10, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {144, "SAW_MVB", 0b000000, "0000100001", "0000001", 0x20, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_CTRL", 0b000000, "0001100010", "0000011", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x1, "XID_154_EVAL", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x2, "XID_154_EVAL", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x4, "XID_154_EVAL", "CHECK_NVLINK_FAILURE_FLOW", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x8, "XID_154_EVAL", "CHECK_NVLINK_FAILURE_FLOW", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x10, "XID_154_EVAL", "CHECK_NVLINK_FAILURE_FLOW", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x20, "XID_154_EVAL", "CHECK_NVLINK_FAILURE_FLOW", "SW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x40, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x80, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x100, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x200, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_REMAP", 0b000000, "0010000010", "0000100", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RSPCOL", 0b000000, "0010100010", "0000101", 0x1, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_RSPCOL", 0b000000, "0010100010", "0000101", 0x2, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_RSPCOL", 0b000000, "0010100010", "0000101", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "00011000010", "00000110", 0x1, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "10011000010", "10000110", 0x1, "RESET_GPU", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "00011000010", "00000110", 0x2, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "10011000010", "10000110", 0x2, "RESET_GPU", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "00011000010", "00000110", 0x4, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "10011000010", "10000110", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_RXPIPE", 0b000000, "0011000010", "0000110", 0x8, "IGNORE", "CONTACT_SUPPORT", "HW/SW"},
    {145, "RLW_RXPIPE", 0b000000, "0011000010", "0000110", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x1, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x2, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x4, "XID_154_EVAL", "IGNORE", "HW/SW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x8, "XID_154_EVAL", "IGNORE", "HW/SW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x10, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x20, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_SRC_TRACK", 0b000000, "0011100010", "0000111", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {145, "RLW_TAGSTATE", 0b000000, "0100000010", "0001000", 0x1, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_TAGSTATE", 0b000000, "0100000010", "0001000", 0x2, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_TAGSTATE", 0b000000, "0100000010", "0001000", 0x10000, "IGNORE", "IGNORE", "HW"},
    {145, "RLW_TAGSTATE", 0b000000, "0100000010", "0001000", 0x20000, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_TAGSTATE", 0b000000, "0100000010", "0001000", 0x100000, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {145, "RLW_TAGSTATE", 0b000000, "0100000010", "0001000", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {146, "TLW_CTRL", 0b000000, "0100100011", "0001001", 0x1, "IGNORE", "IGNORE", "HW"},
    {146, "TLW_CTRL", 0b000000, "0100100011", "0001001", 0x2, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_CTRL", 0b000000, "0100100011", "0001001", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_CTRL", 0b000000, "0100100011", "0001001", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {146, "TLW_RX/TLW_RX_PIPE0", 0b000000, "0101000011", "0001010", 0x1, "IGNORE", "IGNORE", "HW"},
    {146, "TLW_RX/TLW_RX_PIPE0", 0b000000, "0101000011", "0001010", 0x2, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_RX/TLW_RX_PIPE0", 0b000000, "0101000011", "0001010", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_RX/TLW_RX_PIPE0", 0b000000, "0101000011", "0001010", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {146, "TLW_RX/TLW_RX_PIPE1", 0b000000, "0101000011", "0001011", 0x1, "IGNORE", "IGNORE", "HW"},
    {146, "TLW_RX/TLW_RX_PIPE1", 0b000000, "0101000011", "0001011", 0x2, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_RX/TLW_RX_PIPE1", 0b000000, "0101000011", "0001011", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_RX/TLW_RX_PIPE1", 0b000000, "0101000011", "0001011", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {146, "TLW_TX/TLW_TX_PIPE0", 0b000000, "0101100011", "0001100", 0x1, "IGNORE", "IGNORE", "HW"},
    {146, "TLW_TX/TLW_TX_PIPE0", 0b000000, "0101100011", "0001100", 0x2, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_TX/TLW_TX_PIPE0", 0b000000, "0101100011", "0001100", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_TX/TLW_TX_PIPE0", 0b000000, "0101100011", "0001100", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {146, "TLW_TX/TLW_TX_PIPE1", 0b000000, "0101100011", "0001101", 0x1, "IGNORE", "IGNORE", "HW"},
    {146, "TLW_TX/TLW_TX_PIPE1", 0b000000, "0101100011", "0001101", 0x2, "IGNORE", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_TX/TLW_TX_PIPE1", 0b000000, "0101100011", "0001101", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "HW"},
    {146, "TLW_TX/TLW_TX_PIPE1", 0b000000, "0101100011", "0001101", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {147, "TREX", 0b000000, "0110000100", "0001110", 0x1, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {147, "TREX", 0b000000, "0110000100", "0001110", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {148, "NVLPW_CTRL/NVLPW", 0b000000, "0000000101", "0001111", 0x80000000, "IGNORE", "CONTACT_SUPPORT", "SW"},
    {149, "NETIR/NETIR_INT", 0b000000, "0000000110", "0011000", kAny, "RESET_GPU", "SYMPATHETIC_REPORT_SOLO", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b000000, "0111000110", "0010001", kAny, "RESET_GPU",
     "SYMPATHETIC_REPORT_SOLO", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b000001, "0111000110", "0010001", kAny, "RESET_GPU", "REPORT_ISSUE",
     "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b000010, "0111000110", "0010001", kAny, "RESET_GPU", "INVESTIGATE_LINK_SI",
     "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b000100, "0111000110", "0010001", kAny, "RESET_GPU", "INVESTIGATE_LINK_SI",
     "HW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b001010, "0111000110", "0010001", kAny, "RESET_GPU", "INVESTIGATE_LINK_SI",
     "HW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b001111, "0111000110", "0010001", kAny, "RESET_GPU", "INVESTIGATE_SW_USER",
     "SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b010000, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_SW_USER_LINK_SI", "SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b010001, "0111000110", "0010001", kAny, "RESET_GPU", "INVESTIGATE_SW_USER",
     "SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b010010, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_SW_USER_LINK_SI", "SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b010101, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b010110, "0111000110", "0010001", kAny, "RESET_GPU", "INVESTIGATE_SW_USER",
     "SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100000, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100001, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100010, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100011, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100100, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100101, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_PEER_DEVICE", "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b100110, "0111000110", "0010001", kAny, "IGNORE", "INVESTIGATE_SW_USER",
     "HW/SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b101000, "0111000110", "0010001", kAny, "IGNORE", "INVESTIGATE_HOST",
     "SW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b101010, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_LINK_SI_AND_CABLES", "HW"},
    {149, "NETIR_LINK_EVT/NETIR_LINK_DOWN", 0b101011, "0111000110", "0010001", kAny, "RESET_GPU",
     "INVESTIGATE_LINK_SI_AND_CABLES", "HW"},
    {149, "NETIR_BER_EVENT", 0b000000, "1000100110", "0010011", 0x0, "IGNORE", "INVESTIGATE_LINK_SI_AND_CABLES", "HW"},
    {149, "NETIR_BER_EVENT", 0b000000, "1000100110", "0010011", 0x1, "IGNORE", "INVESTIGATE_LINK_SI_AND_CABLES", "HW"},
    {149, "NETIR_BER_EVENT", 0b000000, "1000100110", "0010011", 0x2, "IGNORE", "INVESTIGATE_LINK_SI_AND_CABLES", "HW"},
    {149, "NETIR_BER_EVENT", 0b000000, "1000100110", "0010011", 0x3, "IGNORE", "INVESTIGATE_LINK_SI_AND_CABLES", "HW"},
    {149, "NETIR_MFDE_EVENT", 0b000000, "1001000110", "0010100", 0x1, "RESET_GPU", "CONTACT_SUPPORT", "HW/SW"},
    {149, "NETIR_MFDE_EVENT", 0b000000, "1001000110", "0010100", 0x3, "IGNORE", "IGNORE", "NA"},
    {149, "NETIR_MFDE_EVENT", 0b000000, "1001000110", "0010100", 0x4, "RESET_GPU", "CONTACT_SUPPORT", "HW/SW"},
    {149, "NETIR_MFDE_EVENT", 0b000000, "1001000110", "0010100", 0x5, "RESET_GPU", "CONTACT_SUPPORT", "HW/SW"},
    {149, "NETIR_MFDE_EVENT", 0b000000, "1001000110", "0010100", 0x7, "RESET_GPU", "CONTACT_SUPPORT", "HW/SW"},
    {150, "MSE", 0b000000, "0000000000", "0000000", kAny, "RESET_GPU", "CONTACT_SUPPORT", "FW"},
    {150, "MSE_WATCHDOG", 0b000000, "0000000000", "0000000", 0x0, "RESET_GPU", "CONTACT_SUPPORT", "FW"},
};

constexpr std::array<std::string_view, 3> kFromMildToGrave{"IGNORE", "XID_154_EVAL", "RESET_GPU"};

std::optional<std::uint32_t> hex_word(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Whether the lowest bits of `word` are those of `bits` ("0011100010").
bool ends_with_bits(std::uint32_t word, std::string_view bits) {
  for (auto bit = bits.rbegin(); bit != bits.rend(); ++bit, word >>= 1)
    if ((word & 1) != static_cast<std::uint32_t>(*bit - '0')) return false;
  return true;
}

// "TLW_RX/TLW_RX_PIPE0": drivers print either name.
bool is_called(std::string_view names, std::string_view printed) {
  while (true) {
    const std::size_t slash = names.find('/');
    if (names.substr(0, slash) == printed) return true;
    if (slash == names.npos) return false;
    names.remove_prefix(slash + 1);
  }
}

struct Words {
  int xid = 0;
  std::string_view unit;
  std::uint32_t intr_info = 0;
  std::uint32_t status = 0;
};

bool has_status(const Row& row, std::uint32_t status) {
  if (row.status == kAny) return true;
  const bool is_number = row.xid >= 149;
  return is_number ? status == row.status : (status & row.status) != 0;
}

bool speaks_of(const Row& row, const Words& words) {
  const std::uint32_t reason = (words.intr_info >> 20) & 0x3f;
  return row.xid == words.xid && is_called(row.names, words.unit) && row.reason == reason &&
         has_status(row, words.status);
}

bool is_laid_out_like(const Row& row, const Words& words) {
  return ends_with_bits(words.intr_info, row.from_575) || ends_with_bits(words.intr_info, row.before);
}

std::ptrdiff_t gravity(const Row& row) {
  return std::ranges::find(kFromMildToGrave, row.action) - kFromMildToGrave.begin();
}

// The gravest row for `words`; rows whose layout fits the first word come before those that only share the name.
const Row* find_row(const Words& words) {
  const Row* best = nullptr;
  for (const Row& row : kRows) {
    if (!speaks_of(row, words)) continue;
    const auto rank = [&](const Row& of) { return std::pair(is_laid_out_like(of, words), gravity(of)); };
    if (!best || rank(row) > rank(*best)) best = &row;
  }
  return best;
}

}  // namespace

void decode_nvlink5_event(Fields& fields) {
  Words words;
  const std::string_view number = fields.get("xid");
  std::from_chars(number.data(), number.data() + number.size(), words.xid);
  const auto intr_info = hex_word(fields.get("intr_info"));
  const auto status = hex_word(fields.get("status"));
  if (!intr_info || !status) return;
  const std::string unit(fields.get("exception"));
  words.unit = unit;
  words.intr_info = *intr_info;
  words.status = *status;

  const Row* row = find_row(words);
  if (!row) return;
  fields.set("subcode", row->names.substr(0, row->names.find('/')));
  if (ends_with_bits(words.intr_info, row->from_575)) {
    fields.set("layout", "R575");
  } else if (ends_with_bits(words.intr_info, row->before)) {
    fields.set("layout", "before R575");
  }
  fields.set("action", row->action);
  fields.set("investigate", row->investigate);
  fields.set("origin", row->origin);
}

}  // namespace cutopsy
