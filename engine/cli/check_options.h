// The options of commands that ask the machine: `check`, and those that take --confirm.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/batch.h"
#include "engine/rule/rule_set.h"
#include "validators/runner.h"

namespace cutopsy {

struct CheckOptions {
  std::vector<std::string> gpus;
  std::string level = "quick";
  std::optional<std::string> budget;
  bool force = false;
  std::string sysroot;
  std::optional<std::string> pid;
  std::string python;
  std::vector<std::string> with;

  /// Adds --gpu, --level, --budget, --force, --sysroot, --pid, --python and --with.
  void add_to(boost::program_options::options_description& options);
  /// False after a message on stderr when a value is wrong.
  bool are_valid() const;
  /// What the runner is told; without a budget each level has its own. `on_start` shows progress on a terminal.
  RunOptions run_options() const;
  /// How long all checks of the level together may take; none when a budget is given instead.
  std::optional<std::chrono::milliseconds> time_limit() const;
  /// The parameters that the user gives to every check that knows them. Asks the interpreter that --python names for
  /// its torch; no value after a message on stderr when that fails.
  std::optional<Parameters> parameters() const;
};

/// The signals that end checks before their time: those of Ctrl-C, kill and a closed terminal, without what whoever
/// started us has set to be ignored.
std::vector<int> ending_signals();

/// --confirm and what belongs to it, for commands that diagnose.
struct ConfirmRequest {
  bool confirm = false;
  bool this_machine = false;
  CheckOptions checks;

  void add_to(boost::program_options::options_description& options);
  /// False after a message on stderr when a value is wrong.
  bool is_valid() const;
  /// Tests the incidents on this machine when that is asked for, until a signal ends it (then with a message on stderr;
  /// what was not asked is untested). False after a message on stderr when the options cannot be followed.
  bool apply(Batch& batch, const RuleSet& rules) const;
};

}  // namespace cutopsy
