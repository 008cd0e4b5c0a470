"""Envelopes of a whole file: encodings, line ends, and what other programs make of it. A row is a name and a function
from a Log to bytes."""
import os
import subprocess
import tempfile

from log import UPTIME, readable, times, to_bytes


class MissingTool(Exception):
    """A program that a wrap needs is not installed."""


def run(command, data=b""):
    try:
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout
    except FileNotFoundError as error:
        raise MissingTool(command[0]) from error


def recoded(encoding, mark=b"", end="\r\n"):
    def wrap(log):
        text = "".join(readable(line).rstrip("\r") + end for line in log.lines)
        return mark + text.encode(encoding)
    return wrap


def crlf(log):
    return to_bytes([line.rstrip("\r") for line in log.lines], "\r\n")


def appended_utf16(log):
    """PowerShell 5: `>>` appends UTF-16 to what another program wrote; here a first line in bytes."""
    return b"job 4711 starts\r\n" + recoded("utf-16-le")(log)


def appended_bytes(log):
    """The reverse: PowerShell's `>` makes UTF-16, cmd appends bytes."""
    return recoded("utf-16-le", b"\xff\xfe")(log.with_lines(["job 4711 starts"])) + crlf(log)


def tool(*command):
    return lambda log: run(command, to_bytes(log.lines))


JOURNAL_REMOTE = "/lib/systemd/systemd-journal-remote"


def journal_field(name, value):
    """systemd.io/JOURNAL_EXPORT_FORMATS: text as NAME=value, what holds control characters with its length."""
    data = value.encode("utf-8", "surrogateescape")
    if all(byte >= 32 or byte == 9 for byte in data) and "\udc80" > max(value, default=""):
        return name.encode() + b"=" + data + b"\n"
    return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"


def journal_entries(log):
    """What journald stores of the log: of a service's output no blank lines and no trailing blanks, of the kernel's
    log no uptime."""
    entries = []
    for at, line in zip(times(log), log.lines):
        uptime = UPTIME.match(line) if log.kernel else None
        message = (line[uptime.end():] if uptime else line).rstrip(" \t\r")
        if not message.strip():
            continue
        fields = {"__REALTIME_TIMESTAMP": "%d" % (at.timestamp() * 1e6),
                  "__MONOTONIC_TIMESTAMP": "%d" % (float(uptime[1]) * 1e6 if uptime else 7000 * len(entries) + 1),
                  "_BOOT_ID": "1" * 32, "_MACHINE_ID": "2" * 32, "_HOSTNAME": "gn21",
                  "PRIORITY": "3" if uptime else "6", "_TRANSPORT": "kernel" if uptime else "stdout",
                  "SYSLOG_IDENTIFIER": "kernel" if uptime else "python3"}
        if not uptime:
            fields.update({"_PID": "4242", "_COMM": "python3", "_SYSTEMD_UNIT": "train.service"})
        entries.append(b"".join(journal_field(*field) for field in fields.items()) +
                       journal_field("MESSAGE", message) + b"\n")
    return b"".join(entries)


def journal(output):
    """`journalctl -o OUTPUT` of a journal that systemd-journal-remote has written."""
    def wrap(log):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.journal")
            run([JOURNAL_REMOTE, "-o", path, "-"], journal_entries(log))
            return run(["journalctl", "--file", path, "--no-pager", "-a", "--utc", "-o", output])
    return wrap


FILES = {
    "crlf": crlf,
    "returns-only": lambda log: to_bytes([line.rstrip("\r") for line in log.lines], "\r"),
    "no-final-newline": lambda log: to_bytes(log.lines).rstrip(b"\r\n"),
    "utf8-bom": lambda log: b"\xef\xbb\xbf" + to_bytes(log.lines),
    "utf16le-bom": recoded("utf-16-le", b"\xff\xfe"),
    "utf16be-bom": recoded("utf-16-be", b"\xfe\xff"),
    "utf16le": recoded("utf-16-le"),
    "utf16be": recoded("utf-16-be", end="\n"),
    "utf8-then-utf16": appended_utf16,
    "utf16-then-utf8": appended_bytes,
    "gzip": tool("gzip", "-c"),
    "bzip2": tool("bzip2", "-c"),
    "xz": tool("xz", "-c"),
    "zstd": tool("zstd", "-qc"),
    "lz4": tool("lz4", "-qc"),
    **{"journal-" + output: journal(output) for output in
       ("short", "short-iso", "short-precise", "with-unit", "json", "export", "verbose", "cat")},
}
