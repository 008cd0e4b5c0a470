// Formats: the closing lines of shells, launchers, schedulers, container platforms, CI runners, trainers and test
// runners.
//
// `outcome` decides whether an error counts as survived. So only lines are taken that programs print on success alone:
// not uvicorn's "Finished server process" (vLLM prints it after its engine died, too), not detectron2's "Total
// training time" or YOLOX's "Training of experiment is done" (printed while an exception passes). gtest's "PASSED"
// and unittest's "Ran" count because the line that counts the failed ones stands behind them and is a bad end. A
// non-zero exit code counts as a bad end: it is taken only where the line reports the end of a process and nothing
// more, not from sentences on what exit codes mean.
#include "parsers/ending_facts.h"

#include "parsers/job_facts.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase::Implied kOk{"outcome", "ok"};

constexpr Phrase kPhrases[] = {
    // Exit codes, and the successes among them that end a whole job.
    {"completed with exit code", R"(Process completed with exit code (?P<exit_code>-?\d{1,10}))"},
    {"completed with exit code", R"(Process completed with exit code 0\b)", "", kOk},
    {"finished with exit code", R"(Process finished with exit code (?P<exit_code>-?\d{1,10}))"},
    {"finished with exit code", R"(Process finished with exit code 0\b)", "", kOk},
    {"exited with code ", R"(\bexited with code '?(?P<exit_code>-?[1-9]\d{0,9}))"},
    {"Exited with exit code ", R"((?:(?:(?P<host>[\w.-]+): )?tasks? (?:(?P<rank>\d+)|[\d,-]+): )?)"
                               R"(Exited with exit code (?P<exit_code>[1-9]\d{0,9})$)"},
    {"ssh exited with exit co", R"((?P<host>[\w.-]+): ssh exited with exit code (?P<exit_code>[1-9]\d{0,9})$)"},
    {"returned exit code ", R"(script returned exit code (?P<exit_code>\d{1,10}))"},
    {"exited with status ", R"(command exited with status (?P<exit_code>-?\d{1,10}))"},
    {"Job failed: ", R"(Job failed: (?:.* )?exit (?:code|status) (?P<exit_code>\d{1,10}))"},
    {"xit code: ", R"(^\s*(?:.{0,40}[^\w-])?[Ee]xit code: (?P<exit_code>-?[1-9]\d{0,9})\)?\.?$)"},
    {"xit status: ", R"(^\s*(?:.{0,40}[^\w-])?[Ee]xit status: (?P<exit_code>-?[1-9]\d{0,9})$)"},
    {"Exit Code: ", R"(\bExit Code:\s+(?P<exit_code>[1-9]\d{0,9})$)"},
    // Not six spaces deep: so CMake's CMakeConfigureLog.yaml writes it for each of its probes.
    {"exitCode", R"(^(?: {0,5}| {7,}|\W*")exitCode\W{1,4}(?P<exit_code>[1-9]\d{0,9}),?$)"},
    {"EXIT_CODE", R"(^\s*(?:\+ )?(?:\w+_)?EXIT_CODE[:=] ?(?P<exit_code>-?[1-9]\d{0,9})$)"},
    {"exit_code", R"(^\s*(?:\+ )?exit_code[:=] ?(?P<exit_code>-?[1-9]\d{0,9})$)"},
    {"+ exit ", R"(^\++ exit (?P<exit_code>[1-9]\d{0,2})$)"},
    {"ExitCode ", R"(^\s*ExitCode (?P<exit_code>[1-9]\d{0,9})$)"},
    {"make: *** [", R"(\bg?make: \*\*\* \[.*\] Error (?P<exit_code>[1-9]\d{0,2})$)"},
    {"(exit code ", R"(^\s*State: (?P<exit_reason>[A-Z_]+) \(exit code (?P<exit_code>\d{1,3})\)$)"},
    {"JobState=", R"(^ *JobState=(?P<exit_reason>FAILED|TIMEOUT|OUT_OF_MEMORY|NODE_FAIL|CANCELLED|PREEMPTED)\b)"},
    {" ExitCode=", R"(\bExitCode=(?P<exit_code>\d{1,3}):(?P<exit_signal>\d{1,2})\b)"},

    // Signals. A shell prints its word for the signal alone, or behind its own name.
    {"Killed", R"(^(?:.{0,80}: line \d+: +\d+ )?Killed(?: {2,}\S.*)?$)", "", {"exit_signal", "9"}},
    {"Segmentation fault",
     R"(^(?:.{0,80}: line \d+: +\d+ |Fatal Python error: )?Segmentation fault(?: +\(core dumped\))?(?: {2,}\S.*)?$)",
     "",
     {"exit_signal", "11"}},
    {"Aborted",
     R"(^(?:.{0,80}: line \d+: +\d+ )?Aborted(?: +\(core dumped\))?(?: {2,}\S.*)?$)",
     "",
     {"exit_signal", "6"}},
    {"Bus error",
     R"(^(?:.{0,80}: line \d+: +\d+ |Fatal Python error: )?Bus error(?: +\(core dumped\))?(?: {2,}\S.*)?$)",
     "",
     {"exit_signal", "7"}},
    {"Floating point exception",
     R"(^(?:.{0,80}: line \d+: +\d+ )?Floating point exception(?: *\(core dumped\))?(?: {2,}\S.*)?$)",
     "",
     {"exit_signal", "8"}},
    {"Illegal instruction",
     R"(^(?:.{0,80}: line \d+: +\d+ )?Illegal instruction(?: +\(core dumped\))?(?: {2,}\S.*)?$)",
     "",
     {"exit_signal", "4"}},
    {"zsh: killed ", R"(^\s*zsh: killed  +\S)", "", {"exit_signal", "9"}},
    {"zsh: segmentation fault", R"(^\s*zsh: segmentation fault )", "", {"exit_signal", "11"}},
    {"zsh: abort ", R"(^\s*zsh: abort )", "", {"exit_signal", "6"}},
    {"zsh: bus error ", R"(^\s*zsh: bus error )", "", {"exit_signal", "7"}},
    {"terminated by signal", R"(^\s*Command terminated by signal (?P<exit_signal>\d{1,2})$)"},

    // What the platform gives as the reason.
    {"Reason:   ",
     R"(^ *Reason: +(?P<exit_reason>OOMKilled|Error|Evicted|DeadlineExceeded|ContainerCannotRun|StartError)$)"},
    {"reason: ", R"(^ *reason: (?P<exit_reason>OOMKilled|Evicted|DeadlineExceeded|ContainerCannotRun|StartError)$)"},
    {" DUE TO ", R"(\bCANCELLED AT \S+ DUE TO (?P<exit_reason>[A-Z]+(?: [A-Z]+)*))"},

    // Successes of CI runners and schedulers.
    {"build exited with 0", R"(\bYour build exited with 0\.$)", "", kOk},
    {"Job succeeded", R"((?:^|: )Job succeeded$)", "", kOk},
    {"raysubmit_", R"(\bJob 'raysubmit_\w+' succeeded$)", "", kOk},
    {"Finished: SUCCESS", R"(^Finished: SUCCESS$)", "", kOk},
    {"Successfully completed.", R"(^Successfully completed\.$)", "", kOk},
    {"Job completed", R"((?:job-controller|Normal +Completed +job/\S+) +Job completed$)", "", kOk},

    // Installers. pip names what it built before what it could not build.
    {"Successfully built ", R"(^\s*Successfully built \w)", "", kOk},
    {"Successfully installed ", R"(^\s*Successfully installed \w)", "", kOk},
    {"Failed to build ", R"(^\s*(?:ERROR: )?Failed to build \w)", "", {"exit_code", "1"}},
    {"Could not build wheels", R"(^\s*ERROR: Could not build wheels for \w)", "", {"exit_code", "1"}},

    // Trainers.
    {"done training in ", R"(\bdone training in [\d.]+ seconds)", "", kOk},
    {"train_runtime", R"(\btrain_runtime\W{1,32}\d)", "", kOk},
    {"Training complete", R"(\bTraining (?:is )?completed?(?:[.!;]|$| successfully| in \d))", "", kOk},
    {"Training Complete", R"(\bTraining Completed?(?:[.!;]|$))", "", kOk},
    {"Training finished", R"(\bTraining finished(?:[.!;]|$| successfully| in \d))", "", kOk},
    {"training complete", R"(\btraining completed?(?:[.!;]|$|,? successfully| in \d))", "", kOk},
    {"training finished", R"(\btraining finished(?:[.!;]|$|,? successfully| in \d))", "", kOk},
    {" successfully",
     R"(\b(?:[Jj]ob|[Rr]un|[Ff]ine-?tuning|[Ee]xperiment|[Pp]ipeline|[Ww]orkflow|)"
     R"([Bb]enchmark|[Ee]valuation|[Ss]imulation) )"
     R"((?:\S+ )?(?:has |is |was )?(?:finished|completed|ended) successfully)",
     "", kOk},
    {"Successfully ", R"(\bSuccessfully (?:completed|finished) (?:the )?(?:job|run|training|experiment|pipeline)\b)",
     "", kOk},
    {"State: COMPLETED", R"(^State: COMPLETED \(exit code 0\))", "", kOk},
    {"Finished Training", R"(\bFinished Training(?:[.!;]|$))", "", kOk},
    {"Finished training", R"(\bFinished training(?:[.!;]|$))", "", kOk},
    {"Training time ", R"((?:^|\s)Training time (?:\d+ days?, )?\d+:\d\d:\d\d$)", "", kOk},
    {"epochs completed in ", R"(\b\d+ epochs completed in [\d.]+ hours)", "", kOk},
    {"Trainer.fit", R"(Trainer\.fit\W{1,3}stopped: \W{0,2}max_(?:epochs|steps|time)\b.* reached)", "", kOk},
    {" completed after ", R"(\b(?:Training|Trial \S+) completed after \d+ iterations? at )", "", kOk},
    {"after training is done", R"(\[after training is done\])", "", kOk},
    {"Results saved to", R"(^\s*Results saved to \S*runs\b)", "", kOk},
    {"Finished. ", R"(^Finished\. )", "", kOk},
    {"training SUCCESS", R"(Reporting training SUCCESS$)", "", kOk},
    {"group successfully finis", R"(\[\w+\] worker group successfully finished\.)", "", kOk},
    {"Local worker group finis", R"(Local worker group finished \((?:WorkerState\.)?SUCCEEDED\))", "", kOk},

    // Test runners.
    {"100% tests passed", R"(100% tests passed, 0 tests failed)", "", kOk},
    {" passed",
     R"((?:^|=+ )(?:\d+ (?:skipped|deselected), )*\d+ passed)"
     R"((?:, \d+ (?:skipped|deselected|xfailed|xpassed|warnings?|rerun))* in [\d.:]+)",
     "", kOk},
    {"test result: ok.", R"(\btest result: ok\. \d+ passed; 0 failed)", "", kOk},
    {"All tests passed (", R"(All tests passed \(\d+ assertions?)", "", kOk},
    {"Out of bounds values", R"(# Out of bounds values : 0 OK$)", "", kOk},
    {" tests in ", R"(^Ran [1-9]\d* tests in [\d.]+s$)", "", kOk},
    {"Ran 1 test in ", R"(^Ran 1 test in [\d.]+s$)", "", kOk},
    {"FAILED (", R"(^FAILED \((?:failures|errors|unexpected successes)=)", "", {"exit_code", "1"}},
    {"[  PASSED  ] ", R"(^\[  PASSED  \] [1-9]\d* tests?\.$)", "", kOk},
    {"[  FAILED  ] ", R"(^\[  FAILED  \] \d+ tests?, listed below:$)", "", {"exit_code", "1"}},
    {"Status: SUCCESS!", R"(^\[doctest\] Status: SUCCESS!$)", "", kOk},
};

constexpr auto kTriggers = triggers_of(kPhrases);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook phrases(kPhrases);
  report_phrases(phrases, line, sink);
}

}  // namespace

constinit const LineParser kEndingFactsParser{"ending_facts", kTriggers, parse};

}  // namespace cutopsy
