// What the saboteur is to do: statements of words, separated by semicolons or ends of lines, in CUTOPSY_SABOTAGE.
// README.md in this folder lists them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy::saboteur {

enum class Kind { flip, alias, multiprocessor, copy_to_device, copy_to_host, copy_to_peer, fail, delay, sparse };

/// One statement. Which members count depends on its kind; the rest stay as they are here.
struct Act {
  static constexpr std::uint64_t kEvery = 0;    ///< as `nth`
  static constexpr std::uint64_t kLargest = 0;  ///< as `allocation`

  Kind kind = Kind::sparse;
  std::string subject;           ///< a kernel or a function
  std::uint64_t nth = kEvery;    ///< at which launch, copy or call of it, counted from 1
  std::uint64_t allocation = 0;  ///< which allocation of device memory, counted from 1
  std::int64_t offset = 0;       ///< bytes from its beginning, negative ones from its end
  std::int64_t other = 0;        ///< the same of a second place
  std::uint64_t mask = 0;        ///< the bits to flip of the word of eight bytes
  std::uint64_t number = 0;      ///< of a multiprocessor; an error's code; milliseconds; bytes
  int from = 0;                  ///< ordinals of devices
  int to = 0;
};

/// Ends the process with a message when a statement is none: a misspelt sabotage must not pass for none.
std::vector<Act> parse(std::string_view text);

/// Says why on standard error and in the log, and ends the process.
[[noreturn]] void refuse(const std::string& why);
/// Adds a line to the file that CUTOPSY_SABOTEUR_LOG names, if any: a worker has no other output.
void log(const std::string& line);

}  // namespace cutopsy::saboteur
