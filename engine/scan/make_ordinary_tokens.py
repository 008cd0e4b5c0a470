#!/usr/bin/env python3
"""Makes engine/scan/ordinary_tokens.inc from logs of healthy runs.

usage: engine/scan/make_ordinary_tokens.py LOG... > engine/scan/ordinary_tokens.inc

Every word (letters, digits, underscores; 3 to 40 bytes, not all digits) that stands at least twice in the logs is a
row: the word, and its occurrences per 1,000 lines. The shipped table was made from

    tests/corpus/{342,426,432,435,437}*/*.log tests/corpus/436*/*.txt
"""
import collections
import re
import sys


def main():
    counts, lines = collections.Counter(), 0
    for path in sys.argv[1:]:
        with open(path, errors="replace") as log:
            for line in log:
                lines += 1
                counts.update(re.findall(r"[A-Za-z0-9_]{3,40}", line))
    if not lines:
        sys.exit(__doc__)
    for word, count in sorted(counts.items()):
        if count >= 2 and not word.isdigit() and not re.fullmatch(r"[0-9a-f]{8,}", word):
            print('{"%s", %.3g},' % (word, 1000.0 * count / lines))


main()
