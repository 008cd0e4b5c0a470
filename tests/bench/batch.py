#!/usr/bin/env python3
"""Diagnoses the logs of many jobs (job_logs.py) on one core and on two, and checks that nothing is lost or added.

usage: tests/bench/batch.py BUILD_DIR [--jobs 2000] [--megabytes 1000] [--json FILE]

Fails where the reports differ, where two cores are less than 1.8 times as fast as one, where memory exceeds 256 MiB, or
where the cases per fingerprint are not those that were written. The fingerprint of a cause is the one that the corpus
log alone has. Times are the best of several runs, in turn, with the files in the page cache.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import job_logs

RUNS = 5
LEAST_SPEEDUP = 1.8
MOST_MEBIBYTES = 256


def report_of(cutopsy, *arguments):
    process = subprocess.run([cutopsy, "--format", "json", *map(str, arguments)], capture_output=True)
    if process.returncode not in (0, 1):
        raise SystemExit(f"cutopsy exited with {process.returncode}: {process.stderr.decode()}")
    return process.stdout


def measure(cutopsy, folder, jobs):
    """Wall seconds and peak MiB of a run with the report for people."""
    begin = time.perf_counter()
    process = subprocess.Popen(["taskset", "-c", "0" if jobs == 1 else "0,1", cutopsy, "--jobs", str(jobs), folder],
                               stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - begin, usage.ru_maxrss / 1024


def answers(report):
    """File name -> the first incident of its case."""
    found = {}
    for incident in json.loads(report)["incidents"]:
        found.setdefault(pathlib.PurePath(incident["where"]["input"]).name, incident)
    return found


def wrong_counts(cutopsy, truth, report):
    """Fingerprints whose cases are not as many as were written: fingerprint -> (rule, written, found)."""
    known = {}
    for name in set(truth["failed"].values()):
        case = json.loads((job_logs.CORPUS / name / "case.json").read_text())
        incident = json.loads(report_of(cutopsy, job_logs.CORPUS / name / case["files"][0]))["incidents"][0]
        if incident["rule"] not in [case["cause"], *case.get("accept", [])]:
            raise SystemExit(f"{name}: its own log is not diagnosed right: {incident['rule']}")
        known[name] = (incident["fingerprint"], incident["rule"])
    rules = {fingerprint: rule for fingerprint, rule in known.values()}
    written = collections.Counter(known[name][0] for name in truth["failed"].values())
    found = collections.Counter(incident["fingerprint"] for incident in answers(report).values())
    return {fingerprint: (rules.get(fingerprint), written[fingerprint], found[fingerprint])
            for fingerprint in written.keys() | found.keys() if written[fingerprint] != found[fingerprint]}


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--jobs", type=int, default=2000)
    options.add_argument("--megabytes", type=int, default=1000)
    options.add_argument("--json")
    options = options.parse_args()
    cutopsy = str(options.build / "cutopsy")
    with tempfile.TemporaryDirectory() as folder:
        logs = pathlib.Path(folder, "logs")
        truth = json.loads(subprocess.run(
            [sys.executable, job_logs.__file__, logs, "--jobs", str(options.jobs), "--megabytes", str(options.megabytes)],
            check=True, capture_output=True).stdout)
        report = report_of(cutopsy, "--jobs", "1", logs)
        same = all(report_of(cutopsy, "--jobs", jobs, logs) == report for jobs in (2, 7))
        times = {1: [], 2: []}
        peak = 0
        for _ in range(RUNS):
            for jobs, seconds in times.items():
                wall, mebibytes = measure(cutopsy, logs, jobs)
                seconds.append(wall)
                peak = max(peak, mebibytes)
    wrong = wrong_counts(cutopsy, truth, report)
    figures = {"one_core_s": round(min(times[1]), 2), "two_cores_s": round(min(times[2]), 2),
               "speedup": round(min(times[1]) / min(times[2]), 2), "peak_mebibytes": round(peak),
               "same_report": same, "failed_jobs": len(truth["failed"]), "wrong_counts": wrong}
    for name, value in figures.items():
        print(f"{name}: {value}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=2) + "\n")
    if not same or wrong or figures["speedup"] < LEAST_SPEEDUP or peak > MOST_MEBIBYTES:
        raise SystemExit("not within the bounds")


main()
