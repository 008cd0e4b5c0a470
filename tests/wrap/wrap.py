#!/usr/bin/env python3
"""Wraps the labelled logs in what logs come in, with the real tools where there are some.

usage: wrap.py --list
       wrap.py WRAP CORPUS OUT

--list prints the names of all wraps. Else every log of CORPUS (folders with a case.json) is written, wrapped, to the
same place below OUT; a case that this wrap makes no sense for is left out. Exit status 3: a tool is not installed.
"""
import json
import os
import sys

from byte_wraps import FILES, MissingTool
from line_wraps import KERNEL, TEXT
from log import read_case, to_bytes


def wrapped(wrap, log):
    """The bytes of the wrapped log, or None."""
    if wrap in FILES:
        return FILES[wrap](log)
    if wrap in KERNEL:
        return to_bytes(KERNEL[wrap](log)) if log.kernel else None
    return to_bytes(TEXT[wrap](log))


def wrap_corpus(wrap, corpus, out):
    for name in sorted(os.listdir(corpus)):
        try:
            with open(os.path.join(corpus, name, "case.json"), encoding="utf-8") as file:
                files = json.load(file)["files"]
        except (FileNotFoundError, NotADirectoryError):
            continue
        for path, log in read_case([os.path.join(corpus, name, file) for file in files]).items():
            data = wrapped(wrap, log)
            if data is None:
                continue
            target = os.path.join(out, os.path.relpath(path, corpus))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)


def main(arguments):
    if arguments == ["--list"]:
        print("\n".join([*FILES, *TEXT, *KERNEL]))
        return 0
    if len(arguments) != 3 or arguments[0] not in {**FILES, **TEXT, **KERNEL}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        wrap_corpus(*arguments)
    except MissingTool as error:
        print("wrap.py: %s is not installed" % error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
