// The actions of `cutopsy rules`. Each prints its result to standard output, messages to standard error, and returns
// the exit status: 0 all well, 1 it found something, 2 the request was wrong.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/report/message.h"

namespace cutopsy {

struct RulesRequest {
  std::vector<std::string> names;  ///< what follows the options: ids, globs, files, logs
  std::vector<std::string> rules;  ///< --rules
  std::string format = "text";
  std::string family;
  std::string severity;
  std::string status;
  std::string from;  ///< rules new: LOG, LOG:LINE or LOG:LINE,LINE
  bool origin = false;
};

namespace rules_action {

inline constexpr int kGood = 0, kFound = 1, kUsage = 2;

// rules_query.cc: what the rules say.
int list(const RulesRequest& request);
int show(const RulesRequest& request);
int events(const RulesRequest& request);
int schema(const RulesRequest& request);
int diff(const RulesRequest& request);

// rules_authoring.cc: how good rules are.
int lint(const RulesRequest& request);
int test(const RulesRequest& request);
int coverage(const RulesRequest& request);
int draft(const RulesRequest& request);

/// Prints why the request is wrong; returns kUsage.
template <typename... Values>
int refuse(fmt::format_string<Values...> message, Values&&... values) {
  print_message("cutopsy rules: {}\n", fmt::format(message, std::forward<Values>(values)...));
  return kUsage;
}

}  // namespace rules_action
}  // namespace cutopsy
