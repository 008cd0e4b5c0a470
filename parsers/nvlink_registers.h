// What the bits of the seven registers mean that an NVLink error prints (Xid 74, NVLink 3 and 4):
//   NVLink: fatal error detected on link 5(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)
#pragma once

#include "parsers/event.h"

namespace cutopsy {

/// Reads `registers` of `fields`, if they are seven words. Adds
///   bits     those that are set, as "register:bit", both counted from 0 ("2:16")
///   finding  what the gravest of them means: ecc or parity, mechanical, signal, fabric reset, repeating,
///            unlisted (no row of the catalogue), secondary, corrected, ignorable
void decode_nvlink_registers(Fields& fields);

}  // namespace cutopsy
