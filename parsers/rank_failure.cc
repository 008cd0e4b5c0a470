// Formats:
//   torchrun    torch/distributed/elastic/multiprocessing/{api.py, errors/__init__.py}, torch/multiprocessing/spawn.py
//   DeepSpeed   deepspeed/launcher/launch.py;  Horovod  horovod/runner/gloo_run.py
//   Slurm       src/srun/task_state.c, src/srun/libsrun/launch.c
//   MPI         Open MPI orte/tools/orterun/help-orterun.txt and PRRTE's, MPICH Hydra src/pm/hydra
//   Ray         src/ray/raylet/node_manager.cc, python/ray/exceptions.py
//   Python      subprocess.CalledProcessError;  shells  "FILE: line N: PID Killed  COMMAND"
//   containers  kubectl describe and get -o json/yaml, docker compose;  CI  the runners' closing lines
// torchrun's ChildFailedError block tells rank, exit code and signal of a failure in three lines: three events.
#include "parsers/rank_failure.h"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kFailures[] = {
    {"failed (exitcode: ",
     R"(failed \(exitcode: (?P<exitcode>-?[1-9]\d{0,9})\) local_rank: (?P<local_rank>\d+) \(pid: (?P<pid>\d+)\))",
     "torchrun"},
    {"exitcode  : ", R"(\bexitcode  : (?P<exitcode>-?[1-9]\d{0,9}) \(pid: (?P<pid>\d+)\))", "torchrun"},
    {"(local_rank: ", R"(\brank\s*: (?P<rank>\d+) \(local_rank: (?P<local_rank>\d+)\))", "torchrun"},
    {") received by PID ", R"(\bSignal (?P<signal>\d{1,2}) \(\w+\) received by PID (?P<pid>\d+))", "torchrun"},
    {"terminated with the foll", R"(Process (?P<local_rank>\d+) terminated with the following error)", "torch"},
    {"terminated with signal", R"([Pp]rocess (?P<local_rank>\d+) terminated with signal (?P<signal>SIG\w+|\d+))",
     "torch"},
    {"terminated with exit",
     R"((?:[Pp]rocess (?P<local_rank>\d+) )?terminated with exit code (?P<exitcode>-?[1-9]\d{0,9}))", "torch"},
    {"exits with return code",
     R"((?:--local_rank=(?P<local_rank>\d+)\b.*)?exits with return code = (?P<exitcode>-?[1-9]\d{0,9}))", "deepspeed"},
    {"Killing subprocess ", R"(Killing subprocess (?P<pid>\d+))", "deepspeed"},
    {"exit with status code", R"(Process (?P<rank>\d+) exit with status code (?P<exitcode>[1-9]\d{0,9}))", "horovod"},

    {"Exited with exit code ",
     R"((?:(?:(?P<host>[\w.-]+): )?tasks? (?P<rank>\d[\d,-]*): )?Exited with exit code (?P<exitcode>[1-9]\d{0,9}))",
     "slurm"},
    {": task",
     R"((?P<host>[\w.-]+): tasks? (?P<rank>\d[\d,-]*): (?P<signal>Killed|Aborted|Terminated|Hangup|)"
     R"(Segmentation fault|Bus error|Floating point exception|Illegal instruction)\b)",
     "slurm"},
    {"process rank ",
     R"(process rank (?P<rank>\d+) with PID (?P<pid>\d+)(?: on node (?P<host>\S+))? exited on)"
     R"((?: signal (?P<signal>\d{1,2})\b)?)",
     "mpirun"},
    {"Process name: ", R"(Process name: (?:\[[^\s\]]*\]?,)?(?P<rank>\d+)\]?(?:\s|$))", "mpirun"},
    {"MPI_ABORT was invoked", R"(MPI_ABORT was invoked on rank (?P<rank>\d+))", "mpirun"},
    {"with errorcode ", R"(^\s*with errorcode (?P<exitcode>-?[1-9]\d{0,9})\.?$)", "mpirun"},
    {"called MPI_Abort(", R"(called MPI_Abort\(\w+, (?P<exitcode>-?\d{1,10})\) - process (?P<rank>\d+))", "mpich"},
    {" RUNNING AT ", R"((?:RANK (?P<rank>\d+) )?PID (?P<pid>\d+) RUNNING AT (?P<host>\S+))", "mpich"},
    {"EXIT CODE: ", R"(EXIT CODE: (?P<exitcode>[1-9]\d{0,9}))", "mpich"},
    {"KILLED BY SIGNAL: ", R"(KILLED BY SIGNAL: (?P<signal>\d{1,2})\b)", "mpich"},

    {"Worker PID: ", R"(Worker IP address: (?P<host>\S+) .*?Worker PID: (?P<pid>\d+))", "ray"},
    {"worker died", R"((?:A worker died or was killed while|The worker died unexpectedly))", "ray"},
    {"The actor died", R"(The actor died (?:unexpectedly|because))", "ray"},
    {"The actor is dead", R"(The actor is dead because its (?:worker process|node|owner))", "ray"},

    {"returned non-zero exit",
     R"(\b(?:python[\d.]*|torchrun|accelerate|deepspeed|horovodrun|mpirun|mpiexec|srun)\b.*?)"
     R"((?:--local_rank=(?P<local_rank>\d+)\b.*)?returned non-zero exit status (?P<exitcode>[1-9]\d{0,9}))",
     "python"},
    {"died with ", R"((?:--local_rank=(?P<local_rank>\d+)\b.*)?died with \W{0,4}Signals\.(?P<signal>SIG\w+))",
     "python"},
    {": line ",
     R"(: line \d+:\s+(?P<pid>\d+) (?P<signal>Killed|Aborted|Terminated|Segmentation fault|Bus error|)"
     R"(Floating point exception|Illegal instruction)\b)",
     "shell"},

    {"exited with code ", R"((?:\btask (?P<rank>\d+) )?exited with code '?(?P<exitcode>-?[1-9]\d{0,9}))", "container"},
    {"exited with exit code ", R"((?:(?P<host>[\w.-]+): ssh )?exited with exit code (?P<exitcode>[1-9]\d{0,9}))",
     "pdsh"},
    {"Exit Code: ", R"(\bExit Code:\s+(?P<exitcode>[1-9]\d{0,9})\b)", "kubernetes"},
    {"Exit code: ", R"(\bExit code:\s+(?P<exitcode>[1-9]\d{0,9})\b)", "mpirun"},
    {"exitCode", R"(\bexitCode\W{1,4}(?P<exitcode>[1-9]\d{0,9})\b)", "kubernetes"},
    {"exit_code", R"re(\bexit_code(?:"?: ?|=)(?P<exitcode>[1-9]\d{0,9})\b)re", "container"},
    {"a non-zero exit code", R"(exited with a non-zero exit code (?P<exitcode>[1-9]\d{0,9}))", "container"},
    {"non-zero code: ", R"(returned a non-zero code: (?P<exitcode>[1-9]\d{0,9}))", "docker"},
    {"did not complete success", R"(did not complete successfully: exit code: (?P<exitcode>[1-9]\d{0,9}))", "docker"},

    {"completed with exit code", R"(Process completed with exit code (?P<exitcode>-?[1-9]\d{0,9}))", "ci"},
    {"finished with exit code", R"(Process finished with exit code (?P<exitcode>-?[1-9]\d{0,9}))", "ci"},
    {"returned exit code ", R"(script returned exit code (?P<exitcode>[1-9]\d{0,9}))", "ci"},
    {"exited with status ", R"(command exited with status (?P<exitcode>-?[1-9]\d{0,9}))", "ci"},
    {"Job failed: ", R"(Job failed: (?:.* )?exit (?:code|status) (?P<exitcode>[1-9]\d{0,9}))", "ci"},
};

constexpr auto kTriggers = triggers_of(kFailures);

// Signal numbers of Linux by enumerator and by the shell's word (signal(7), strsignal(3)).
constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kSignals{{
    {"SIGHUP", "1"},
    {"Hangup", "1"},
    {"SIGINT", "2"},
    {"SIGQUIT", "3"},
    {"SIGILL", "4"},
    {"SIGTRAP", "5"},
    {"SIGABRT", "6"},
    {"SIGIOT", "6"},
    {"Aborted", "6"},
    {"SIGBUS", "7"},
    {"Bus error", "7"},
    {"SIGFPE", "8"},
    {"SIGKILL", "9"},
    {"Killed", "9"},
    {"SIGUSR1", "10"},
    {"SIGSEGV", "11"},
    {"SIGUSR2", "12"},
    {"SIGPIPE", "13"},
    {"SIGALRM", "14"},
    {"SIGTERM", "15"},
    {"Terminated", "15"},
    {"SIGXCPU", "24"},
    {"Illegal instruction", "4"},
    {"Segmentation fault", "11"},
    {"Floating point exception", "8"},
}};

// The signal behind an exit code: -9 (Python) or 137 (128 + 9, shells and containers); 0 when it tells none.
int signal_of(std::string_view exitcode) {
  constexpr int kLastSignal = 64;
  int code = 0;
  const auto [stop, error] = std::from_chars(exitcode.data(), exitcode.data() + exitcode.size(), code);
  if (error != std::errc()) return 0;
  if (code < 0 && code >= -kLastSignal) return -code;
  if (code > 128 && code <= 128 + kLastSignal) return code - 128;
  return 0;
}

void number_signal(Fields& fields) {
  const std::string printed(fields.get("signal"));
  for (const auto& [name, number] : kSignals)
    if (printed == name) fields.set("signal", number);
  if (!printed.empty()) return;
  if (const int signal = signal_of(fields.get("exitcode"))) fields.set("signal", std::to_string(signal));
}

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook failures(kFailures);
  Event event = line_event(line, "launcher.rank_failed", "");
  const Phrase* failure = failures.find(line.text, event.fields);
  if (!failure) return;
  event.emitter = failure->emitter;
  number_signal(event.fields);
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kRankFailureParser{"rank_failure", kTriggers, parse};

}  // namespace cutopsy
