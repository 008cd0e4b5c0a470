#!/usr/bin/env python3
"""Makes engine/scan/ordinary_tokens.inc from logs.

usage: engine/scan/make_ordinary_tokens.py LOG... > engine/scan/ordinary_tokens.inc

Most lines of any log, also of a failed job's, are ordinary. A word (letters, digits, underscores; 2 to 40 bytes, not
all digits) counts at most MOST times in one log, so that a storm of one message does not look ordinary, and is a row
when it stands in two logs or more, or often in one: the word, and its occurrences per 1,000 lines. The shipped table
was made from every log in tests/corpus:

    find tests/corpus -type f ! -name '*.json' ! -name '*.cc' ! -name '*.h' ! -name known_misses.txt | sort | xargs engine/scan/make_ordinary_tokens.py
"""
import collections
import re
import sys

MOST = 300


def main():
    counts, logs, lines = collections.Counter(), collections.Counter(), 0
    for path in sys.argv[1:]:
        here = collections.Counter()
        with open(path, errors="replace") as log:
            for number, line in enumerate(log):
                here.update(re.findall(r"[A-Za-z0-9_]{2,40}", line))
        lines += min(number + 1, 4 * MOST)
        for word, count in here.items():
            counts[word] += min(count, MOST)
            logs[word] += 1
    if not lines:
        sys.exit(__doc__)
    for word, count in sorted(counts.items()):
        ordinary = logs[word] >= 2 or count >= 5
        if ordinary and not word.isdigit() and not re.fullmatch(r"(0x)?[0-9a-fA-F]{6,}", word):
            print('{"%s", %.3g},' % (word, 1000.0 * count / lines))


main()
