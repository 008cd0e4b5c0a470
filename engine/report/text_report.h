// The report for people: what broke, why, what to do, and where the log says so.
#pragma once

#include <string>

#include "engine/batch.h"

namespace cutopsy {

struct TextStyle {
  bool colour = false;
  bool why = false;         ///< show how each finding follows from the root, with the lines that tell
  std::size_t width = 100;  ///< columns to wrap prose at
};

std::string text_report(const Batch& batch, const TextStyle& style);

}  // namespace cutopsy
