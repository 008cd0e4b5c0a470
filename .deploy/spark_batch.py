#!/usr/bin/env python3
"""Diagnoses a folder of logs on Apache Spark: spark-submit spark_batch.py LOGS REPORT

Each partition's logs go through one cutopsy, and the rows of a fingerprint are reduced by `cutopsy merge`. REPORT is,
byte for byte, what one process gives on one machine:

    cd LOGS && cutopsy --separate --context 2 --format jsonl . | cutopsy merge >REPORT

LOGS may stand on any file system that Spark reads. Every worker needs the program: name it with --binary, or send it
along with `spark-submit --files cutopsy` and name it ./cutopsy.
"""
import argparse
import pathlib
import subprocess
import tempfile
from urllib.parse import urlparse

from pyspark.sql import SparkSession


def below(root, url):
    """The path of a file from the folder of logs on."""
    return pathlib.PurePosixPath(urlparse(url).path).relative_to(urlparse(root).path).as_posix()


def diagnose(binary, root, files):
    """The lines of one partition's logs, each with its fingerprint."""
    import json  # on the worker

    with tempfile.TemporaryDirectory() as folder:
        for url, content in files:
            target = pathlib.Path(folder, below(root, url))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        if not any(pathlib.Path(folder).iterdir()):
            return
        command = [binary, "--separate", "--context", "2", "--format", "jsonl", "--fail-on", "never", "."]
        lines = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True).stdout
    for line in lines.splitlines(keepends=True):
        yield json.loads(line)["fingerprint"], line


def merge(binary, *reports):
    """Reduces lines to rows: in any order, in any grouping, to the same."""
    command = [binary, "merge"]
    return subprocess.run(command, input=b"".join(reports), stdout=subprocess.PIPE, check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs")
    parser.add_argument("report")
    parser.add_argument("--binary", default="cutopsy")
    parser.add_argument("--partitions", type=int, default=None)
    parser.add_argument("--master", default=None, help="where spark-submit does not say it")
    options = parser.parse_args()
    binary = options.binary
    builder = SparkSession.builder.appName("cutopsy")
    builder.config("spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive", "true")
    if options.master:
        builder.master(options.master)
    session = builder.getOrCreate()
    root = options.logs if urlparse(options.logs).scheme else pathlib.Path(options.logs).resolve().as_uri()
    rows = (
        session.sparkContext.binaryFiles(root, options.partitions)
        .mapPartitions(lambda files: diagnose(binary, root, files))
        .reduceByKey(lambda a, b: merge(binary, a, b))
        .values()
        .collect()
    )
    pathlib.Path(options.report).write_bytes(merge(binary, *rows))
    session.stop()


if __name__ == "__main__":
    main()
