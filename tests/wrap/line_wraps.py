"""Envelopes that put something around each line. A row is a name and a function from a Log to lines.

Each is written from the format that its tool documents or prints, named beside it.
"""
import datetime
import json

from log import UPTIME, readable, times

COLOURS = "\x1b[36m", "\x1b[0m"


def before(prefix):
    """The same text before every line."""
    return lambda log: [prefix + line for line in log.lines]


def stamped(form, prefix=""):
    """A timestamp (strftime, with {ms} for milliseconds, {us} and {ns} for more digits) and `prefix` before each line."""
    def wrap(log):
        result = []
        for at, line in zip(times(log), log.lines):
            head = at.strftime(form).format(ms="%03d" % (at.microsecond // 1000), us="%06d" % at.microsecond,
                                            ns="%06d789" % at.microsecond, hns="%06d7" % at.microsecond)
            result.append(head + prefix + line)
        return result
    return wrap


def objects(make):
    """One JSON object a line: `make` gives its members for a time and a line."""
    return lambda log: [json.dumps(make(at, readable(line)), ensure_ascii=False)
                        for at, line in zip(times(log), log.lines)]


def escaped(make):
    """The same by an encoder that escapes all but ASCII, and '<', '>', '&' as Go does."""
    def wrap(log):
        lines = []
        for at, line in zip(times(log), log.lines):
            text = json.dumps(make(at, readable(line)))
            for char in "<>&":
                text = text.replace(char, "\\u%04x" % ord(char))
            lines.append(text)
        return lines
    return wrap


def iso(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.%f") + "789Z"


def inside(*wraps):
    """Nested envelopes, the outermost first."""
    def wrap(log):
        for one in reversed(wraps):
            log = log.with_lines(one(log))
        return log.lines
    return wrap


def buildkit(log):
    """`docker build --progress=plain`: moby/buildkit, util/progress/progressui/printer.go."""
    return ["#14 [build 5/9] RUN make test"] + ["#14 %.3f %s" % (0.2 + i / 100, line) for i, line in enumerate(log.lines)]


def cri(limit):
    """The CRI log format: kubernetes/cri-api and containerd, internal/cri/io/logger.go. Long lines become partial ones."""
    def wrap(log):
        lines = []
        for at, line in zip(times(log), log.lines):
            pieces = [line[i:i + limit] for i in range(0, len(line), limit)] or [""]
            for i, piece in enumerate(pieces):
                lines.append("%s stderr %s %s" % (iso(at), "F" if i + 1 == len(pieces) else "P", piece))
        return lines
    return wrap


def docker_json(log):
    """moby, daemon/logger/jsonfilelog: each record keeps its '\\n'; more than 16 KiB are several records."""
    lines = []
    limit = 16 * 1024
    for at, line in zip(times(log), log.lines):
        line = readable(line) + "\n"
        for i in range(0, len(line), limit):
            text = json.dumps({"log": line[i:i + limit], "stream": "stderr", "time": iso(at)}, separators=(",", ":"),
                              ensure_ascii=False)
            for char in "<>&":
                text = text.replace(char, "\\u%04x" % ord(char))
            lines.append(text)
    return lines


def kaggle(log):
    """The log of a Kaggle notebook version: a JSON array, one element a line."""
    return [("[" if i == 0 else ",") +
            json.dumps({"stream_name": "stderr", "time": 1.5 + i / 100, "data": readable(line) + "\n"})
            for i, line in enumerate(log.lines)] + ["]"]


def rsyslog_text(line):
    """rsyslog's $EscapeControlCharactersOnReceive: '#' and three octal digits; it trims no blanks."""
    return "".join("#%03o" % ord(c) if ord(c) < 32 or ord(c) == 127 else c for c in line)


def rsyslog(head):
    wrap = stamped(head)
    return lambda log: wrap(log.with_lines([rsyslog_text(line) for line in log.lines if line.strip()]))


def actions(log):
    """GitHub Actions' raw log: actions/runner, PagingLogger.cs. The file begins with a byte order mark."""
    lines = stamped("%Y-%m-%dT%H:%M:%S.{hns}Z ")(log.with_lines(["##[group]Run make test", "##[endgroup]"] + log.lines))
    return ["\ufeff" + lines[0]] + lines[1:]


def marked_payload(log):
    """A file with a byte order mark whose lines a CI system has stamped."""
    return stamped("%Y-%m-%dT%H:%M:%S.{hns}Z ")(log.with_lines(["\ufeff" + log.lines[0]] + log.lines[1:]))


def bar_glue(log):
    """tqdm's bar ends without a line end, so the next line of another writer sticks to it (only to the first of a
    paragraph: a traceback is written at once)."""
    lines = []
    for i, line in enumerate(log.lines):
        starts = i == 0 or line.startswith("Traceback") or (not log.lines[i - 1].strip() and not line.startswith(" "))
        bar = "\r %2d%%|##        | %d/100 [00:0%d<01:19,  1.01it/s]" % (i % 100, i % 100, i % 10)
        lines.append(bar + line if starts and line.strip() else line)
    return lines


def typescript(log):
    """util-linux, script(1)."""
    return (['Script started on 2026-11-30 10:00:00+00:00 [TERM="xterm-256color" TTY="/dev/pts/0" COLUMNS="120" LINES="40"]']
            + [line.rstrip("\r") + "\r" for line in log.lines] + ["", 'Script done on 2026-11-30 10:05:00+00:00 [COMMAND_EXIT_CODE="1"]'])


def dated(log, form):
    lines = []
    for line in log.lines:
        head = UPTIME.match(line)
        at = log.start + datetime.timedelta(seconds=float(head[1])) if head else None
        lines.append(at.strftime(form) + line[head.end():] if head else line)
    return lines


def dmesg_ctime(log):
    """dmesg -T: util-linux, sys-utils/dmesg.c."""
    return dated(log, "[%a %b %e %H:%M:%S %Y] ")


def dmesg_iso(log):
    """dmesg --time-format iso: util-linux, sys-utils/dmesg.c."""
    return dated(log, "%Y-%m-%dT%H:%M:%S,%f+00:00 ")


def dmesg_raw(log):
    """dmesg -r: the priority first; only records have one."""
    return ["<4>" + line if UPTIME.match(line) else line for line in log.lines]


def kernel_syslog(log):
    """rsyslog's imklog, which keeps the uptime."""
    return stamped("%b %e %H:%M:%S gn21 kernel: ")(log)


TEXT = {  # any log
    # Terminals and files
    "coloured-lines": lambda log: ["\x1b[31m" + line + "\x1b[0m" for line in log.lines],
    "erased-lines": lambda log: ["\r\x1b[K" + line for line in log.lines],
    "tqdm-glue": bar_glue,
    "typescript": typescript,
    "ts": stamped("%b %d %H:%M:%S "),                                            # moreutils, ts(1)
    "ts-iso": stamped("%Y-%m-%d %H:%M:%S "),
    # CI systems
    "github-actions": actions,
    "bom-behind-stamp": marked_payload,
    "gh-run-view": stamped("build (3.11)\tRun tests\t%Y-%m-%dT%H:%M:%S.{hns}Z "),  # cli/cli, gh run view --log
    "gitlab": stamped("%Y-%m-%dT%H:%M:%S.{us}Z 01O "),                           # GitLab docs, FF_TIMESTAMPS
    "teamcity": stamped("[%H:%M:%S] :\t [Step 2/3] "),                           # TeamCity docs, build log
    "jenkins": stamped("[%Y-%m-%dT%H:%M:%S.{ms}Z] "),                            # Jenkins' Timestamper plugin
    "buildkit": buildkit,
    # Containers and clusters
    "docker-json": docker_json,
    "docker-t": stamped("%Y-%m-%dT%H:%M:%S.{ns}Z "),                             # docker logs -t
    "compose": before("trainer-1  | "),                                          # docker/compose, cmd/formatter/logs.go
    "compose-coloured": before(COLOURS[0] + "trainer-1  | " + COLOURS[1]),
    "swarm": before("train_worker.1.k7x2m9d0qv3b@gn21    | "),                   # docker service logs
    "cri": cri(16 * 1024),
    "cri-partial": cri(120),
    "kubectl-prefix": before("[pod/trainer-0/main] "),                           # kubernetes/kubectl, pkg/cmd/logs
    "fluent-bit": escaped(lambda at, line: {"date": at.timestamp(), "log": line, "stream": "stderr",
                                            "kubernetes": {"pod_name": "trainer-0", "namespace_name": "ml"}}),
    "filebeat": objects(lambda at, line: {"@timestamp": iso(at), "host": "gn21", "message": line,
                                          "log.file.path": "/var/log/train.log"}),
    "google-cloud": escaped(lambda at, line: {"insertId": "1x2y3z", "severity": "INFO", "timestamp": iso(at),
                                              "textPayload": line}),
    "json-in-json": objects(lambda at, line: {"log": json.dumps({"time": iso(at), "level": "ERROR", "msg": line}) + "\n",
                                              "stream": "stderr", "time": iso(at)}),
    "kaggle": kaggle,
    # syslog and the journal's text forms (RFC 3164, RFC 5424; rsyslog's templates)
    "syslog-file": rsyslog("%b %e %H:%M:%S gn21 python3[4242]: "),
    "syslog-iso": rsyslog("%Y-%m-%dT%H:%M:%S.{us}+00:00 gn21 python3[4242]: "),
    "rfc3164": rsyslog("<14>%b %e %H:%M:%S gn21 python3[4242]: "),
    "rfc5424": rsyslog("<14>1 %Y-%m-%dT%H:%M:%S.{us}Z gn21 python3 4242 - - "),
    # Launchers
    "srun-label": before("3: "),                                                 # Slurm, srun --label
    "mpirun-tag": before("[1,3]<stderr>:"),                                      # Open MPI, --tag-output
    "mpirun-stamp": stamped("%a %b %e %H:%M:%S %Y[1,3]<stderr>:"),               # Open MPI, --timestamp-output
    "sagemaker-mpi": before("[1,mpirank:3,algo-1]<stderr>:"),                    # SageMaker's training toolkit
    "torchrun-tee": before("[default3]:"),                                       # torch/distributed/elastic, --tee
    "excepthook": before("[rank3]: "),                                           # torch/distributed/c10d_logger.py
    "pdsh": before("gn21: "),                                                    # pdsh(1), DeepSpeed's launcher
    "lightning": before("[rank: 3] "),                                           # lightning, utilities/rank_zero.py
    # Ray, vLLM (python/ray/_private/worker.py; vllm/utils decorate_logs, vllm/logger.py)
    "ray": before("(RayTrainWorker pid=4242, ip=10.0.0.7) "),
    "ray-coloured": before(COLOURS[0] + "(RayTrainWorker pid=4242, ip=10.0.0.7)" + COLOURS[1] + " "),
    "vllm-process": before("(EngineCore_DP0 pid=4242) "),
    "vllm-coloured": before("\x1b[1;36m(EngineCore_DP0 pid=4242)" + COLOURS[1] + " "),
    "vllm-v0": stamped("ERROR %m-%d %H:%M:%S engine.py:366] "),
    "vllm-v1": stamped("(EngineCore_DP0 pid=4242) ERROR %m-%d %H:%M:%S [core.py:700] "),
    # Loggers that relay a child's output: at ERROR, since what an INFO logger quotes is no fault of its own
    "loguru": stamped("%Y-%m-%d %H:%M:%S.{ms} | ERROR    | runner.job:relay:42 - "),
    "logging": stamped("%Y-%m-%d %H:%M:%S,{ms} - runner - ERROR - "),
    "airflow": stamped("[%Y-%m-%dT%H:%M:%S.{ms}+0000] {{subprocess.py:93}} INFO - "),  # Airflow's log_format
    # Nested
    "compose-rank": inside(before("trainer-1  | "), before("[rank3]: ")),
    "cri-ray-rank": inside(cri(16 * 1024), before("(RayTrainWorker pid=4242, ip=10.0.0.7) "), before("[rank3]: ")),
    "actions-buildkit": inside(stamped("%Y-%m-%dT%H:%M:%S.{hns}Z "), buildkit),
    "actions-compose-srun": inside(stamped("%Y-%m-%dT%H:%M:%S.{hns}Z "), before("trainer-1  | "), before("3: ")),
    "docker-json-vllm": inside(docker_json, before(COLOURS[0] + "(EngineCore_DP0 pid=4242)" + COLOURS[1] + " ")),
    "srun-mpirun": inside(before("0: "), before("[1,3]<stderr>:")),
    "syslog-compose": inside(rsyslog("%b %e %H:%M:%S gn21 docker[977]: "), before("trainer-1  | ")),
}

KERNEL = {  # what the kernel printed, as other tools show it
    "dmesg-ctime": dmesg_ctime,
    "dmesg-iso": dmesg_iso,
    "dmesg-raw": dmesg_raw,
    "kern-log": kernel_syslog,
}
