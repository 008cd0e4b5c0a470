"""How whole processes are timed, so that other work on the machine matters little."""
import collections
import os
import subprocess
import time

Cost = collections.namedtuple("Cost", "wall processor mebibytes")


def run(command, cores):
    """What one run of `command` on `cores` ("0", "0,1") costs. Its exit status may be 1: no match, a failure found."""
    begin = time.perf_counter()
    process = subprocess.Popen(["taskset", "-c", cores, *map(str, command)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, command))} ended with {process.returncode}")
    return Cost(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def least_costs(commands, runs, cores="0"):
    """The least of each cost over several runs, the `commands` (by name) in turn: load only ever adds to them."""
    best = {}
    for _ in range(runs):
        for name, command in commands.items():
            cost = run(command, cores)
            best[name] = Cost(*map(min, cost, best.get(name, cost)))
    return best
