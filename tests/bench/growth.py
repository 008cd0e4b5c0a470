#!/usr/bin/env python3
"""How time grows with adversarial input: each shape at 1x, 10x and 100x, as ratios.

    python3 tests/bench/growth.py build/release/cutopsy [SHAPE...]

Prints, for each shape, the processor seconds of a run at each size, less those of a run on an empty log, and how often
the time grew tenfold with the tenfold size (1.0 is linear, 2.0 quadratic). Ends with status 1 when a shape grows faster
than LIMIT. Times under NOISE seconds are not compared.
"""
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

LIMIT = 1.25  # exponent of growth that is still called linear: caches, tables that grow
NOISE = 0.02  # seconds
SIZES = (1, 10, 100)


def lines(count, line):
    return "".join(line(i) + "\n" for i in range(count))


def traceback(i, kind="ValueError", rank=""):
    head = f"[rank{rank}]: " if rank != "" else ""
    return "\n".join(head + line for line in (
        "Traceback (most recent call last):", f'  File "/job/train{i}.py", line {i}, in step{i}',
        f"    call{i}(x)", f"{kind}: CUDA value {i} of {i * 7}"))


def status(i, rank=None):
    names = ("cudaErrorIllegalAddress", "cudaErrorLaunchTimeout", "cudaErrorAssert", "CUBLAS_STATUS_EXECUTION_FAILED",
             "CUDNN_STATUS_MAPPING_ERROR", "cudaErrorECCUncorrectable", "ncclSystemError", "CUFFT_EXEC_FAILED")
    return f"[rank{i if rank is None else rank}]: RuntimeError: call {i} failed: {names[i % len(names)]}"


def xid(i, job=""):
    pci = f"{i % 4096:04x}:{i // 4096 % 256:02x}:00"
    return f"[{i:5}.{i % 1000000:06}] NVRM: Xid (PCI:{pci}): {(13, 31, 43, 45, 48, 63, 74, 79, 94, 119)[i % 10]}, pid={i + 1000}, name=python, Ch {i:08x}{job}"


def nccl(i):
    return (f"[rank{i}]:[E ProcessGroupNCCL.cpp:616] [Rank {i}] Watchdog caught collective operation timeout: "
            f"WorkNCCL(SeqNum={i}, OpType=ALLREDUCE, NumelIn={i}, NumelOut={i}, Timeout(ms)=600000) ran for 600029 "
            "milliseconds before timing out.")


# name: how many of what at 1x, and the text of so many
TEXTS = {
    "healthy": (5000, lambda n: lines(n, lambda i: f"step {i} loss {i / 7:.4f} lr 0.0001 tokens/s {i * 3}")),
    "endless line": (1, lambda n: "token cudaErrorAssert x " * (12000 * n)),
    "endless line of brackets": (1, lambda n: '{"log": [[' * (30000 * n)),
    "endless line of quotes": (1, lambda n: "\\\"'" * (100000 * n)),
    "endless line of escapes": (1, lambda n: "\x1b[31mCUDA error\x1b[0m" * (12000 * n)),
    "endless line of returns": (1, lambda n: "50% cudaError\r" * (20000 * n)),
    "JSON lines": (2000, lambda n: lines(n, lambda i: '{"log":"RuntimeError: CUDA error: %d\\n","stream":"x"}' % i)),
    "nested JSON lines": (200, lambda n: lines(n, lambda i: '{"log":' * 200 + f'"CUDA error {i}"' + "}" * 200)),
    "distinct exceptions": (500, lambda n: lines(n, lambda i: traceback(i, f"Error{i}Exception"))),
    "distinct findings": (2000, lambda n: lines(n, status)),
    "distinct signatures": (2000, lambda n: lines(
        n, lambda i: f"RuntimeError: CUDA error: odd thing {'abcdefghijklmnopqrstuvwxyz'[i % 26] * (i % 97 + 1)}")),
    "device asserts": (1000, lambda n: lines(
        n, lambda i: f"/k{i}.cu:{i}: f{i}: block: [{i},0,0], thread: [{i % 1024},0,0] Assertion `a{i} < b{i}` failed.")),
    "many ranks": (1000, lambda n: lines(n, lambda i: traceback(i, "RuntimeError", i))),
    "many ranks that wait": (1000, lambda n: lines(n, nccl)),
    "traceback openers": (2000, lambda n: "Traceback (most recent call last):\n" * n),
    "traceback openers of ranks": (2000, lambda n: lines(
        n, lambda i: f"[rank{i}]: Traceback (most recent call last):")),
    "interleaved tracebacks": (200, lambda n: "".join(
        lines(250, lambda i: f"[rank{i}]: " + traceback(i).split("\n")[k % 4]) for k in range(max(n * 4 // 250, 4)))),
    "exception chains": (300, lambda n: lines(
        n, lambda i: traceback(i) + "\n\nDuring handling of the above exception, another exception occurred:\n")),
    "sanitizer reports": (500, lambda n: lines(n, lambda i: (
        f"========= Invalid __global__ write of size 4 bytes\n=========     at k{i}(int*)+0x{i:x}\n"
        f"=========     by thread ({i % 1024},0,0) in block ({i},0,0)\n=========     Address 0x{i:x} is out of bounds"))),
    "Xids of distinct GPUs": (2000, lambda n: lines(n, xid)),
    "Xids caused by Xids": (2000, lambda n: lines(n, lambda i: xid(i, " caused by previous Xid 31"))),
    "explains edges": (300, lambda n: lines(n, lambda i: "\n".join((xid(i), nccl(i), status(i), traceback(i))))),
    "retried allocations": (1000, lambda n: lines(n, lambda i: (
        f"[rank{i}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {i}.00 MiB. GPU {i % 8} has a total "
        f"capacity of 79.11 GiB of which {i}.44 MiB is free.\n[rank{i}]: retrying with a smaller batch"))),
    "facts": (3000, lambda n: lines(n, lambda i: f"[rank{i}]: node{i}:{i}:{i} [0] NCCL INFO NCCL version 2.{i}.{i}+cuda12.{i}")),
    "build errors": (2000, lambda n: lines(n, lambda i: f"a{i}.cu({i}): error: identifier \"x{i}\" is undefined")),
    "link errors": (2000, lambda n: lines(n, lambda i: f"ld: a{i}.o: undefined reference to `cudaMalloc{i}'")),
    "unfinished chunks": (3000, lambda n: lines(n, lambda i: f"2026-01-01T00:00:00.{i:09}Z stderr P cudaError {i}")),
}


def write_text(folder, name, size):
    count, make = TEXTS[name]
    path = folder / "log.txt"
    path.write_text(make(count * size))
    return [str(path)]


def write_files(folder, size, text):
    for i in range(10 * size):
        (folder / f"{i}.log").write_text(text(i))
    return [str(folder)]


def write_kernel_and_jobs(folder, size):
    write_files(folder, size, lambda i: f"node1 pid {i + 1000}\n2026-01-01 00:00:{i % 60:02} " + status(i) + "\n")
    (folder / "kern.log").write_text(lines(10 * size, lambda i: f"2026-01-01T00:00:{i % 60:02}+00:00 node1 kernel: " + xid(i)))
    return [str(folder)]


def write_rules(folder, size):
    """Rules with triggers of their own, and one small log that holds many of them."""
    words = random.Random(1)
    rules = []
    for i in range(20 * size):
        word = "".join(words.choice("bcdfghjklmnpqrstvwxz") for _ in range(9))
        rules.append(f"- id: made/rule-{i}\n  title: t{i}\n  severity: error\n  match: {{ line: '{word} (?P<n>\\d+)' }}\n"
                     f"  explains: [ 'made/*' ]\n  cause: c\n  fix: [ {{ do: d }} ]\n"
                     "  references: [ 'https://example.org' ]\n"
                     f"  examples: [ {{ log: '{word} 1' }}, {{ not: '{word} x' }} ]\n")
    (folder / "rules").mkdir()
    for at in range(0, len(rules), 200):
        (folder / "rules" / f"{at}.yaml").write_text("".join(rules[at:at + 200]))
    (folder / "log.txt").write_text("step 1\n")
    return ["--rules", str(folder / "rules"), str(folder / "log.txt")]


def write_archive(folder, size):
    import zipfile
    with zipfile.ZipFile(folder / "logs.zip", "w") as archive:
        for i in range(20 * size):
            archive.writestr(f"{i}.log", status(i) + "\n")
    return [str(folder / "logs.zip")]


SHAPES = {name: (lambda folder, size, name=name: write_text(folder, name, size)) for name in TEXTS}
SHAPES |= {
    "files that are healthy": lambda folder, size: write_files(folder, size, lambda i: f"step {i}\n"),
    "files with a fault each": lambda folder, size: write_files(folder, size, lambda i: traceback(i) + "\n" + status(i) + "\n"),
    "files with one fault": lambda folder, size: write_files(folder, size, lambda i: status(0) + "\n"),
    "files of ranks": lambda folder, size: write_files(folder, size, lambda i: status(i) + "\n" + nccl(i) + "\n"),
    "kernel log and jobs": write_kernel_and_jobs,
    "members of an archive": write_archive,
    "rules": write_rules,
}


def seconds(binary, arguments):
    """Processor seconds of the fastest of some runs."""
    best = math.inf
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([binary, "--fail-on", "never", "--format", "json", *arguments], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=300)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(f"growth.py: {arguments}: status {done.returncode}: {done.stderr.decode()[:500]}")
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, took)
        if took > 2:
            break
    return best


def exponent(small, large):
    if large < NOISE:
        return None
    return math.log10(large / max(small, NOISE / 10))


def measure(binary, shape, empty):
    times = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            times.append(max(seconds(binary, SHAPES[shape](folder, size)) - empty, 1e-4))
    return times, exponent(times[1], times[2])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        log = pathlib.Path(name) / "empty.log"
        log.write_text("step 1\n")
        empty = seconds(binary, [str(log)])
    print(f"an empty log takes {empty:.3f} s; limit of growth {LIMIT}\n")
    print(f"{'shape':30} {'1x s':>8} {'10x s':>8} {'100x s':>8} {'growth':>7}")
    too_fast = []
    for shape in sys.argv[2:] or SHAPES:
        times, grows = measure(binary, shape, empty)
        shown = "-" if grows is None else f"{grows:.2f}"
        print(f"{shape:30} {times[0]:8.3f} {times[1]:8.3f} {times[2]:8.3f} {shown:>7}", flush=True)
        if grows is not None and grows > LIMIT:
            too_fast.append(shape)
    if too_fast:
        sys.exit(f"\nfaster than linear: {', '.join(too_fast)}")


if __name__ == "__main__":
    main()
