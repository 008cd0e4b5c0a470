// Formats:
//   kernel      mm/oom_kill.c and mm/memcontrol.c, Linux 2.6 to 6.x
//   earlyoom    kill.c (rfjakob/earlyoom);  systemd-oomd  src/oom/oomd-util.c, src/core/unit.c (systemd/systemd)
//   Slurm       src/plugins/task/cgroup/task_cgroup_memory.c (SchedMD/slurm), and the older jobacct_gather texts
//   Kubernetes  pkg/kubelet/oom, container status reasons;  YARN, LSF, PBS  their users' guides
//   Ray         src/ray/raylet/node_manager.cc (ray-project/ray)
// A memory cgroup reports its limit and its victim in different lines: each becomes an event of its own.
#include "parsers/kernel_oom_kill.h"

#include <array>
#include <utility>

#include "parsers/line_event.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase::Implied kGlobal{"constraint", "global"};
constexpr Phrase::Implied kMemcg{"constraint", "memcg"};
constexpr Phrase::Implied kUserSpace{"constraint", "user-space"};
constexpr Phrase::Implied kScheduler{"constraint", "scheduler"};

constexpr Phrase kKills[] = {
    // The kernel's victim. A process name may itself hold parentheses: "((sd-pam))".
    {"Memory cgroup out of mem",
     R"(Memory cgroup out of memory: Kill(?:ed)? process (?P<pid>\d+)(?:, UID \d+,)? \((?P<process>.{1,64}?)\)(?:[ ,]|$))",
     "kernel", kMemcg},
    {"Out of memory",
     R"(Out of memory(?: \(\w+\))?: Kill(?:ed)? process (?P<pid>\d+)(?:, UID \d+,)? \((?P<process>.{1,64}?)\)(?:[ ,]|$))",
     "kernel", kGlobal},
    {"Killed process ", R"(Killed process (?P<pid>\d+)(?:, UID \d+,)? \((?P<process>.{1,64}?)\),? total-vm:)",
     "kernel"},
    {"oom-kill:constraint=",
     R"(oom-kill:constraint=(?P<constraint>\w+),.*?(?:oom_memcg=(?P<cgroup>[^,]+),)?(?:task_memcg=[^,]*,)?)"
     R"(\btask=(?P<process>.{1,64}?),pid=(?P<pid>\d+))",
     "kernel"},
    {"oom-kill:constraint=", R"(oom-kill:constraint=(?P<constraint>\w+))", "kernel"},
    // The control group's usage and limit; a group without a limit prints a number of 16 digits and more.
    {"memory: usage ", R"((?:^|[^+\w])memory: usage (?P<usage>\d+kB), limit (?P<limit>\d{1,14}kB))", "kernel", kMemcg},
    {"as a result of limit of", R"(killed as a result of limit of (?P<cgroup>/\S*))", "kernel", kMemcg},
    // User-space guards.
    {"sending SIG", R"re(sending SIG(?:TERM|KILL) to process (?P<pid>\d+)(?: uid \d+)? "(?P<process>[^"]*)")re",
     "earlyoom", kUserSpace},
    {"due to memory pressure", R"(Killed (?P<cgroup>/\S+) due to memory pressure for)", "systemd-oomd", kUserSpace},
    {"due to memory used", R"(Killed (?P<cgroup>/\S+) due to memory used)", "systemd-oomd", kUserSpace},
    {"systemd-oomd killed", R"((?P<cgroup>[^\s:]+): systemd-oomd killed \d+ process)", "systemd", kUserSpace},
    {"killed by the OOM killer",
     R"((?:(?P<cgroup>[^\s:]+): )?A process of this unit has been killed by the OOM killer)", "systemd"},
    {"Failed with result ", R"((?:(?P<cgroup>[^\s:]+): )?Failed with result .{0,2}oom-kill)", "systemd"},
    {"(tasks / actors) killed",
     R"([1-9]\d* Workers? \(tasks / actors\) killed due to memory pressure \(OOM\)(?:.* IP: (?P<host>[\w.:]*\w))?)",
     "ray", kUserSpace},
    {"running low on memory", R"(was killed due to the node running low on memory)", "ray", kUserSpace},
    {"memory usage threshold",
     R"((?:\bpid=(?P<pid>\d+),.*?)?was running was (?P<usage>[\d.]+ ?\w+) / (?P<limit>[\d.]+ ?\w+) \([\d.]+\), )"
     R"(which exceeds the memory usage threshold)",
     "ray", kUserSpace},
    // Schedulers and container platforms.
    {"oom_kill event", R"(Detected [1-9]\d* oom_kill events? in (?:StepId=)?(?P<cgroup>\w[\w.]*\w))", "slurm", kMemcg},
    {"oom-kill event", R"(Detected [1-9]\d* oom-kill event(?:\(s\)|s)? in (?:StepId=|step )?(?P<cgroup>\w[\w.]*\w))",
     "slurm", kMemcg},
    {"out-of-memory handler", R"(killed by the cgroup out-of-memory handler)", "slurm", kMemcg},
    {": Out Of Memory", R"((?:\b(?P<host>[\w.-]+): )?\btasks? (?P<rank>\d[\d,-]*): Out Of Memory)", "slurm", kMemcg},
    {"ceeded job memory limit", R"(Exceeded job memory limit)", "slurm", kScheduler},
    {"eeded step memory limit", R"(Exceeded step memory limit)", "slurm", kScheduler},
    {"exceeded memory limit (", R"(exceeded memory limit \((?P<usage>\d+) > (?P<limit>\d+)\))", "slurm", kScheduler},
    {"OUT_OF_MEMORY", R"((?:JobState=|^State: )OUT_OF_MEMORY\b)", "slurm", kMemcg},
    {"NODE_OUT_OF_MEMORY", R"(\b[Ee]xit[ _]type\W{1,3}NODE_OUT_OF_MEMORY\b)", "ray", kUserSpace},
    {"OOMKilled", R"((?:[Rr]eason|[Ss]tatus|STATUS|[Tt]erminated|\b137|\bwas|\d/\d+|Init)\W{1,24}OOMKilled\b)",
     "kubernetes", kMemcg},
    {"OOMKilled", R"(OOMKilled\W{1,4}(?:true\b|exit code))", "kubernetes", kMemcg},
    {"System OOM encountered", R"(System OOM encountered, victim process: (?P<process>[^,]+), pid: (?P<pid>\d+))",
     "kubernetes", kGlobal},
    {"memory limits. ",
     R"((?:exceeding|beyond physical) memory limits\. (?:Current usage: )?(?P<usage>[\d.]+ \w+) of (?P<limit>[\d.]+ \w+))",
     "yarn", kScheduler},
    {"TERM_MEMLIMIT", R"(TERM_MEMLIMIT: job killed)", "lsf", kScheduler},
    {"Job has gone over ", R"(Job has gone over (?:cgroup )?memory limit of \d+ megabytes)", "htcondor", kScheduler},
    {"PBS: job killed: mem ", R"(PBS: job killed: mem (?P<usage>\w+) exceeded limit (?P<limit>\w+))", "pbs",
     kScheduler},
    {"ran out-of-memory and", R"(ran out-of-memory and exited with a non-zero status)", "vertex-ai", kMemcg},
    {"killed due to memory usa", R"(Container killed due to memory usage)", "aws-batch", kMemcg},
};

constexpr Phrase kDetails[] = {
    {"anon-rss:", R"(\banon-rss:(?P<anon_rss>\d+\w+))"},
};

constexpr auto kTriggers = triggers_of(kKills);

// The names of enum oom_constraint (include/linux/oom.h) in the terms of the other dialects.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kConstraints{{
    {"CONSTRAINT_NONE", "global"},
    {"CONSTRAINT_MEMCG", "memcg"},
    {"CONSTRAINT_CPUSET", "cpuset"},
    {"CONSTRAINT_MEMORY_POLICY", "memory-policy"},
}};

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook kills(kKills);
  static const PhraseBook details(kDetails);
  Event event = line_event(line, "kernel.oom_kill", "kernel");
  const Phrase* kill = kills.find(line.text, event.fields);
  if (!kill) return;
  event.emitter = kill->emitter;
  for (const auto& [printed, constraint] : kConstraints)
    if (event.fields.get("constraint") == printed) event.fields.set("constraint", constraint);
  details.collect(line.text, event.fields);
  sink.on_event(std::move(event));
}

}  // namespace

constinit const LineParser kOomKillParser{"kernel_oom_kill", kTriggers, parse};

}  // namespace cutopsy
