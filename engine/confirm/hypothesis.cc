#include "engine/confirm/hypothesis.h"

#include <algorithm>

namespace cutopsy {

namespace {

const Tested* find_answer(const std::vector<Tested>& checks, bool supports, CheckAnswer answer) {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const Tested& tested) {
    return tested.supports == supports && tested.answer == answer;
  });
  return found == checks.end() ? nullptr : &*found;
}

std::string told(const Tested& tested) {
  return tested.check + ": " + tested.detail;
}

// Why a no or a contradiction does not refute here, or "".
std::string obstacle(const Tested& tested, const SameMachine& machine) {
  if (!tested.is_state) {
    return tested.check_class == "stochastic" ? "it was not reproduced, and may come again"
                                              : "it may have been so when the job failed";
  }
  if (!tested.lacks.empty()) return "the log does not tell what to ask it with (" + tested.lacks + ")";
  if (machine.is != SameMachine::Is::yes) return "nothing in the log shows that it is of this machine";
  return machine.rebooted_since ? "this machine was started again since" : "";
}

Hypothesis judged(Verdict verdict, std::string reason) {
  return {verdict, std::move(reason), {}};
}

Hypothesis judge_answers(const std::vector<Tested>& checks, const SameMachine& machine) {
  const Tested* const found = find_answer(checks, true, CheckAnswer::yes);
  const Tested* const against = find_answer(checks, false, CheckAnswer::yes);
  if (found && against) return judged(Verdict::inconclusive, told(*found) + "; but " + told(*against));
  if (found) return judged(Verdict::confirmed, told(*found));
  if (against) {
    const std::string why_not = obstacle(*against, machine);
    if (why_not.empty()) return judged(Verdict::refuted, told(*against));
    return judged(Verdict::inconclusive, told(*against) + "; " + why_not);
  }
  const bool all_ran = std::none_of(checks.begin(), checks.end(), [](const Tested& tested) {
    return tested.supports && tested.answer == CheckAnswer::unknown;
  });
  // Of several that say no the one that cannot refute decides.
  for (const Tested& tested : checks) {
    if (!tested.supports || tested.answer != CheckAnswer::no) continue;
    const std::string why_not = obstacle(tested, machine);
    if (!why_not.empty()) return judged(Verdict::inconclusive, told(tested) + "; " + why_not);
  }
  const Tested* const absent = find_answer(checks, true, CheckAnswer::no);
  if (absent && all_ran) return judged(Verdict::refuted, told(*absent));
  const Tested* const unknown = find_answer(checks, true, CheckAnswer::unknown);
  return judged(Verdict::inconclusive, unknown ? told(*unknown) : "no check asks for this fault itself");
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::not_run:
      return "not-run";
    case Verdict::confirmed:
      return "confirmed";
    case Verdict::refuted:
      return "refuted";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

Hypothesis judge(std::vector<Tested> checks, const SameMachine& machine) {
  Hypothesis hypothesis;
  const bool any_ran =
      std::any_of(checks.begin(), checks.end(), [](const Tested& tested) { return !tested.could_not_run; });
  if (checks.empty()) {
    hypothesis.reason = "no check of the machine can tell";
  } else if (machine.is == SameMachine::Is::no) {
    hypothesis = judged(Verdict::inconclusive, "the log is of another machine: " + machine.detail);
  } else if (!any_ran) {
    hypothesis.reason = told(checks.front());
  } else {
    hypothesis = judge_answers(checks, machine);
  }
  hypothesis.checks = std::move(checks);
  return hypothesis;
}

}  // namespace cutopsy
