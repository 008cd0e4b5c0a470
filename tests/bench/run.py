#!/usr/bin/env python3
"""Measures cutopsy against the peers that a user would pick, all in one run on one machine, and prints ratios.

usage: tests/bench/run.py BUILD_DIR [--runs 5] [--no-large] [--json FILE] [--compare OLD.json]

Needs some 5 GB below $TMPDIR (1 GB with --no-large), which are removed after. One core, files in the page cache; rates
are megabytes a second of processor time, best of all runs, the programs in turn. Ratios above 1 mean that cutopsy takes
less time. The peers: ripgrep and grep with cutopsy's own scan literals (`rg -F`, `grep -F`), ripgrep with the regexes of
its rules (`rg -f`, on a tenth of the log), a bare read() + hs_scan() loop with the same buffers and literals (`bare`: the
limit), `wc -l` and `cat` (the floor).

--compare prints how the ratios to `bare` have changed since OLD.json and fails where one fell by more than 30%.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

import measuring
import workloads

STARTS = 30
TEN_LINES = "".join(f"step {i}: loss 0.{i}\n" for i in range(10))
PEERS = ("bare", "rg -F", "rg -f", "grep -F", "wc -l", "cat")
WORST_FALL = 0.30  # the same program varies by a quarter on a busy machine


class Programs:
    """The command lines of cutopsy and its peers."""

    def __init__(self, build, folder):
        self.cutopsy = [build / "cutopsy", "--jobs", "1"]
        self.peer = build / "tests/bench/bench_peer"
        self.literals, self.regexes = pathlib.Path(folder, "literals"), pathlib.Path(folder, "regexes")
        self.literals.write_bytes(self._list("literals"))
        unnamed = re.sub(rb"\(\?P<\w+>", b"(?:", self._list("regexes"))  # rg takes a group's name once
        taken = [regex for regex in unnamed.splitlines() if self._rg_takes(regex)]
        self.regexes.write_bytes(b"\n".join(taken) + b"\n")

    def _list(self, what):
        return subprocess.run([self.peer, what], check=True, capture_output=True).stdout

    @staticmethod
    def _rg_takes(regex):
        search = subprocess.run([b"rg", b"-c", b"-e", regex], input=b"", capture_output=True)
        return search.returncode in (0, 1)

    def _grep(self, how, path):  # into a pipe: grep stops early where nobody reads
        return ["sh", "-c", f"grep {how} -F -f {self.literals} {path} | cat"]

    def on_file(self, log):
        return {"cutopsy": [*self.cutopsy, log], "bare": [self.peer, "scan", log],
                "rg -F": ["rg", "-j1", "-c", "-F", "-f", self.literals, log],
                "grep -F": self._grep("-c", log), "wc -l": ["wc", "-l", log], "cat": ["cat", log]}

    def on_folder(self, folder):
        return {"cutopsy": [*self.cutopsy, folder], "rg -F": ["rg", "-j1", "-c", "-F", "-f", self.literals, folder],
                "grep -F": self._grep("-rc", folder),
                "wc -l": ["sh", "-c", f"find {folder} -type f -print0 | xargs -0 cat | wc -l"],
                "cat": ["sh", "-c", f"find {folder} -type f -print0 | xargs -0 cat"]}

    def with_regexes(self, log):
        return ["rg", "-j1", "-c", "--regex-size-limit", "1G", "--dfa-size-limit", "1G", "-f", self.regexes, log]


def figures(costs, megabytes):
    ours = costs["cutopsy"]
    found = {"megabytes": round(megabytes), "mb_per_s": round(megabytes / ours.processor),
             "peak_mebibytes": round(ours.mebibytes)}
    return found | {peer: round(costs[peer].processor / ours.processor, 2) for peer in PEERS if peer in costs}


def measure_log(programs, build, kind, megabytes, folder, runs):
    log, tenth = pathlib.Path(folder, kind + ".log"), pathlib.Path(folder, "tenth.log")
    workloads.make_log(build, kind, megabytes, log)
    workloads.make_log(build, kind, max(megabytes // 10, 1), tenth)
    costs = measuring.least_costs(programs.on_file(log), runs)
    found = figures(costs, log.stat().st_size / 1e6)
    slow = measuring.least_costs({"rg -f": programs.with_regexes(tenth)}, 1)["rg -f"]
    bytes_ratio = log.stat().st_size / tenth.stat().st_size
    found["rg -f"] = round(slow.processor * bytes_ratio / costs["cutopsy"].processor, 2)
    log.unlink()
    tenth.unlink()
    return found


def measure_large(programs, build, folder):
    """One large file, on one core and on two."""
    log = pathlib.Path(folder, "large.log")
    workloads.make_log(build, "clean", workloads.LARGE_MEGABYTES, log)
    found = figures(measuring.least_costs(programs.on_file(log), 2), log.stat().st_size / 1e6)
    one = measuring.least_costs({"one": programs.on_file(log)["cutopsy"]}, 2)["one"].wall
    two = measuring.least_costs({"two": [build / "cutopsy", "--jobs", "2", log]}, 2, "0,1")["two"].wall
    found["two_cores"] = round(one / two, 2)
    log.unlink()
    return found


def measure_files(programs, build, folder, runs):
    logs = pathlib.Path(folder, "logs")
    megabytes = workloads.make_files(build, logs)
    return figures(measuring.least_costs(programs.on_folder(logs), runs), megabytes)


def measure_start(build, folder):
    small = pathlib.Path(folder, "small.log")
    small.write_text(TEN_LINES)
    costs = measuring.least_costs({"cutopsy": [build / "cutopsy", small], "rg": ["rg", "-c", "-F", "word", small]}, STARTS)
    ours, rg = costs["cutopsy"].wall * 1e3, costs["rg"].wall * 1e3
    return {"cutopsy_ms": round(ours, 1), "rg_ms": round(rg, 1), "over_rg_ms": round(ours - rg, 1)}


def measure_parts(build):
    """Rates of the inner parts (micro.cc), by name."""
    output = subprocess.run(["taskset", "-c", "0", build / "tests/bench/bench_micro", "--benchmark_format=json",
                             "--benchmark_repetitions=3", "--benchmark_min_time=0.2"], check=True, capture_output=True)
    rates = {}
    for row in json.loads(output.stdout)["benchmarks"]:
        if row["run_type"] == "iteration" and "bytes_per_second" in row:
            rates[row["run_name"]] = max(rates.get(row["run_name"], 0), round(row["bytes_per_second"] / 1e6))
    return rates


def print_table(logs):
    columns = ("megabytes", "mb_per_s", "peak_mebibytes", *PEERS)
    print(f"{'log':12}" + "".join(f"{name:>10}" for name in ("MB", "MB/s", "peak MiB", *PEERS)))
    for name, row in logs.items():
        print(f"{name:12}" + "".join(f"{row.get(column, ''):>10}" for column in columns))


def compare(old, new):
    """Prints the ratios to the bare scan then and now; the logs of which it fell too far."""
    fallen = []
    for name in old["logs"].keys() & new["logs"].keys():
        before, after = old["logs"][name].get("bare"), new["logs"][name].get("bare")
        if not before or not after:
            continue
        print(f"{name}: {before} -> {after} of the bare scan")
        if after < before * (1 - WORST_FALL):
            fallen.append(name)
    return fallen


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--no-large", action="store_true")
    options.add_argument("--json", type=pathlib.Path)
    options.add_argument("--compare", type=pathlib.Path)
    options = options.parse_args()
    build = options.build.resolve()
    result = {"logs": {}}
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(build, folder)
        result["literals"] = len(programs.literals.read_bytes().splitlines())
        for kind, megabytes in workloads.LOGS.items():
            result["logs"][kind] = measure_log(programs, build, kind, megabytes, folder, options.runs)
        if not options.no_large:
            result["logs"]["4 GB"] = measure_large(programs, build, folder)
            result["logs"]["20000 files"] = measure_files(programs, build, folder, 2)
        result["start"] = measure_start(build, folder)
    result["parts_mb_per_s"] = measure_parts(build)
    print_table(result["logs"])
    for name in ("literals", "start", "parts_mb_per_s"):
        print(f"{name}: {result[name]}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")
    if options.compare:
        fallen = compare(json.loads(options.compare.read_text()), result)
        if fallen:
            raise SystemExit(f"slower than before: {', '.join(fallen)}")


main()
