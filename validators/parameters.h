// What a check is told: settings by name, often words captured from a log, so never trusted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cutopsy {

class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::map<std::string, std::string, std::less<>> values) : values_(std::move(values)) {}

  const std::map<std::string, std::string, std::less<>>& values() const { return values_; }
  void set(std::string name, std::string value) { values_[std::move(name)] = std::move(value); }

  /// The text, control characters refused and at most 4,096 bytes; no value when absent or refused.
  std::optional<std::string> text(std::string_view name) const;
  /// A count of bytes: "20 GiB", "1.5GB", "512 MB" and "64M" count in powers of 1,024 as the logs of this field do,
  /// a bare number counts bytes. Clamped to [0, `most`]; no value when absent or no size.
  std::optional<std::uint64_t> bytes(std::string_view name, std::uint64_t most) const;
  /// A whole number in [least, most], clamped; no value when absent or no number.
  std::optional<std::int64_t> number(std::string_view name, std::int64_t least, std::int64_t most) const;
  /// An absolute path without ".." parts, to look at and never to run; no value when absent or of another form.
  std::optional<std::string> path(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace cutopsy
