#!/usr/bin/env python3
"""Measures what `cutopsy run` costs a program that prints ten million lines; fails above 10% of its time.

usage: tests/bench/run_overhead.py BUILD_DIR [--lines 10000000] [--runs 5] [--json FILE]

The program is run bare and through `cutopsy run`, in turn, its output to a file in memory. Wall times are the best of
all runs, since other work on the machine only ever adds to them; processor times are the program's own (`program`) and
cutopsy's (`cutopsy`), which may run beside the program on another core.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MOST_OVERHEAD = 0.10
# Prints lines of a training log, as a training script does.
PROGRAM = """
for step in range(int(__import__("sys").argv[1])):
    print(f"step {step}: loss {step % 977 / 977:.4f} grad_norm {step % 31 / 31:.3f} lr 3.000e-04 tokens/s 15873")
"""


def cpu_seconds(usage):
    return usage.ru_utime + usage.ru_stime


def run(command, output):
    """Wall and processor seconds of `command` with all its children."""
    with open(output, "wb") as file:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{command[0]} ended with {status}")
    return wall, cpu_seconds(usage)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--lines", type=int, default=10_000_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--json")
    options = options.parse_args()
    program = [sys.executable, "-c", PROGRAM, str(options.lines)]
    bare, through = [], []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        plain, passed = pathlib.Path(folder, "plain"), pathlib.Path(folder, "passed")
        for _ in range(options.runs):
            bare.append(run(program, plain))
            through.append(run([str(options.build / "cutopsy"), "run", "--", *program], passed))
        same = plain.stat().st_size == passed.stat().st_size and subprocess.run(["cmp", plain, passed]).returncode == 0
        megabytes = round(plain.stat().st_size / 1e6)
    wall, wall_through = min(bare)[0], min(through)[0]
    cpu, cpu_through = min(times[1] for times in bare), min(times[1] for times in through)
    result = {"lines": options.lines, "megabytes": megabytes, "same_output": same,
              "wall_bare": round(wall, 2), "wall_run": round(wall_through, 2),
              "overhead": round(wall_through / wall - 1, 3),
              "cpu_bare": round(cpu, 2), "cpu_run": round(cpu_through, 2)}
    print(result)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    if not same or result["overhead"] > MOST_OVERHEAD:
        raise SystemExit(f"the output differs, or `run` costs more than {MOST_OVERHEAD:.0%}")


main()
