#!/usr/bin/env python3
"""Breaks the kernels and the checks' decisions one line at a time, and demands that the tests notice.

usage: run.py [NAME...]      all mutants of mutants.tsv, or those named

Each row has a name, a file, a line of it (as it stands there, without its indentation), what to put in its place, and
the tests that have to fail: PROGRAM or PROGRAM:FILTER with a filter of GoogleTest. The work is done on a copy below
build/mutants; the tree is only read. Exit status: 0 when every mutant was noticed, 1 when one was not, 2 when the run
could not be made.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
UNMUTATED = WORK / "unmutated"  # kernels/ as the tests know it
BUILD = WORK / "build"
PARTS = ("kernels", "validators", "tests/unit", "tests/fake_gpu", "tests/mutants")
TEST_SECONDS = 120  # a mutant that makes a test hang is noticed too


def fail(message):
    print(f"mutants: {message}", file=sys.stderr)
    sys.exit(2)


def read_rows():
    with open(HERE / "mutants.tsv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True))


def mutated(row):
    """The file's text with the row's line replaced."""
    lines = (ROOT / row["file"]).read_text(encoding="utf-8").split("\n")
    places = [i for i, line in enumerate(lines) if line.strip() == row["line"]]
    if len(places) != 1:
        fail(f"{row['name']}: {row['file']} has {len(places)} lines that read: {row['line']}")
    lines[places[0]] = row["replacement"]
    return "\n".join(lines)


def copy_tree():
    """Brings the copy up to date; what is the same keeps its time, so that it is not built again."""
    wanted = set()
    for part in PARTS:
        for source in (ROOT / part).rglob("*"):
            if source.suffix not in (".cc", ".h", ".txt", ".cu", ".cuh", ".cmake"):
                continue
            for tree in (TREE, UNMUTATED) if part == "kernels" else (TREE,):
                target = tree / source.relative_to(ROOT)
                wanted.add(target)
                restore(source, target)
    for old in [*TREE.rglob("*"), *UNMUTATED.rglob("*")]:
        if old.is_file() and old not in wanted:
            old.unlink()


def restore(source, target):
    if target.exists() and target.read_bytes() == source.read_bytes():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def write_images():
    """PTX of which only the names matter: of all kernels, for a current driver and for an old one."""
    names = re.findall(r'kernel<.*"(cutopsy_\w+)"', (ROOT / "kernels/host_kernels.cc").read_text(encoding="utf-8"))
    entries = "".join(f".visible .entry {name}(\n" for name in names)
    for file, version, target in (("image.ptx", "8.0", 90), ("lowered.ptx", "6.0", 50)):
        text = f".version {version}\n.target sm_{target}\n.address_size 64\n{entries}\0"
        BUILD.mkdir(parents=True, exist_ok=True)
        (BUILD / file).write_text(text, encoding="ascii")


def configure():
    command = ["cmake", "-S", str(TREE / "tests/mutants"), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_CUDA_COMPILER=",
               f"-DCUTOPSY_UNMUTATED={UNMUTATED}"]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        fail("cmake failed")


def build(programs):
    """The compiler's complaints, or "" when all is built."""
    command = ["ninja", "-C", str(BUILD), "-j", str(os.cpu_count() or 1), *sorted(programs)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout


def passes(test):
    program, _, pattern = test.partition(":")
    command = [str(BUILD / program), "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={pattern or '*'}"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TEST_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    if " 0 tests ran" in done.stdout:
        fail(f"no test has the name {test}")
    return done.returncode == 0


def tests_of(rows):
    return sorted({test for row in rows for test in row["tests"].split()})


def programs_of(tests):
    return {test.partition(":")[0] for test in tests}


def prepare(rows):
    for row in rows:
        mutated(row)
    copy_tree()
    write_images()
    configure()
    tests = tests_of(rows)
    if complaints := build(programs_of(tests)):
        fail(f"the unmutated tests do not build:\n{complaints}")
    for test in tests:
        if not passes(test):
            fail(f"without any mutant, {test} fails")


def judge(row):
    """What became of a mutant: "" when every one of its tests noticed it."""
    target = TREE / row["file"]
    target.write_text(mutated(row), encoding="utf-8")
    try:
        tests = row["tests"].split()
        if complaints := build(programs_of(tests)):
            return f"does not compile:\n{complaints}"
        missed = [test for test in tests if passes(test)]
        return f"not noticed by {', '.join(missed)}" if missed else ""
    finally:
        restore(ROOT / row["file"], target)


def main():
    if "--help" in sys.argv or "-h" in sys.argv:
        print(__doc__)
        return 0
    rows = read_rows()
    if unknown := set(sys.argv[1:]) - {row["name"] for row in rows}:
        fail(f"there is no mutant {', '.join(sorted(unknown))}")
    chosen = [row for row in rows if not sys.argv[1:] or row["name"] in sys.argv[1:]]
    start = time.monotonic()
    prepare(chosen)
    print(f"{time.monotonic() - start:6.1f} s  the tests pass without any mutant", flush=True)
    survivors = 0
    for row in chosen:
        began = time.monotonic()
        problem = judge(row)
        survivors += problem != ""
        print(f"{time.monotonic() - began:6.1f} s  {row['name']:40} {problem or 'noticed'}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants noticed in {time.monotonic() - start:.0f} s")
    return 1 if survivors else 0


sys.exit(main())
