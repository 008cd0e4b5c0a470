// The report for people: what broke, why, what to do, and where the log says so.
#pragma once

#include <string>

#include "engine/report/json.h"

namespace cutopsy {

struct TextStyle {
  bool colour = false;
  bool why = false;         ///< show how each finding follows from the root, with the lines that tell
  bool statistics = false;  ///< close with how much was read and what came of it
  std::size_t width = 100;  ///< columns to wrap prose at
};

/// Several cases: one row for each fingerprint, those that broke most cases first.
std::string text_report(const Json& document, const TextStyle& style);

}  // namespace cutopsy
