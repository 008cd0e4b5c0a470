// Formats:
//   torchrun    torch/distributed/elastic/multiprocessing/{api.py, errors/__init__.py}, torch/multiprocessing/spawn.py
//   DeepSpeed   deepspeed/launcher/launch.py;  Horovod  horovod/runner/gloo_run.py
//   Slurm       src/srun/task_state.c, src/srun/libsrun/launch.c
//   MPI         Open MPI orte/tools/orterun/help-orterun.txt and PRRTE's, MPICH Hydra src/pm/hydra
//   Ray         src/ray/raylet/node_manager.cc, python/ray/exceptions.py
//   Python      subprocess.CalledProcessError;  shells  "FILE: line N: PID Killed  COMMAND"
//   containers  kubectl describe and get -o json/yaml, docker compose;  CI  the runners' closing lines
// torchrun's list of failures, where each takes several lines, is read by torchrun_failures.cc.
#include "parsers/rank_failure.h"

#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"
#include "parsers/signal_number.h"

namespace cutopsy {
namespace {

constexpr Phrase kFailures[] = {
    {"failed (exitcode: ",
     R"(failed \(exitcode: (?P<exitcode>-?[1-9]\d{0,9})\) local_rank: (?P<local_rank>\d+) \(pid: (?P<pid>\d+)\))",
     "torchrun"},
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
    {"exited due to process", R"(has exited due to process rank (?P<rank>\d+) with PID (?P<pid>\d+))", "mpirun"},
    {"received signal SIG", R"(MPT ERROR: Rank (?P<rank>\d+)\(g:\d+\) received signal (?P<signal>SIG\w+)\()", "mpt"},
    // PRRTE breaks the line before the signal.
    {"(Killed).", R"(^signal (?P<signal>9) \(Killed\)\.$)", "mpirun"},
    {"(Segmentation fault).", R"(^signal (?P<signal>11) \(Segmentation fault\)\.$)", "mpirun"},
    {"(Aborted).", R"(^signal (?P<signal>6) \(Aborted\)\.$)", "mpirun"},
    {"(Bus error).", R"(^signal (?P<signal>7) \(Bus error\)\.$)", "mpirun"},
    {"Process name: ", R"(Process name: (?:\[[^\s\]]*\]?,)?(?P<rank>\d+)\]?(?:\s|$))", "mpirun"},
    {"MPI_ABORT was invoked", R"(MPI_ABORT was invoked on rank (?P<rank>\d+))", "mpirun"},
    {"with errorcode ", R"(^\s*with errorcode (?P<exitcode>-?[1-9]\d{0,9})\.?$)", "mpirun"},
    {"called MPI_Abort(", R"(called MPI_Abort\(\w+, (?P<exitcode>-?\d{1,10})\) - process (?P<rank>\d+))", "mpich"},
    {" RUNNING AT ", R"((?:RANK (?P<rank>\d+) )?PID (?P<pid>\d+) RUNNING AT (?P<host>\S+))", "mpich"},
    {"EXIT CODE: ", R"(EXIT CODE: (?P<exitcode>[1-9]\d{0,9}))", "mpich"},
    {"EXIT STRING: ", R"(EXIT STRING: [\w ]+ \(signal (?P<signal>\d{1,2})\))", "mpich"},
    {"KILLED BY SIGNAL: ", R"(KILLED BY SIGNAL: (?P<signal>\d{1,2})\b)", "mpich"},

    {"Worker PID: ", R"(Worker IP address: (?P<host>\S+) .*?Worker PID: (?P<pid>\d+))", "ray"},
    {"worker died", R"((?:A worker died or was killed while|The worker died unexpectedly))", "ray"},
    {"The actor died", R"(The actor died (?:unexpectedly|because))", "ray"},
    {"The actor is dead", R"(The actor is dead because its (?:worker process|node|owner))", "ray"},

    {"terminated with code ",
     R"(Child process with PID (?P<pid>\d+) terminated with code (?P<exitcode>-?[1-9]\d{0,9}))", "lightning"},
    {"to shutdown with signal ", R"(process was signaled to shutdown with signal (?P<signal>\d{1,2})\b)",
     "text-generation-inference"},

    {"returned non-zero exit",
     R"(\b(?:python[\d.]*|torchrun|accelerate|deepspeed|horovodrun|mpirun|mpiexec|srun)\b.*?)"
     R"((?:--local_rank=(?P<local_rank>\d+)\b.*)?returned non-zero exit status (?P<exitcode>[1-9]\d{0,9}))",
     "python"},
    {"died with ", R"((?:--local_rank=(?P<local_rank>\d+)\b.*)?died with \W{0,4}Signals\.(?P<signal>SIG\w+))",
     "python"},
    {": line ",
     R"(: line \d+:\s+(?P<pid>\d+) (?P<signal>Killed|Aborted|Segmentation fault|Bus error|)"
     R"(Floating point exception|Illegal instruction)\b)",
     "shell"},
    // Scripts end their monitors so when the work is done.
    {": line ",
     R"(: line \d+:\s+(?P<pid>\d+) (?P<signal>Terminated) .*)"
     R"(\b(?:python[\d.]*|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|horovodrun|\w*train\w*)\b)",
     "shell"},

    {"exited with code ", R"((?:\btask (?P<rank>\d+) )?exited with code '?(?P<exitcode>-?[1-9]\d{0,9}))", "container"},
    {"exited with exit code ", R"((?:(?P<host>[\w.-]+): ssh )?exited with exit code (?P<exitcode>[1-9]\d{0,9}))",
     "pdsh"},
    {"Exit Code: ", R"(\bExit Code:\s+(?P<exitcode>[1-9]\d{0,9})\b)", "kubernetes"},
    {"Exit code: ", R"(\bExit code:\s+(?P<exitcode>-?[1-9]\d{0,9})\b)", "mpirun"},
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
