#!/usr/bin/env python3
"""Pipes long streams through cutopsy and prints its peak memory and speed; fails where memory or time grows.

usage: tests/bench/streams.py BUILD_DIR [--gigabytes 10] [--kinds errors,long,...] [--json FILE]

Each kind of log (tests/bench/logs.cc) is read twice: a tenth of the size, then all of it. Speed is megabytes a second
of processor time, which does not depend on what else the machine does.
"""
import argparse
import json
import os
import pathlib
import subprocess

KINDS = "unfinished,errors,mixed,writers,openers,facts,long"
MOST_MEBIBYTES = 96
MOST_GROWTH = 1.3  # processor time per byte, of the whole stream over its first tenth


def read_stream(build, kind, megabytes):
    """Peak MiB and processor seconds of `cutopsy` that reads so much of `kind` from a pipe."""
    logs = subprocess.Popen([build / "tests/bench/bench_logs", kind, str(megabytes)], stdout=subprocess.PIPE)
    cutopsy = subprocess.Popen([build / "cutopsy", "--format", "json"], stdin=logs.stdout, stdout=subprocess.DEVNULL)
    logs.stdout.close()
    _, status, usage = os.wait4(cutopsy.pid, 0)
    cutopsy.returncode = os.waitstatus_to_exitcode(status)
    if logs.wait() != 0 or cutopsy.returncode not in (0, 1):
        raise SystemExit(f"{kind}: bench_logs exited with {logs.returncode}, cutopsy with {cutopsy.returncode}")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--gigabytes", type=float, default=10)
    options.add_argument("--kinds", default=KINDS)
    options.add_argument("--json")
    options = options.parse_args()
    megabytes = int(options.gigabytes * 1000)
    result = {}
    for kind in options.kinds.split(","):
        _, tenth = read_stream(options.build, kind, megabytes // 10)
        peak, seconds = read_stream(options.build, kind, megabytes)
        figures = {"megabytes": megabytes, "peak_mebibytes": round(peak), "mb_per_cpu_second": round(megabytes / seconds),
                   "growth": round(seconds / tenth / 10, 2)}
        figures["within_bounds"] = peak <= MOST_MEBIBYTES and figures["growth"] <= MOST_GROWTH
        result[kind] = figures
        print(f"{kind}: {figures}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    if not all(figures["within_bounds"] for figures in result.values()):
        raise SystemExit(f"memory above {MOST_MEBIBYTES} MiB, or time that grows faster than the input")


main()
