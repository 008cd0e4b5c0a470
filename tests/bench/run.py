#!/usr/bin/env python3
"""Measures cutopsy against its peers on this machine, all in one run, and prints ratios.

usage: tests/bench/run.py BUILD_DIR [--megabytes 400] [--json FILE]

Rates are the median of several runs of a whole process, pinned to one core, with the file in the page cache.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

RUNS = 5
STARTS = 30
TEN_LINES = "".join(f"step {i}: loss 0.{i}\n" for i in range(10))


def seconds(command, runs, stdin=None):
    """Median wall time of `command`; its exit status may be 1 (no match, failure found)."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        process = subprocess.run(["taskset", "-c", "0", *command], input=stdin, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
        if process.returncode not in (0, 1):
            raise SystemExit(f"{command[0]} exited with {process.returncode}")
    return statistics.median(times)


def peak_mebibytes(command):
    """Largest resident size of `command` in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss / 1024


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("build")
    options.add_argument("--megabytes", type=int, default=400)
    options.add_argument("--json")
    options = options.parse_args()
    build = pathlib.Path(options.build)
    cutopsy, peer, logs = str(build / "cutopsy"), str(build / "tests/bench/bench_peer"), build / "tests/bench/bench_logs"
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        literals = pathlib.Path(folder, "literals")
        literals.write_bytes(subprocess.run([peer, "literals"], check=True, capture_output=True).stdout)
        for kind, size in (("clean", options.megabytes), ("near", 100), ("dense", 100)):
            log = pathlib.Path(folder, kind + ".log")
            with open(log, "wb") as out:
                subprocess.run([logs, kind, str(size)], check=True, stdout=out)
            ours = seconds([cutopsy, str(log)], RUNS)
            rg = seconds(["rg", "-j1", "-c", "-F", "-f", str(literals), str(log)], RUNS)
            bare = seconds([peer, "scan", str(log)], RUNS)
            result[kind] = {
                "megabytes": size,
                "cutopsy_mb_per_s": round(size / ours),
                "ratio_to_rg": round(rg / ours, 2),
                "ratio_to_bare_scan": round(bare / ours, 2),
                "peak_mebibytes": round(peak_mebibytes([cutopsy, str(log)])),
            }
            log.unlink()
        small = pathlib.Path(folder, "small.log")
        small.write_text(TEN_LINES)
        start = seconds([cutopsy, str(small)], STARTS)
        rg_start = seconds(["rg", "-c", "-F", "word", str(small)], STARTS)
        result["start"] = {"cutopsy_ms": round(start * 1e3, 1), "rg_ms": round(rg_start * 1e3, 1),
                           "over_rg_ms": round((start - rg_start) * 1e3, 1)}
        result["literals"] = len(literals.read_bytes().splitlines())
    for name, figures in result.items():
        print(f"{name}: {figures}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")


main()
