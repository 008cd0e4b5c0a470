// What NVIDIA's Xid catalogue says of the words that an NVLink 5 event prints (Xid 144-150).
//
// Such a line names a unit, how grave the event is, its link, and words of which the first two decide:
//   RLW_SRC_TRACK Nonfatal XC1 i0 Link 10 (0x04082907 0x00000008 ...)
// The first holds the unit and, for a link that went down, the reason; the second is the unit's error status.
#pragma once

#include "parsers/event.h"

namespace cutopsy {

/// Reads `xid`, `exception`, `intr_info` and `status` of `fields`. Where the catalogue has a row for them, adds
///   subcode      the unit as the catalogue names it
///   layout       of the first word: "R575" or "before R575" (absent when the word fits neither)
///   action       to be taken at once: IGNORE, RESET_GPU, XID_154_EVAL (do what the Xid 154 after it says)
///   investigate  what to look into afterwards: CONTACT_SUPPORT, INVESTIGATE_LINK_SI, INVESTIGATE_PEER_DEVICE, ...
///   origin       HW, SW, FW, HW/SW
/// Of several status bits, that with the gravest action counts.
void decode_nvlink5_event(Fields& fields);

}  // namespace cutopsy
