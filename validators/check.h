// A check: one yes/no question to the machine, and what is needed to ask it.
//
// Yes always means that the fault is present. A check never sets, resets or kills anything and takes only memory that
// is free. Each check is one file in validators/checks/; a new one is that file, a line in checks.h and one in
// registry.cc.
#pragma once

#include <chrono>
#include <span>
#include <string_view>

#include "validators/answer.h"
#include "validators/gpu.h"
#include "validators/host.h"
#include "validators/parameters.h"

namespace cutopsy {

class Nvml;
class CudaDriver;
struct LoadRecord;

/// What a no proves. Only a state can be refuted, and only on the log's own machine.
enum class CheckClass {
  state,       ///< versions, flags, architectures: they stay until someone changes them
  transient,   ///< free memory, holders, device nodes: what is gone now may have been there then
  stochastic,  ///< bad cells, silent corruption, noise: a no is "not reproduced", with the coverage stated
};

enum class Need {
  nothing,      ///< reads files of the machine
  nvml,         ///< asks libnvidia-ml
  context,      ///< makes a CUDA context; fine beside other work
  idle_gpu,     ///< loads the device or fills its memory: skipped on a busy one unless forced
  two_gpus,     ///< idle_gpu, and a second one
  load_record,  ///< asks the observer what it saw of the GPU while `loads` ran, which are run first
};

/// The least level at which a check runs without being named: under 10 s, under 60 s, or as the budget allows.
enum class Level { quick, standard, thorough };

/// Which words a parameter takes.
enum class Form {
  text,    ///< any, or those that the check itself knows
  bytes,   ///< a size, as Parameters::bytes reads it
  number,  ///< a whole number
};

struct Parameter {
  std::string_view name;
  std::string_view meaning;  ///< with its unit and what is assumed when absent
  Form form = Form::text;
};

/// "state", "transient", "stochastic".
std::string_view to_string(CheckClass check_class);
/// "nothing", "nvml", "context", "idle_gpu", "two_gpus", "load_record".
std::string_view to_string(Need need);
/// "quick", "standard", "thorough".
std::string_view to_string(Level level);

/// What a running check may use.
struct Inquiry {
  const Host& host;
  const Parameters& parameters;
  const Gpu& gpu;  ///< the one asked about; empty for checks of the whole machine
  Level level = Level::quick;
  std::chrono::milliseconds budget;    ///< what the check may spend
  Nvml* nvml = nullptr;                ///< given when Need::nvml
  CudaDriver* cuda = nullptr;          ///< given when a context is needed; initialised, `gpu` is its device 0
  const LoadRecord* record = nullptr;  ///< given when Need::load_record
};

struct Check {
  std::string_view name;
  std::string_view question;  ///< "Is ...?"
  std::string_view decision;  ///< when the answer is yes, no, unknown; where the threshold comes from
  CheckClass check_class = CheckClass::state;
  Need need = Need::nothing;
  Level level = Level::quick;
  bool per_gpu = false;                      ///< asked once for each GPU
  std::chrono::milliseconds deadline{5000};  ///< after this its child is killed
  std::span<const Parameter> parameters = {};
  std::span<const std::string_view> blocked_by = {};  ///< checks whose yes (or failure to run) makes this one pointless
  /// Of Need::load_record: the checks whose load it asks about, which may depend on the parameters.
  std::span<const std::string_view> (*loads)(const Parameters&) = nullptr;
  bool on_request = false;   ///< asked only by name or by a rule: it needs words of a log, or its yes is common
  bool hang_is_yes = false;  ///< that its child hangs or dies in the driver is the fault asked about
  Answer (*ask)(const Inquiry&) = nullptr;
};

/// All checks, in the order in which they are asked: what others depend on comes first.
std::span<const Check* const> all_checks();
/// What is wrong with the first parameter that has not the form which a check asks of that name: "size '2 apples' is no
/// size; write 20 GiB"; "" when all are well.
std::string malformed(const Parameters& parameters);
/// The check of that name, or nullptr.
const Check* find_check(std::string_view name);

}  // namespace cutopsy
