// What a check found out: yes, no or unknown, and the measurement behind it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cutopsy {

/// To a question that is phrased so that yes always means: the fault is present.
enum class Reply { yes, no, unknown };

/// Why a reply is unknown.
enum class Doubt {
  none,            ///< it is not
  undecided,       ///< it ran; what was seen proves neither
  not_applicable,  ///< this machine has nothing of what is asked about (no NVLink, no ECC): no failure
  could_not_run,   ///< a library, a right, an idle device or a working context is missing; the check died or hung
};

/// One number or word that was read, for people and for JSON.
struct Measurement {
  std::string name;   ///< lower-case with underscores, e.g. "free_bytes"
  std::string value;  ///< as text; in the unit that the name ends with (bytes, seconds, celsius, percent), if any
};

struct Answer {
  Reply reply = Reply::unknown;
  Doubt doubt = Doubt::undecided;
  std::string detail;  ///< one sentence: what was measured and what it means; for unknown, why
  std::string advice;  ///< what to do about a yes or a check that could not run; "" when nothing
  std::vector<Measurement> measurements;

  static Answer yes(std::string detail, std::string advice = "") {
    return {Reply::yes, Doubt::none, std::move(detail), std::move(advice), {}};
  }
  static Answer no(std::string detail) { return {Reply::no, Doubt::none, std::move(detail), "", {}}; }
  static Answer undecided(std::string why, std::string advice = "") {
    return {Reply::unknown, Doubt::undecided, std::move(why), std::move(advice), {}};
  }
  static Answer not_applicable(std::string why) {
    return {Reply::unknown, Doubt::not_applicable, std::move(why), "", {}};
  }
  static Answer could_not_run(std::string why, std::string advice = "") {
    return {Reply::unknown, Doubt::could_not_run, std::move(why), std::move(advice), {}};
  }
  /// The same answer with one more measurement.
  Answer with(std::string name, std::string value) && {
    measurements.push_back({std::move(name), std::move(value)});
    return std::move(*this);
  }
};

}  // namespace cutopsy
