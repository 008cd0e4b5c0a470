#!/usr/bin/env python3
"""Makes engine/scan/ordinary_lines.inc: in how many of 100,000 ordinary lines a piece of text stands.

usage: engine/scan/make_ordinary_lines.py LOG... > engine/scan/ordinary_lines.inc

Ordinary are the lines of systems at work: the 16 samples of Loghub (Zhu, He, He, Liu, Lyu: Loghub: A Large Collection
of System Log Datasets for AI-driven Log Analytics, ISSRE 2023, https://github.com/logpai/loghub), 2,000 lines each of
operating systems, servers, supercomputers and applications, and 68,000 lines of a training log as the benchmarks make
it. The samples themselves are not ours to pass on; the table holds counts of words and pairs of words only.

    git clone https://github.com/logpai/loghub && git -C loghub checkout dd61d0952749ee7963bde24220d1be5ede023033
    build/release/tests/bench/bench_logs clean 16 | head -n 68000 > training.log
    engine/scan/make_ordinary_lines.py loghub/*/*_2k.log training.log > engine/scan/ordinary_lines.inc

A row is a word, or what stands where two words meet: at most WORD bytes of each and the separator between them.
Numbers and the text that log shippers escape (quotes, backslashes, < > &) separate rows. Rows that stand in one line
only, and those that hold no trigger (fewer than two letters, words of fewer than FEWEST bytes), are left out.
"""
import collections
import re
import sys

LINES = 100_000
COLUMNS = 118
WORD = 7  # a trigger has 8 bytes at most, so one beside a separator
FEWEST = 5
BREAK = re.compile(r"""[^ -~]|["'\\<>&`0-9]""")
RUN = re.compile(r"[A-Za-z_]+|[^A-Za-z_]+")


def is_word(run):
    return run[0].isalpha() or run[0] == "_"


def rows(line):
    found = set()
    for part in BREAK.split(line):
        runs = RUN.findall(part)
        for i, run in enumerate(runs):
            if is_word(run):
                found.add(run)
                continue
            left = runs[i - 1][-WORD:] if i > 0 else ""
            right = runs[i + 1][:WORD] if i + 1 < len(runs) else ""
            if len(run) < WORD:
                found.add(left + run + right)
            else:
                found.update((left + run[:WORD], run[-WORD:] + right))
    return found


def may_hold_a_trigger(text):
    letters = sum(map(str.isalpha, text))
    return letters >= 2 and (len(text) >= FEWEST or len(RUN.findall(text)) > 1)


def main():
    counts, lines = collections.Counter(), 0
    for path in sys.argv[1:]:
        with open(path, errors="replace", newline="\n") as log:
            for line in log:
                counts.update(rows(line.rstrip("\r\n")))
                lines += 1
    if lines != LINES:
        sys.exit(f"{lines} lines, not {LINES}\n{__doc__}")
    row = ""
    for text, count in sorted(counts.items()):
        if count < 2 or not may_hold_a_trigger(text):
            continue
        cell = '{"%s", %d},' % (text, count)
        if len(row) + len(cell) > COLUMNS:
            print(row.rstrip())
            row = ""
        row += cell + " "
    print(row.rstrip())


main()
