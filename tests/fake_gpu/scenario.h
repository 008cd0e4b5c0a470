// What the simulated machine is like: an INI file named by CUTOPSY_FAKE_GPU, read by both simulated libraries.
//
//   cuda_version = 12080          # before any section: the driver
//   [gpu 0]                       # a device, in NVML's order
//   name = NVIDIA H200
//   ecc.volatile.uncorrected = 1
//
// README.md in this folder lists the keys. A '#' at a line's start or after white space begins a comment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutopsy::fake {

class Scenario {
 public:
  /// One section's values. A key that is absent has the default that the caller names.
  class Section {
   public:
    std::string text(std::string_view key, std::string_view otherwise = "") const;
    /// Decimal, or hexadecimal with 0x; "4 MiB" and "2 GiB" count in powers of 1,024.
    std::int64_t number(std::string_view key, std::int64_t otherwise = 0) const;
    bool has(std::string_view key) const { return values.contains(key); }
    /// Words separated by commas.
    std::vector<std::string> words(std::string_view key) const;

    std::map<std::string, std::string, std::less<>> values;
  };

  /// Parses the text of a scenario file. A line that is none of the forms above ends the process with a message: a
  /// misspelt scenario must not pass for a healthy one.
  static Scenario parse(std::string_view text);
  /// The file that CUTOPSY_FAKE_GPU names; without the variable, one healthy device.
  static const Scenario& current();

  const Section& driver() const { return driver_; }
  const std::vector<Section>& gpus() const { return gpus_; }

 private:
  Section driver_;
  std::vector<Section> gpus_;
};

}  // namespace cutopsy::fake
