#!/usr/bin/env python3
"""Runs the fuzz targets (https://llvm.org/docs/LibFuzzer.html) and fails on a finding.

usage: run.py BUILD [TARGET] [SECONDS]

Each target runs for SECONDS (30), as many at once as there are cores (FUZZ_JOBS changes that). What a run finds worth
keeping stays in BUILD/fuzz/corpus/TARGET, so that the next goes on from there; inputs that broke something are in
BUILD/fuzz/findings. To see one again: BUILD/tests/fuzz/fuzz_TARGET FILE.
"""
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

import seeds


class Target(NamedTuple):
    longest: int  # bytes of an input
    seeds: object  # a function of the words that the scan looks for
    words: tuple  # of which the dictionary is made: names of functions in Material


TARGETS = {
    "line_parsers": Target(1024, seeds.logs, ("literals", "parsers")),
    "record_parsers": Target(2048, seeds.logs, ("literals", "parsers")),
    "reader": Target(2048, seeds.logs, ("literals", "parsers")),
    "envelope": Target(2048, seeds.logs, ("envelopes",)),
    "chunks": Target(2048, seeds.encodings, ()),
    "literal_scan": Target(2048, seeds.few_logs, ("literals",)),
    "diagnosis": Target(2048, seeds.few_logs, ("literals", "parsers")),
    "report": Target(2048, seeds.two_logs, ("literals",)),
    "redaction": Target(1024, seeds.few_logs, ("redactions",)),
    "packed_input": Target(4096, seeds.packed, ()),
    "merge_input": Target(6144, seeds.report_lines, ("reports",)),
    "rule_file": Target(4096, seeds.rule_files, ("schema",)),
    "worker_message": Target(2048, seeds.messages, ()),
    "device_code": Target(4096, seeds.device_code, ()),
    "machine_files": Target(4096, lambda _words: [], ("validators",)),
}

SHORT = 120  # seconds: a shorter run takes a part of the seeds, since starting with all costs a minute
FEW = 400  # seeds

LIMITS = ["-timeout=25", "-rss_limit_mb=2048", "-malloc_limit_mb=256", "-print_final_stats=1"]
HAND_MADE = Path(__file__).resolve().parent / "seeds"


class Run:
    def __init__(self, build, seconds):
        self.build = Path(build)
        self.folder = self.build / "fuzz"
        self.seconds = seconds
        tool = self.build / "tests/fuzz/seed_material"
        self.material = str(tool)
        printed = subprocess.run([tool, "literals"], capture_output=True, check=True, text=True).stdout
        self.literals = printed.splitlines()
        self.telling = [literal.strip('"').encode() for literal in self.literals if "\\" not in literal]

    def dictionary(self, target):
        words = []
        for source in TARGETS[target].words:
            words += {
                "literals": lambda: self.literals,
                "parsers": lambda: map(seeds.quoted, seeds.words_of_sources("parsers/*.cc")),
                "envelopes": lambda: map(seeds.quoted, seeds.words_of_sources("parsers/envelope/*.cc")),
                "validators": lambda: map(seeds.quoted, seeds.words_of_sources("validators/**/*.cc")),
                "redactions": lambda: map(seeds.quoted, seeds.words_of_sources("engine/report/redaction.cc")),
                "schema": lambda: map(seeds.quoted, seeds.words_of_schema()),
                "reports": lambda: map(seeds.quoted, seeds.words_of_reports(self.seeds_of("merge_input"))),
            }[source]()
        path = self.folder / f"{target}.dict"
        path.write_text("\n".join(sorted(set(words))) + "\n")
        return path

    def seeds_of(self, target):
        if target == "merge_input":
            return list(seeds.report_lines(self.telling, self.material))
        return list(TARGETS[target].seeds(self.telling))

    def chosen_seeds(self, target):
        made = self.seeds_of(target)
        return random.Random(1).sample(made, FEW) if self.seconds < SHORT and len(made) > FEW else made

    def prepare(self, target):
        made = self.folder / "seeds" / target
        for folder in (made, self.folder / "corpus" / target, self.folder / "findings"):
            folder.mkdir(parents=True, exist_ok=True)
        for old in made.iterdir():
            old.unlink()
        for seed in self.chosen_seeds(target):
            seed = seed[:TARGETS[target].longest]
            (made / sha1(seed).hexdigest()).write_bytes(seed)
        folders = [self.folder / "corpus" / target, made]
        return folders + [HAND_MADE / target] * (HAND_MADE / target).is_dir()

    def run(self, target):
        folders = self.prepare(target)
        command = [self.build / f"tests/fuzz/fuzz_{target}", *LIMITS, f"-max_total_time={self.seconds}",
                   f"-max_len={TARGETS[target].longest}", f"-artifact_prefix={self.folder / 'findings' / target}-"]
        if TARGETS[target].words:
            command.append(f"-dict={self.dictionary(target)}")
        if os.environ.get("CI"):
            command.append("-seed=1")  # what a change did not bring should not fail it
        log = self.folder / f"{target}.log"
        begin = time.monotonic()
        with log.open("w") as out:
            status = subprocess.run(command + folders, stdout=out, stderr=out, check=False).returncode
        return target, status, log, time.monotonic() - begin


def told(log, pattern):
    found = re.findall(pattern, log)
    return found[-1] if found else "?"


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    build, *rest = arguments
    seconds = int(rest.pop()) if rest and rest[-1].isdigit() else 30
    targets = rest or list(TARGETS)
    unknown = [target for target in targets if target not in TARGETS]
    if unknown:
        sys.exit(f"run.py: no target {unknown[0]}; there are {', '.join(TARGETS)}")
    run = Run(build, seconds)
    failed = 0
    print(f"{'target':16} {'executions':>12} {'seconds':>8} {'edges':>7}")
    with ThreadPoolExecutor(int(os.environ.get("FUZZ_JOBS", os.cpu_count() or 1))) as pool:
        for target, status, log, took in pool.map(run.run, targets):
            text = log.read_text(errors="replace")
            executions, edges = told(text, r"number_of_executed_units: (\d+)"), told(text, r"cov: (\d+)")
            print(f"{target:16} {executions:>12} {took:8.0f} {edges:>7} {'' if status == 0 else 'FAILED'}", flush=True)
            if status != 0:
                failed += 1
                print("\n".join(text.splitlines()[-60:]))
    print(f"{len(targets) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
