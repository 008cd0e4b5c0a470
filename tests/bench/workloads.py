"""The logs that the benchmarks read: generated, the same at every run."""
import pathlib
import subprocess

# kind of bench_logs -> megabytes
LOGS = {"clean": 400, "ci": 100, "kernel": 100, "near": 100, "dense": 100, "candidates": 20, "unfinished": 200}
LARGE_MEGABYTES = 4096
FILES = 20_000
LINES_OF_FILE = 50


def make_log(build, kind, megabytes, path):
    with open(path, "wb") as out:
        subprocess.run([build / "tests/bench/bench_logs", kind, str(megabytes)], check=True, stdout=out)


def make_files(build, folder):
    """FILES small logs, 100 to a folder; returns their megabytes."""
    megabytes = FILES * LINES_OF_FILE * 130 // 1_000_000
    text = subprocess.run([build / "tests/bench/bench_logs", "clean", str(megabytes)], check=True,
                          capture_output=True).stdout
    lines = text.splitlines(keepends=True)
    written = 0
    for number in range(FILES):
        path = pathlib.Path(folder, str(number // 100), f"{number}.log")
        path.parent.mkdir(parents=True, exist_ok=True)
        first = number * LINES_OF_FILE % (len(lines) - LINES_OF_FILE)
        written += path.write_bytes(b"".join(lines[first:first + LINES_OF_FILE]))
    return written / 1e6
