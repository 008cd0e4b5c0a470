#!/usr/bin/env python3
"""Writes the logs of many jobs, some of which failed, into a folder, and says which failed of what.

usage: tests/bench/job_logs.py FOLDER [--jobs 2000] [--megabytes 1000] [--failing 0.05] [--seed 1]

A job that failed ends with a log of tests/corpus, as another run of it would have printed it: with other process ids
and addresses, and in the wrapping of another CI system. What stands before it, and the logs of the other jobs, are
ordinary training output. Prints {"failed": {FILE: CORPUS CASE}} as JSON.
"""
import argparse
import json
import pathlib
import random
import re

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus"
MOST_BYTES = 64 * 1024  # of a failed job's own log
# Logs of a machine rather than of one job, or with its host on each line: two of them would be taken for one job.
MACHINE = re.compile(r"^(\[ *\d+\.\d+\]|\w{3} +\d+ [\d:]{8} |\S+:\d+:\d+ \[|kernel:)", re.M)
TIMES = re.compile(r"^\S*\d{4}-\d\d-\d\d[T ]\d\d:", re.M)


def failed_logs():
    """The logs of the corpus cases that can be varied, by the case's name."""
    found = {}
    for description in sorted(CORPUS.glob("*/case.json")):
        case = json.loads(description.read_text())
        log = description.parent / case["files"][0]
        if case["cause"] == "none" or len(case["files"]) != 1 or log.stat().st_size > MOST_BYTES:
            continue
        try:
            text = log.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if not text.startswith("\ufeff") and not MACHINE.search(text):
            found[description.parent.name] = text
    return found


def ordinary_lines(random_, count):
    """Lines that training jobs print."""
    lines = []
    for step in range(count):
        kind = random_.randrange(16)
        if kind == 0:
            lines.append(f"INFO trainer: saved checkpoint step-{step} in {random_.random() * 9:.1f}s\n")
        elif kind == 1:
            lines.append(f"validation: accuracy {random_.random():.4f} top5 {random_.random():.4f} over 512 batches\n")
        elif kind == 2:
            lines.append(f"Epoch {step // 100}: {step % 100:3d}%|{'#' * (step % 10):10}| {step}/5000 [00:31<00:29]\n")
        else:
            lines.append("{'loss': %.4f, 'grad_norm': %.3f, 'learning_rate': %.6e, 'tokens_per_second': %d}\n" %
                         (random_.random() * 9, random_.random() * 9, random_.random() * 1e-4, 10000 + step % 5000))
    return lines


def another_run(text, random_):
    """The text with other process ids and addresses."""
    text = re.sub(r"(?i)(\bpid[ =:]+)(\d{4,7})\b", lambda m: m[1] + str(random_.randrange(10000, 4000000)), text)
    return re.sub(r"\b0x[0-9a-f]{9,16}\b", lambda m: f"0x7f{random_.getrandbits(40):010x}", text)


def wrapped(lines, kind, random_):
    """The lines in the wrapping that a CI system or container runtime adds."""
    if kind == "plain":
        return lines
    second = random_.randrange(80000)
    middle = "" if kind == "actions" else random_.choice([" stdout F", " stderr F"])
    result = []
    for number, line in enumerate(lines):
        at = second + number // 200
        stamp = f"2026-11-30T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.{number % 200 * 5:03}0000Z"
        result.append(f"{stamp}{middle} {line}")
    return result


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--jobs", type=int, default=2000)
    options.add_argument("--megabytes", type=int, default=1000)
    options.add_argument("--failing", type=float, default=0.05)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    random_ = random.Random(options.seed)
    logs = failed_logs()
    order = list(logs)
    random_.shuffle(order)
    failing = set(random_.sample(range(options.jobs), round(options.jobs * options.failing)))
    pool = ordinary_lines(random_, 40000)
    bytes_a_line = sum(map(len, pool)) / len(pool)
    failed = {}
    options.folder.mkdir(parents=True, exist_ok=True)
    for job in range(options.jobs):
        count = int(options.megabytes * 1e6 / options.jobs / bytes_a_line * random_.uniform(0.5, 1.5))
        lines = []
        while len(lines) < count:
            begin = random_.randrange(len(pool) - 1000)
            lines += pool[begin:begin + min(1000, count - len(lines))]
        kinds = ["plain"] * 3 + ["actions", "kubernetes"]
        if job in failing:
            name = order[len(failed) % len(order)]
            failed[f"job-{job:05}.log"] = name
            lines += another_run(logs[name], random_).splitlines(keepends=True)
            if TIMES.search(logs[name]):  # its own times would contradict those of the wrapping
                kinds = ["plain"]
        text = "".join(wrapped(lines, random_.choice(kinds), random_))
        with open(options.folder / f"job-{job:05}.log", "w", newline="") as log:
            log.write(text)
    print(json.dumps({"failed": failed}, indent=2))


if __name__ == "__main__":
    main()
