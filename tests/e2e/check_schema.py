#!/usr/bin/env python3
"""Checks the schema that `cutopsy rules schema` prints: usage: check_schema.py BINARY RULES_DIR

It must be a valid JSON Schema, accept every rule file of the project, and refuse files that the loader refuses.
"""
import json
import pathlib
import subprocess
import sys

import jsonschema
import yaml

WRONG = {
    "a key that rules do not have": "[{id: a/b, title: T, match: {line: 'some words'}, cause: C, fix: [{do: D}], oops: 1}]",
    "no cause": "[{id: a/b, title: T, match: {line: 'some words'}, fix: [{do: D}]}]",
    "two forms of a match": "[{id: a/b, title: T, match: {line: 'some words', event: gpu.oom}, cause: C, fix: [{do: D}]}]",
    "a status that is none": "[{id: a/b, title: T, status: new, match: {line: 'words'}, cause: C, fix: [{do: D}]}]",
    "append of one value": "[{append: a/b, title: T}]",
    "disable beside a rule's key": "[{disable: a/b, title: T}]",
}
RIGHT = "[{requires: '0.1'}, {disable: 'driver/*'}, {append: a/b, match: {line: 'more words'}, fix: [{do: D}]}]"


def main():
    binary, rules = sys.argv[1:]
    schema = json.loads(subprocess.run([binary, "rules", "schema"], capture_output=True, check=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted(pathlib.Path(rules).rglob("*.yaml"))
    assert files, "no rule files"
    for path in files:
        for error in validator.iter_errors(yaml.safe_load(path.read_text())):
            sys.exit(f"{path}: {error.json_path}: {error.message[:300]}")
    assert validator.is_valid(yaml.safe_load(RIGHT)), RIGHT
    for what, text in WRONG.items():
        assert not validator.is_valid(yaml.safe_load(text)), f"{what} is accepted"
    print(f"{len(files)} files are valid")


main()
