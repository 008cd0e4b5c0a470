// Formats:
//   ranks        torchrun, DeepSpeed, Lightning, Megatron, vLLM, accelerate env
//   NCCL         src/init.cc, src/transport/*.cc, src/bootstrap.cc in NVIDIA/nccl, at NCCL_DEBUG=INFO
//   schedulers   Slurm (sbatch, srun, scontrol), PBS, LSF;  hostfiles of MPI and DeepSpeed
//   containers   docker, podman, enroot and pyxis, apptainer, kubectl describe, nvidia-ctk, nvidia-container-cli
//   systems      the kernel's banner and oopses, uname -a, os-release, kubectl describe node, Python's platform string
#include "parsers/job_shape_facts.h"

#include "parsers/job_facts.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

constexpr Phrase kPhrases[] = {
    // Ranks.
    {"world_size", R"((?:^|[^\w]|dist_)world_size\W{1,4}(?P<world_size>\d{1,6})(?:\W|$))"},
    {"world size", R"(\bworld size(?: is|:|=)? ?(?P<world_size>\d{1,6})\b)"},
    {"WORLD_SIZE", R"(\bWORLD_SIZE[:=] ?(?P<world_size>\d{1,6})\b)"},
    {"MEMBER: 1/", R"(\bMEMBER: 1/(?P<world_size>\d{1,6})\b)"},
    {"registered. Starting wit",
     R"(distributed processes registered\. Starting with (?P<world_size>\d{1,6}) processes)"},
    {"Num processes: ", R"(^\s*Num processes: (?P<world_size>\d{1,6})$)"},
    {"num_processes=", R"(\bprocess_id=\d+, num_processes=(?P<world_size>\d{1,6})\b)"},
    {"tensor_parallel_size", R"(\btensor_parallel_size\W{1,3}(?P<tensor_parallel_size>\d{1,4})\b)"},
    {"tensor-model-parallel", R"(\btensor-model-parallel size: (?P<tensor_parallel_size>\d{1,4})\b)"},
    {"pipeline_parallel_size", R"(\bpipeline_parallel_size\W{1,3}(?P<pipeline_parallel_size>\d{1,4})\b)"},
    {"pipeline-model-parallel", R"(\bpipeline-model-parallel size: (?P<pipeline_parallel_size>\d{1,4})\b)"},

    // NCCL lists thousands of connections: the first channel of rank 0 stands for all.
    {"Channel 00 : 0", R"(Channel 00 : 0\[.*\bvia (?P<transport>P2P/\w+|SHM[\w/]*|NET/\w+))"},
    {"Channel 00/0 : 0", R"(Channel 00/0 : 0\[.*\bvia (?P<transport>P2P/\w+|SHM[\w/]*|NET/\w+))"},
    {"Ring 00 : 0", R"(Ring 00 : 0\[.*\bvia (?P<transport>P2P/\w+|SHM[\w/]*|NET/\w+))"},
    {"Using network ", R"(NCCL INFO Using network (?P<network>\S+(?: \S+)*)$)"},
    {"Bootstrap : Using ", R"(Bootstrap : Using \[?(?:\d+\])?(?P<nccl_interface>[\w.-]+):[\d.\[])"},
    {"Bootstrap: Using ", R"(Bootstrap: Using (?P<nccl_interface>[\w.-]+):[\d.\[])"},

    // Schedulers.
    {"SLURM_JOB_ID", R"(\bSLURM_JOB_ID[:=] ?(?P<job_id>\d+)\b)"},
    {"SLURM_JOBID", R"(\bSLURM_JOBID[:=] ?(?P<job_id>\d+)\b)"},
    {"SLURM_JOB_NODELIST", R"(\bSLURM_JOB_NODELIST[:=] ?(?P<hosts>[\w.,\[\]-]+))"},
    {"SLURM_NODELIST", R"(\bSLURM_NODELIST[:=] ?(?P<hosts>[\w.,\[\]-]+))"},
    {" NodeList=", R"(^\s*NodeList=(?P<hosts>[\w.,\[\]-]+)$)"},
    {"Submitted batch job ", R"(\bSubmitted batch job (?P<job_id>\d+)\b)"},
    {"srun: job ", R"(\bsrun: job (?P<job_id>\d+) (?:queued|has been allocated))"},
    {"*** JOB ", R"(\*\*\* JOB (?P<job_id>\d+) ON (?P<hosts>[\w.-]+) )"},
    {"*** STEP ", R"(\*\*\* STEP (?P<job_id>\d+)\.\w+ ON (?P<hosts>[\w.-]+) )"},
    {"StepId=", R"(\bStepId=(?P<job_id>\d+)\.)"},
    {"PBS_JOBID", R"(\bPBS_JOBID[:=] ?(?P<job_id>\d[\w.-]*\w))"},
    {"LSB_JOBID", R"(\bLSB_JOBID[:=] ?(?P<job_id>\d+))"},
    {" slots=", R"(^\s*(?P<hosts>[\w.-]+) slots=\d+(?: |$))"},

    // Containers.
    {"imported docker image: ", R"(pyxis: imported docker image: (?P<container_image>\S+))"},
    {"newer image for ", R"(Status: (?:Downloaded newer image|Image is up to date) for (?P<container_image>\S+)$)"},
    {"Image is up to date for ", R"(Status: Image is up to date for (?P<container_image>\S+)$)"},
    {"Unable to find image ", R"(Unable to find image '(?P<container_image>[^' ]+)' locally)"},
    {"Successfully pulled imag", R"re(Successfully pulled image "(?P<container_image>[^" ]+)")re"},
    {"Image:     ", R"(^\s*Image: +(?P<container_image>[\w.-]+[/:][\w./:@-]+)$)"},
    {"Docker version ", R"(^\s*(?P<container_runtime_version>Docker version \d+\.\d+\.\d+))"},
    {"podman version ", R"(^\s*(?P<container_runtime_version>podman version \d+\.\d+\.\d+))"},
    {"apptainer version ", R"(^\s*(?P<container_runtime_version>apptainer version \d+\.\d+\.\d+))"},
    {"singularity-ce version ", R"(^\s*(?P<container_runtime_version>singularity-ce version \d+\.\d+\.\d+))"},
    {"Container Runtime Versio",
     R"(^\s*Container Runtime Version: +(?P<container_runtime_version>[a-z-]+://\d+\.\d+\.\d+))"},
    {"Container Toolkit CLI ve",
     R"(NVIDIA Container Toolkit CLI version (?P<container_toolkit_version>\d+\.\d+\.\d+))"},
    {"ontainer Runtime version", R"(NVIDIA Container Runtime version (?P<container_toolkit_version>\d+\.\d+\.\d+))"},
    {"cli-version: ", R"(^\s*cli-version: (?P<container_toolkit_version>\d+\.\d+\.\d+))"},

    // Systems.
    {"Linux version ", R"(\bLinux version (?P<kernel>\d+\.\d+\.\S+) \()"},
    {" SMP ", R"(\bLinux \S+ (?P<kernel>\d+\.\d+\.\S+) #\d\S* .*\bSMP\b)"},
    {"ainted: ", R"(\bPID: \d+ .*\bTainted: [A-Z ]+ (?P<kernel>\d+\.\d+\.\S+) #\d)"},
    {"Not tainted ", R"(\bPID: \d+ .*\bNot tainted (?P<kernel>\d+\.\d+\.\S+) #\d)"},
    {"/lib/modules/", R"(/lib/modules/(?P<kernel>\d+\.\d+\.\d[^/\s'"]*)/)"},
    {"for Linux kernel version", R"(for Linux kernel version (?P<kernel>\d+\.\d+\.\S+))"},
    {"Kernel Version: ", R"(^\s*Kernel Version: +(?P<kernel>\d+\.\d+\.\S+)$)"},
    {"-with-glibc", R"(\bLinux-(?P<kernel>\d+\.\d+\.\S+?)-(?:x86_64|aarch64|ppc64le)-with-glibc)"},
    {"OS Image: ", R"(^\s*OS Image: +(?P<os>\S.*)$)"},
    {"PRETTY_NAME=", R"re(\bPRETTY_NAME="?(?P<os>[^"]+))re"},
    {"Microsoft Windows ", R"((?P<os>Microsoft Windows \d+[\w ]*\w))"},
    {"Microsoft Windows ", R"((?P<os>Microsoft Windows \[Version [\d.]+\]))"},
    {"(x86_64)", R"(^\s*OS: (?P<os>\S.*) \(x86_64\)$)"},
    {"(aarch64)", R"(^\s*OS: (?P<os>\S.*) \(aarch64\)$)"},
};

constexpr auto kTriggers = triggers_of(kPhrases);

void parse(const Line& line, EventSink& sink) {
  static const PhraseBook phrases(kPhrases);
  report_phrases(phrases, line, sink);
}

}  // namespace

constinit const LineParser kJobShapeFactsParser{"job_shape_facts", kTriggers, parse};

}  // namespace cutopsy
