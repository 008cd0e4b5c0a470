// Of several rows that fit, the first counts: a row stands before those that are its beginning. A row that begins
// with a timestamp is a whole head, since what stands between time and message means nothing elsewhere.
#include "parsers/envelope/wrappings.h"

namespace cutopsy {
namespace {

using enum Wrapping::Kind;

constexpr Wrapping kWrappings[] = {
    // The kernel's log: dmesg (util-linux, sys-utils/dmesg.c), /dev/kmsg (Linux, Documentation/ABI/testing/dev-kmsg),
    // syslog, journalctl, Talos Linux.
    {"[{uptime}] [{sp}T{serial}] ", kernel},
    {"[{uptime}] [{sp}C{serial}] ", kernel},
    {"[{uptime}] ", kernel},
    {"<{priority}>[{uptime}] ", kernel},
    {"[{ctime}] [{sp}T{serial}] ", kernel},
    {"[{ctime}] [{sp}C{serial}] ", kernel},
    {"[{ctime}] ", kernel},
    {"{dmesg-iso} [{sp}T{serial}] ", kernel},
    {"{dmesg-iso} [{sp}C{serial}] ", kernel},
    {"{dmesg-iso} ", kernel},
    {"kern{sp}:{level}{sp}: ", kernel},
    {"user{sp}:{word}{sp}: {=[}"},
    {"daemon{sp}:{word}{sp}: {=[}"},
    {"{priority},{serial},{usec},{any};", kernel},
    {"{host}: kern: {level}: [{time}]: ", kernel},
    {"{host}: {word}: {word}: [{time}]: "},
    {"<{priority}>1 {time} {host} kernel - - - ", kernel},
    {"<{priority}>{time} {host} kernel: ", kernel},
    {"{time} {host} kernel: ", kernel},
    {"kernel: ", kernel},

    // Syslog (RFC 5424, RFC 3164) and journalctl -o short, short-iso and short-full.
    {"<{serial}>1 {time} {host} {app} {pid} {any} - "},
    {"<{serial}>1 {time} {host} {app} - {any} - "},
    {"<{serial}>{time} {host} {app}[{pid}]: "},
    {"<{serial}>{time} {host} {app}: "},
    {"{time} {host} {app}[{pid}]: "},
    {"{syslog} {host} {app}: "},
    {"{time} {node} {app}: "},

    // Containers: the CRI log format (kubernetes, pkg/kubelet/kuberuntime/logs), kubectl logs --prefix, docker
    // compose, docker service logs, BuildKit's plain progress.
    {"{time} {stream} {flag} "},
    {"[pod/{pod}/{app}] "},
    {"{service}{sp}| ", outer},
    {"#{n} {seconds} "},

    // CI: GitHub Actions and Azure Pipelines, gh run view --log, GitLab (FF_TIMESTAMPS), TeamCity.
    {"##[error]", plain, "error"},
    {"##[warning]", plain, "warning"},
    {"##[debug]", plain, "debug"},
    {"##[group]"},
    {"##[section]"},
    {"##[command]"},
    {"::error {any}::", plain, "error"},
    {"::error::", plain, "error"},
    {"::warning {any}::", plain, "warning"},
    {"::warning::", plain, "warning"},
    {"{any}\t{any}\t{time} "},
    {"{time} {n}O "},
    {"{time} {n}O+"},
    {"{time} {n}E "},
    {"{time} {n}E+"},
    {"[{time}]{flag}:{sp}[Step {n}/{n}] "},
    {"[{time}]{flag}:\t "},
    {"[{time}]{flag}: "},

    // Launchers: PyTorch's excepthook and torchrun --tee, torchx, Open MPI and Horovod, SageMaker's mpirun, srun
    // --label, pdsh, Lightning, accelerate, grep -n, Databricks notebooks.
    {"[rank{rank}]: "},
    {"[rank{rank}]:"},
    {"[{letters}{local_rank}]:"},
    {"{time}[{n},{rank}]<{stream}>:"},
    {"[{n},{rank}]<{stream}>:"},
    {"[{app}@{n},{rank}]<{stream}>:"},
    {"[{n},mpirank:{rank},{host}]<{stream}>:"},
    {"{rank}: ", outer},
    {" {rank}: ", outer},
    {"  {rank}: ", outer},
    {"rank{rank}: ", outer},
    {"{node}: ", outer},
    {"[{node}:{pid}] ", outer},
    {"[task {rank}] "},
    {"[rank: {rank}] "},
    {"[rank {rank}] "},
    {"[rank {rank}]: "},
    {"[RANK {rank}] "},
    {"[Rank {rank}] ", label},
    {"[PG {any} Rank {rank}] ", label},
    {"{app}/{n} {=[}"},
    {"{serial}:{=[}"},
    {"# MAGIC "},

    // Ray, vLLM, SGLang, TensorRT, TensorRT-LLM.
    {"({app} pid={pid}, ip={host}) "},
    {"({app} pid={pid}) "},
    {"({app} rank={rank} pid={pid}) "},
    {"(pid={pid}, ip={host}) "},
    {"(pid={pid}) "},
    {"({letters}, ip={host}) "},
    {"(raylet) "},
    {"(autoscaler +{any}) "},
    {"{LEVEL} {local} [{file}] "},
    {"{LEVEL} {local} {file}] "},
    {"[{time} {letter} {pid} {n}] ({app}) {site}: "},
    {"[{time} {letter} {pid} {n}] {site}: "},
    {"[{time} TP{rank}] "},
    {"[{time} {any}TP{n}{any}] "},
    {"[{app}] [RANK {rank}] [{letter}] "},
    {"[{app}] [{letter}] "},
    {"[{app}] [{level}{sp}] "},
    {"[{app}][{level}] "},
    {"[{level}{sp}] [{app}] "},

    // c10, glog, klog, absl, TensorFlow, onnxruntime.
    {"[{letter}{glog} {site}] "},
    {"[{letter} {site}] "},
    {"{letter}{glog}{sp}{n} {site}] "},
    {"{letter}{glog} "},
    {"{letter} {site}] "},
    {"{time}: {letter} {site}] "},
    {"{time} [{letter}:onnxruntime:{any}] "},

    // Python's logging in the formats of its frameworks, loguru, spdlog, log4j, Rust's tracing.
    {"{time} | {level}{sp}| {app} | "},
    {"{time} | {level}{sp}| {any} - "},
    {"{time} | {level}{sp}| "},
    {"{time} - {app} - {level} - "},
    {"{time} - {app}:{n} - {level} - "},
    {"{time} - {level} - {app} - "},
    {"{time} - {level} - "},
    {"{time} - [{level}] - "},
    {"{time} [{level}{sp}] {app}: "},
    {"{time} [{level}{sp}] "},
    {"{time} [{app}] {LEVEL}{sp}- "},
    {"{local} {LEVEL} {file} -- "},
    {"{local}\t{LEVEL} {file} -- "},
    {"{local} {LEVEL} {file}] "},
    {"{local} {app} {LEVEL} {sp}"},
    {"{local} {LEVEL} "},
    {"{time} {sp}{LEVEL} {module}: "},
    {"[{time}][{app}][{level}] - "},
    {"[{time}][{app}][{level}]"},
    {"[{time}][{level}][{app}] "},
    {"[{time}][{level}] "},
    {"[{time}] {app}: [{level}] "},
    {"[{time}] [{any}] [thread {n}] [{level}] "},
    {"[{time}] [{level}] [{file}] "},
    {"[{time}] [{level}] [tid {n}] "},
    {"[{time}] [{pid}] [{level}] "},
    {"[{time}] [{level}] "},
    {"[{time}] [{any}] [{level}] "},
    {"[{time} {app}]: "},
    {"{LEVEL} [{time} {app}]: "},
    {"[{time}] {app} {LEVEL}: "},
    {"[{time}] {LEVEL}: "},
    {"[{time}] {LEVEL} {sp}"},
    {"[{time}] {{{any}} {LEVEL} - "},
    {"[{time}: {level}/{app}] "},
    {"[{time} {letters}{sp}{n}] "},
    {"[{level}|{file}] {time} >> "},
    {"[NeMo {letter} {time} {any}] "},
    {"{LEVEL}:{time}:{app}:{n}: "},
    {"{LEVEL}:{app}:"},
    {"{LEVEL}:  {sp}"},
    {"[{level}{sp}] [{file}] "},
    {"[{level}{sp}] "},
    {"[{level}]"},

    // Go's slog and logrus.
    {"time={time} level={level} source={file} "},
    {"time={time} level={level} "},
    {"time=\"{time}\" level={level} "},
    {"ts={time} level={level} "},
    {"level={level} ts={time} "},

    // PowerShell 5 names the program before the first line of its stderr.
    {"python : "},
    {"python.exe : "},
    {"py : "},
    {"torchrun : "},

    // A timestamp alone.
    {" [{time}] "},
    {"[{time}] "},
    {"({time}) "},
    {"{time}: "},
    {"{time} - "},
    {"{time} "},
};

}  // namespace

std::span<const Wrapping> wrappings() {
  return kWrappings;
}

}  // namespace cutopsy
