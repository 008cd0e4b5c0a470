"""Seeds and dictionaries of the fuzz targets, made from what the tree already has: labelled logs, examples of rules,
lines of every format and dialect."""
import bz2
import glob
import gzip
import io
import json
import lzma
import re
import struct
import subprocess
import tarfile
import zipfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PIECE = 1500  # bytes of a seed that is cut out of a long log


def texts_below(pattern):
    return [Path(path).read_bytes() for path in sorted(glob.glob(str(ROOT / pattern), recursive=True))]


def packs(lines, size=1000):
    """Lines together, since each seed costs a start; few, since long ones are changed at one place only."""
    pack = b""
    for line in lines:
        if pack and len(pack) + len(line) > size:
            yield pack
            pack = b""
        pack += line.rstrip(b"\n") + b"\n"
    if pack:
        yield pack


def telling_pieces(log, words, most=2):
    """The pieces of a log that hold the most different words of the dictionary."""
    pieces = [log[at:at + PIECE] for at in range(0, len(log), PIECE)]
    return sorted(pieces, key=lambda piece: -sum(word in piece for word in words))[:most]


def corpus(words):
    for path in sorted(glob.glob(str(ROOT / "tests/corpus/*/*"))):
        if not path.endswith("case.json"):
            yield from telling_pieces(Path(path).read_bytes(), words)


def read_yaml(text):
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def rule_examples():
    for text in texts_below("rules/**/*.yaml"):
        for rule in read_yaml(text):
            for holder in [rule] + rule.get("table", []):
                for example in holder.get("examples", []):
                    for key in ("log", "not", "todo"):
                        if isinstance(example, dict) and isinstance(example.get(key), str):
                            yield example[key].encode()


def table_lines():
    """The logs in the tables of tests/coverage; "\\n" stands for a line's end there."""
    for text in texts_below("tests/coverage/*.tsv"):
        for row in text.split(b"\n"):
            columns = row.split(b"\t")
            if len(columns) > 1 and not row.startswith(b"#"):
                yield columns[-1].replace(b"\\n", b"\n")


def form_lines():
    for name in ("envelopes", "xid_samples", "sxid_samples"):
        for form in read_yaml((ROOT / f"tests/forms/{name}.yaml").read_text()):
            yield form.get("raw", form.get("log", "")).encode("utf-8", "surrogatepass")
    for line in read_yaml((ROOT / "tests/forms/plain_lines.yaml").read_text()):
        yield line.encode()
    for name in ("driver_lines.txt", "nvlink5_events.tsv"):
        yield from (ROOT / "tests/forms" / name).read_bytes().split(b"\n")


def format_samples():
    for row in (ROOT / "tests/forms/log_formats.tsv").read_bytes().split(b"\n"):
        if b"\t" in row and not row.startswith(b"#"):
            yield row.split(b"\t")[-1].replace(b"\\n", b"\n").replace(b"\\t", b"\t").replace(b"\\e", b"\x1b")


def logs(words):
    yield from corpus(words)
    yield from packs(rule_examples())
    yield from packs(format_samples())
    yield from packs(form_lines())
    yield from packs(table_lines())


def few_logs(words):
    return list(corpus(words))[::4] + list(rule_examples())[::16]


def two_logs(words):
    seeds = list(corpus(words)) + list(packs(rule_examples()))
    for first, second in zip(seeds, seeds[1:]):
        yield first[:1000] + b"\n===\n" + second[:1000]


def encodings(words):
    for number, log in enumerate(few_logs(words)):
        text = log.decode("utf-8", "replace")
        yield log + bytes([number % 256, 1])
        yield log[:200].replace(b"\n", b"\r") + bytes([number % 256, 4])
        yield text[:300].encode("utf-16-le") + b"\0\1"
        yield b"\xff\xfe" + text[:200].encode("utf-16-le") + b"job ends in bytes\r\n" + bytes([number % 256, number % 8])
        yield b"\xfe\xff" + text[:200].encode("utf-16-be") + b"\0\1"


def rule_files(_words):
    for path in sorted(glob.glob(str(ROOT / "rules/**/*.yaml"), recursive=True)):
        text = Path(path).read_text()
        for rule in re.split(r"\n(?=- id:)", text)[1:4]:
            yield rule[:4000].encode() + b"\n"
    for block in re.findall(r"(?:^    - .*\n(?:      .*\n|\n)*)+", (ROOT / "CONTRIBUTING.md").read_text(), re.M):
        yield re.sub(r"^    ", "", block, flags=re.M).encode()


def tar(members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def zipped(members, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def by_tool(command, data):
    try:
        return [subprocess.run([command, "-c"], input=data, capture_output=True, check=True).stdout]
    except OSError:
        return []


def packed(_words):
    log = b"epoch 1\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n" * 3
    members = [("job/train.log", log), ("../../etc/kern.log", b"NVRM: Xid (PCI:0000:18:00): 79\n"), ("a.py", b"x = 1\n")]
    layers = [log, tar(members), zipped(members), zipped(members, zipfile.ZIP_STORED),
              zipped([("inner.zip", zipped(members)), ("logs.tar.gz", gzip.compress(tar(members)))])]
    for layer in layers:
        yield layer
        yield gzip.compress(layer)
        yield gzip.compress(gzip.compress(layer)) + gzip.compress(b"second member\n")
        yield bz2.compress(layer)
        yield lzma.compress(layer)
        yield from by_tool("zstd", layer) + by_tool("lz4", layer)
        yield gzip.compress(layer)[:-9]
    yield zipped([("bomb.log", b"\0" * 3_000_000)])
    yield gzip.compress(b"a" * 3_000_000)


def report_lines(_words, material):
    files = [str(path) for path in sorted((ROOT / "tests/corpus").glob("*/*")) if path.name != "case.json"][::6]
    lines = subprocess.run([material, "report"] + files, capture_output=True, check=True).stdout.splitlines()
    lines = [line for line in lines if len(line) < 6000]
    for at in range(0, len(lines), 2):
        yield b"\n".join(lines[at:at + 2]) + b"\n"
    yield json.dumps({"incidents": [json.loads(lines[0])], "unknown": []}).encode()
    small = {"rule": "a/b", "fingerprint": "00", "title": "t", "severity": "fatal", "count": 3, "cases": 2,
             "case_names": ["a", "b"], "where": {"input": "a", "line": 1}, "first_seen": "2024-01-01T00:00:00Z"}
    yield json.dumps(small).encode() + b"\n" + json.dumps({**small, "rule": "unknown", "fingerprint": "01"}).encode()
    yield gzip.compress(json.dumps(small).encode())


def messages(_words):
    def encoded(texts):
        return b"%d\n" % len(texts) + b"".join(b"%d\n%s" % (len(text), text) for text in texts)
    gpu = [b"0", b"GPU-1", b"0000:3b:00.0", b"NVIDIA H200", b"9.0", b"151000000000", b"1", b"process 1"]
    yield encoded(gpu) + encoded(gpu * 2)
    yield encoded([b"ecc-counters", b"2", b"1500"] + gpu + [b"size", b"2 GiB"])
    yield encoded([b"2", b"1", b"so it is", b"do that", b"free_bytes", b"12"])
    yield encoded([b"0", b"0", b"detail", b""])


def container(images):
    body = b"".join(struct.pack("<HHIQ12xI8xQ16x", kind, 0x0101, 64, 24, architecture, flags) + b"x" * 24
                    for kind, architecture, flags in images)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def library(sections):
    names, data, table = b"\0", b"", [bytes(64)]
    for name, kind, content, link in sections + [(b".shstrtab", 3, None, 0)]:
        offset = 64 + len(data)
        table_name = len(names)
        names += name + b"\0"
        content = names if content is None else content
        table.append(struct.pack("<IIQQQQIIQQ", table_name, kind, 0, 0, offset, len(content), link, 0, 8, 0))
        data += content + b"\0" * (-len(content) % 8)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, 62, 1, 0, 0, 64 + len(data), 0, 64, 0, 0, 64,
                         len(table), len(table) - 1)
    return header + data + b"".join(table)


def device_code(_words):
    general = container([(2, 80, 0x11), (2, 90, 0x100011), (1, 90, 0x11)])
    family = container([(2, 100, 0x200011), (8, 75, 0x11), (16, 120, 0x11)])
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 18, 0, 3, 0, 32)
    yield general + family
    yield library([(b".nv_fatbin", 1, general + family, 0), (b"__nv_relfatbin", 1, family, 0)])
    yield library([(b".dynsym", 11, symbols, 2), (b".dynstr", 3, b"\0cuInit\0", 0), (b".text", 1, b"\x90" * 32, 0)])


def words_of_sources(*patterns):
    """The short string literals of C++ sources that are no regex."""
    found = set()
    for pattern in patterns:
        for text in texts_below(pattern):
            for word in re.findall(rb'(?<![\'\\])"([ !#-\[\]-~]{3,32})"', text):
                if not re.search(rb"[\[\](){}|*+?^$]|\.h$", word):
                    found.add(word)
    return sorted(found)


def words_of_schema():
    words = set()

    def walk(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "properties":
                    words.update(value)
                elif key == "enum":
                    words.update(word for word in value if isinstance(word, str))
                walk(value)
        elif isinstance(node, list):
            for item in node:
                walk(item)
    walk(json.loads((ROOT / "rules/schema.json").read_text()))
    marks = ["- ", ": ", ": >-\n", ": |\n", "{ ", " }", "[ ", " ]", "&a ", "*a", "<<: ", "!!str ", "? ", "---\n", "...\n",
             "'", '"', "# ", "(?P<", "(?i)", ".*", "\\d+", "{facts.", "{code}", "tag:", "\t", "~", "|-"]
    return sorted(f"{word}: ".encode() for word in words) + [mark.encode() for mark in marks]


def words_of_reports(lines):
    words = {word for line in lines for word in re.findall(rb'"[a-z_]{3,20}"', line)}
    return sorted(words) + [b"null", b"true", b"1e308", b"-1", b"18446744073709551615", b"[]", b"{}", b'"unknown"']


def quoted(word):
    text = "".join(chr(c) if 32 <= c < 127 and chr(c) not in '"\\' else f"\\x{c:02x}" for c in word)
    return f'"{text}"'
