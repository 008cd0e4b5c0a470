// How severe a logger says that its line is.
#pragma once

#include <cstddef>
#include <string_view>

namespace cutopsy {

struct LevelWord {
  std::size_t length = 0;  ///< bytes, 0: no level stands there
  std::string_view level;  ///< "debug", "info", "warning", "error" or "fatal"; static storage
};

/// A level spelled out at the beginning of `text` and not part of a longer word: "WARNING", "warn", "Error".
LevelWord read_level_word(std::string_view text);

/// The same in capitals.
LevelWord read_capital_level_word(std::string_view text);

/// The letter for a level, as glog, klog, TensorFlow and TensorRT print it.
LevelWord read_level_letter(std::string_view text);

/// The priority of a syslog line (RFC 5424: facility * 8 + severity), or the severity alone.
LevelWord read_priority(std::string_view text);

}  // namespace cutopsy
