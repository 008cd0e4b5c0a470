// The statuses of the CUDA runtime, the driver and their libraries, and how to find one by what a log prints of it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace cutopsy {

struct Status {
  std::string_view name;  ///< the enumerator: cudaErrorIllegalAddress
  std::string_view
      family;    ///< runtime, driver, cublas, cudnn, cufft, curand, cusolver, cusparse, nvrtc, nccl, nvjitlink
  int code = 0;  ///< 0 is success in every family
  std::string_view printed;  ///< the description that the library itself prints, or ""
};

std::span<const Status> status_table();

const Status* find_status(std::string_view name);
const Status* find_status(std::string_view family, int code);
/// The meaning of a number before CUDA 10.1 renumbered the runtime's statuses, and cuDNN 9 its own.
const Status* find_legacy_status(std::string_view family, int code);

/// The family that an identifier's spelling puts it in, whether or not the table lists it; "" if it is no status.
std::string_view family_of(std::string_view identifier);

/// A description that a text begins with.
struct Description {
  const Status* status = nullptr;  ///< null: none
  std::size_t length = 0;          ///< of the description, in bytes
};

/// The longest description that `text` begins with, as `family` would print it: NCCL and cuSPARSE have words of their
/// own, all others share the runtime's. With the family "driver" the status is the driver's wherever it has one of that
/// meaning.
Description find_description(std::string_view text, std::string_view family);

/// True when both name one fault: equal, or the runtime's and the driver's status of one number.
bool same_fault(const Status& a, const Status& b);

}  // namespace cutopsy
