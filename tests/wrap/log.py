"""A log as the generators see it: lines of text, with bytes that are no UTF-8 kept as surrogates."""
import datetime
import re

UPTIME = re.compile(r"\[ *(\d+\.\d{6})\] ")
CLOCK = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)")
SOME_DAY = datetime.datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=datetime.timezone.utc)


def first_clock(lines):
    """The first time that the lines themselves name in full, or None."""
    for line in lines:
        if found := CLOCK.search(line[:100]):
            return datetime.datetime(*map(int, found.groups()), 123456, tzinfo=datetime.timezone.utc)
    return None


class Log:
    """`start` is when its first line was written. Stamps must agree with the clocks inside: a fault that seems to be
    years older than the rest of the log explains nothing of it."""

    def __init__(self, lines, start):
        self.lines = lines
        self.start = start
        kernel = sum(bool(UPTIME.match(line)) for line in lines)
        self.kernel = kernel > 0.8 * len(lines)  # what dmesg printed, and little else

    def with_lines(self, lines):
        return Log(lines, self.start)


def read_lines(path):
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "surrogateescape").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def read_case(paths):
    """The logs of one case, by path."""
    texts = {path: read_lines(path) for path in paths}
    start = first_clock(line for lines in texts.values() for line in lines) or SOME_DAY
    return {path: Log(lines, start) for path, lines in texts.items()}


def times(log):
    """A time for each line, 7 ms apart, never before one that the line itself names."""
    result = []
    now = log.start
    for line in log.lines:
        own = first_clock([line])
        now = max(now + datetime.timedelta(milliseconds=7), own or now)
        result.append(now)
    return result


def to_bytes(lines, end="\n"):
    return "".join(line + end for line in lines).encode("utf-8", "surrogateescape")


def readable(text):
    """As a JSON encoder that was given bytes makes them: what is no UTF-8 becomes U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
