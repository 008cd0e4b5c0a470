// Lines with a fact that they must give.
#pragma once

#include <span>

#include "tests/unit/parse_probe.h"

namespace cutopsy {

struct FactSample {
  const char* line;
  const char* fact;
  const char* value;
};

inline void expect_facts(const LineParser& parser, std::span<const FactSample> samples) {
  for (const FactSample& sample : samples)
    EXPECT_EQ(parse_line(parser, sample.line).fact(sample.fact), sample.value) << sample.fact << " in: " << sample.line;
}

inline void expect_no_facts(const LineParser& parser, std::span<const char* const> lines) {
  for (const char* line : lines) {
    const Parsed parsed = parse_line(parser, line);
    EXPECT_TRUE(parsed.facts.empty()) << parsed.facts.front().name << " from: " << line;
  }
}

/// The fact of that name; one without a value when there is none.
inline Fact fact_named(const Parsed& parsed, std::string_view name) {
  for (const Fact& fact : parsed.facts)
    if (fact.name == name) return fact;
  ADD_FAILURE() << "no fact " << name;
  return {};
}

}  // namespace cutopsy
