// How a command that diagnoses writes its report: the options that all of them share.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <string>
#include <vector>

#include "engine/batch.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

struct ReportOptions {
  std::string format = "text";
  std::string colour = "auto";
  bool why = false;
  std::vector<std::string> rules;

  /// Adds --format, --color, --why and --rules.
  void add_to(boost::program_options::options_description& options);
  /// False after a message on stderr when a value is none of those that its option has.
  bool are_valid() const;
  /// The report; "auto" colours it when `descriptor` is a terminal.
  std::string render(const Batch& batch, const RuleSet& rules, int descriptor) const;
};

}  // namespace cutopsy
