// How a command writes its report: the options that all of them share.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/baseline.h"
#include "engine/report/json.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

struct ReportOptions {
  std::string format = "text";
  std::string colour = "auto";
  bool why = false;
  bool statistics = false;
  bool redact = false;
  std::vector<std::string> outputs;  ///< FORMAT=FILE
  std::string baseline_file;
  std::vector<std::string> rules;
  std::optional<Baseline> baseline;  ///< what prepare() read from its file

  void add_to(boost::program_options::options_description& options);
  /// False after a message on stderr when an option has a wrong value or the baseline cannot be read.
  bool prepare();
  /// False after a message on stderr when a file of --output is `path`, which the user wants to keep.
  bool spare(const std::string& path) const;
  /// Marks what is known and masks what is private: once, before anything is written.
  void finish(Json& document) const;
  /// Writes the files of --output; false after a message on stderr for each that could not be written.
  bool write_files(const Json& document, const RuleSet& rules) const;
  /// The report of --format; "auto" colours it when `descriptor` is a terminal.
  std::string render(const Json& document, const RuleSet& rules, int descriptor) const;
};

/// True when something that no baseline knows is as bad as --fail-on says, or worse.
bool is_reached(const std::string& fail_on, const Json& document);

inline const std::vector<std::string> kFailOnValues = {"fatal", "error", "warning", "never"};

}  // namespace cutopsy
