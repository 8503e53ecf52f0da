#!/usr/bin/env python3
"""Races fastutf against the ways of the standard library, NumPy and pyarrow, and prints how many times as fast it is.

    python bench.py                    everything: some minutes
    python bench.py --quick            one round of each
    python bench.py --texts FOLDER     with the *.utf8.txt of a folder instead of texts made here
    python bench.py --only SUBSTRING   only tasks whose name contains it
    python bench.py --rows 1000000     the length of the columns

Each round times all contenders of a task one after another, in turns, and each keeps its best time, in seconds of CPU: what else
the machine does hits all of them.
"""

import argparse
import codecs
import ctypes
import io
import platform
import random
import sys
import time
from pathlib import Path

import fastutf

SIZES = [16, 32, 64, 256, 1024, 4096, 65536, 1 << 20]
ROUNDS = 15
SECONDS = 0.002



def words(letters, rest="", share=0.0, seed=1):
    """64 KB of words of random letters, so that no branch predictor learns them."""
    choose = random.Random(seed)
    text = []
    while len(text) < 40_000:
        source = rest if choose.random() < share else letters
        text += choose.choices(source, k=choose.randint(2, 9)) + [choose.choice([" ", " ", " ", ", "])]
    return "".join(text)


def between(first, last):
    return "".join(map(chr, range(ord(first), ord(last) + 1)))


ASCII = between("a", "z")
SAMPLES = {
    "ascii": words(ASCII),
    "french": words(ASCII * 3 + "àâçéèêëîôù"),
    "russian": words(between("а", "я")),
    "chinese": words(between("一", "龥")).replace(" ", "").replace(",", "，"),
    "korean": words(between("가", "힣")),
    "emoji": words(between("😀", "🙏")),
    "mixed": words(ASCII, "éłжя€北京한😀", 0.3),
}


def best(contenders, rounds=99):
    """The best time of each statement, in seconds. They are compiled into the loop, as a program would have them."""
    code = {}
    for name, (source, names) in contenders.items():
        names = dict(names, process_time=time.process_time)
        body = "\n".join("        " + line for line in source.splitlines())
        text = f"def run(loop):\n    start = process_time()\n    for _ in loop:\n{body}\n    return process_time() - start"
        exec(text, names)
        code[name] = names["run"]
    counts = {name: max(1, int(SECONDS / max(run(range(1)), 1e-7))) for name, run in code.items()}
    times = dict.fromkeys(code, float("inf"))
    for _ in range(min(rounds, ROUNDS)):
        for name, run in code.items():
            times[name] = min(times[name], run(range(counts[name])) / counts[name])
    return times


def texts(folder):
    if folder is None:
        return SAMPLES
    return {path.name.split("-")[0].lower(): path.read_text("utf-8") for path in sorted(Path(folder).glob("*.utf8.txt"))}


def of_size(text, size):
    """About `size` bytes of UTF-8."""
    unit = len(text.encode()) / len(text)
    return (text * (int(size / unit / len(text)) + 2))[: max(1, int(size / unit))]


TRY = "try:\n    data.decode()\nexcept UnicodeDecodeError:\n    pass"

# For each task: the data of a text, fastutf's statement, and CPython's.
TASKS = {
    "is_valid_utf8": (lambda text: text.encode(), "is_valid_utf8(data)", TRY),
    "decode_utf8": (lambda text: text.encode(), "decode_utf8(data)", "data.decode()"),
    "utf16_to_utf8": (
        lambda text: text.encode("utf-16-le"),
        "utf16_to_utf8(data)",
        "data.decode('utf-16-le').encode()",
    ),
    "utf8_to_utf16": (
        lambda text: text.encode(),
        "utf8_to_utf16(data)",
        "data.decode().encode('utf-16-le')",
    ),
    "decode_utf16": (lambda text: text.encode("utf-16-le"), "decode_utf16(data)", "data.decode('utf-16-le')"),
    "count_chars_utf8": (lambda text: text.encode(), "count_chars_utf8(data)", "len(data.decode())"),
    "repair_utf8": (
        lambda text: text.encode() + b"\xff",
        "repair_utf8(data)",
        "data.decode('utf-8', 'replace').encode()",
    ),
    "latin1_to_utf8": (
        lambda text: text.encode("latin-1", "replace"),
        "latin1_to_utf8(data)",
        "data.decode('latin-1').encode()",
    ),
}

LOOP = "pa.array([row.decode('utf-16-le') for row in column.to_pylist()], pa.string())"

# All rows joined with U+0000 in between, decoded and encoded by CPython, and split again.
JOINED = """joined = pc.binary_join(pa.ListArray.from_arrays([0, len(column)], column), b"\\0\\0")[0].as_buffer()
text = str(joined, "utf-16-le").encode()
pc.split_pattern(pa.array([text], pa.utf8()), "\\0").flatten()"""


def columns(count, samples):
    try:
        import pyarrow as pa
        import pyarrow.compute as pc
    except ImportError:
        print("\ncolumns: pyarrow is not installed")
        return
    print(f"\ncolumns of {count} rows of 5 to 30 characters: times as fast as\n")
    print("text       a loop over rows, UTF-16   pyarrow's join and split, UTF-16   pyarrow's cast, UTF-8")
    for language, sample in samples.items():
        choose = random.Random(1)
        starts = [choose.randrange(len(sample) - 30) for _ in range(min(count, 50_000))]
        rows = [sample[start : start + choose.randint(5, 30)] for start in starts]
        rows = (rows * (count // len(rows) + 1))[:count]
        column = pa.array([row.encode("utf-16-le") for row in rows])
        utf8 = pa.array([row.encode() for row in rows])
        names = dict(functions, pa=pa, pc=pc, column=column, utf8=utf8)
        ours = "pa.array(decode_column(column, 'utf-16-le'))"
        results = {}
        for name, source in (("ours", ours), ("loop", LOOP), ("joined", JOINED)):
            *before, last = source.splitlines()
            exec("\n".join([*before, "result = " + last]), names)
            results[name] = names["result"]
        assert results["ours"] == results["loop"] == results["joined"]
        times = best({"ours": (ours, names), "loop": (LOOP, names), "joined": (JOINED, names)}, rounds=3)
        cast = best({"ours": ("pa.array(decode_column(utf8))", names), "cast": ("utf8.cast(pa.string())", names)})
        measured["loop", language, 0] = times["loop"] / times["ours"]
        measured["joined", language, 0] = times["joined"] / times["ours"]
        ratios = times["loop"] / times["ours"], times["joined"] / times["ours"], cast["cast"] / cast["ours"]
        print(f"{language:11}{ratios[0]:15.1f}{ratios[1]:27.1f}{ratios[2]:32.1f}", flush=True)


functions = {name: getattr(fastutf, name) for name in fastutf.__all__}


# By task, text and size.
measured = {}

# What the package is to reach: the least over all texts.
GOALS = [
    ("is_valid_utf8", 10, "bytes.decode in a try, 64 KB", lambda task, size: task == "is_valid_utf8" and size == 65536),
    ("utf16_to_utf8", 6, "decode and encode, 64 KB", lambda task, size: task == "utf16_to_utf8" and size == 65536),
    ("decode_column", 15, "a Python loop, UTF-16", lambda task, size: task == "loop"),
    ("decode_column", 3, "the best pyarrow way, UTF-16", lambda task, size: task == "joined"),
    ("every function", 1, "CPython, from 64 bytes on", lambda task, size: task in TASKS and size >= 64),
]


def goals():
    print("\ngoals, for each text the least over what is named")
    for ours, goal, theirs, belongs in GOALS:
        least = {}
        for (task, language, size), ratio in measured.items():
            if belongs(task, size):
                least[language] = min(least.get(language, (ratio, task, size)), (ratio, task, size))
        missed = [f"{language} {ratio:.2f} ({task}, {label(size)})" for language, (ratio, task, size) in least.items() if ratio < goal]
        if least:
            lowest = min(ratio for ratio, _, _ in least.values())
            print(f"{ours} >= {goal} x {theirs}: {lowest:.2f}; " + ("missed: " + ", ".join(missed) if missed else "met"))


def table(name, task, samples):
    make, ours, theirs = task
    print(f"\n{name}: times as fast as\n{theirs}\n")
    print("text       " + "".join(f"{label(size):>8}" for size in SIZES))
    worst = {}
    for language, sample in samples.items():
        row = []
        for size in SIZES:
            data = make(of_size(sample, size))
            times = best({"ours": (ours, dict(functions, data=data)), "theirs": (theirs, {"data": data})})
            ratio = times["theirs"] / times["ours"]
            row.append(ratio)
            worst[size] = min(worst.get(size, ratio), ratio)
            measured[name, language, size] = ratio
        print(f"{language:11}" + "".join(f"{ratio:8.2f}" for ratio in row), flush=True)
    print("least      " + "".join(f"{worst[size]:8.2f}" for size in SIZES))


TRANSCODED = "for chunk in Transcoder('utf-16-le').over(io.BytesIO(data)): pass"
DECODED = """decoder, file = codecs.getincrementaldecoder('utf-16-le')(), io.BytesIO(data)
while chunk := file.read(262144):
    decoder.decode(chunk).encode()
decoder.decode(b'', True)"""
VALIDATED = TRANSCODED.replace("Transcoder('utf-16-le')", "Validator('utf-8')")
CHECKED = DECODED.replace("utf-16-le", "utf-8").replace(".encode()", "")


def streams(samples):
    print("\nfiles of 16 MB, in chunks of 256 KB: times as fast as CPython's incremental decoders\n")
    print("text       Validator, UTF-8   Transcoder, UTF-16 to UTF-8")
    for language, sample in samples.items():
        text = of_size(sample, 16 << 20)
        names = dict(functions, codecs=codecs, io=io)
        utf8, utf16 = dict(names, data=text.encode()), dict(names, data=text.encode("utf-16-le"))
        validated = best({"ours": (VALIDATED, utf8), "theirs": (CHECKED, utf8)}, rounds=5)
        transcoded = best({"ours": (TRANSCODED, utf16), "theirs": (DECODED, utf16)}, rounds=5)
        ratios = [times["theirs"] / times["ours"] for times in (validated, transcoded)]
        print(f"{language:11}{ratios[0]:16.1f}{ratios[1]:30.1f}", flush=True)


def label(size):
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB" if size >= 1024 else f"{size} B"


def keep_memory():
    """Makes glibc keep what has been freed, as programs that run for long do by and by. Otherwise results of 128 KB and more
    sometimes get fresh pages and sometimes do not, which takes longer than the conversion and hits contenders by chance."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        m_trim_threshold, m_mmap_threshold = -1, -3
        return bool(libc.mallopt(m_mmap_threshold, 1 << 30) and libc.mallopt(m_trim_threshold, 1 << 30))
    except (OSError, AttributeError):
        return False


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--texts")
    options.add_argument("--only", default="")
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--sizes", help="in bytes, with commas in between")
    options = options.parse_args()
    if options.quick:
        global ROUNDS
        ROUNDS = 1
    if options.sizes:
        SIZES[:] = map(int, options.sizes.split(","))
    kept = "memory is kept" if keep_memory() else "memory is not kept"
    print(f"CPython {platform.python_version()}, fastutf {fastutf.__version__}, {sys.platform}, {kept}")
    samples = texts(options.texts)
    for name, task in TASKS.items():
        if options.only in name:
            table(name, task, samples)
    if options.only in "streams":
        streams(samples)
    if options.only in "columns":
        columns(options.rows, samples)
    goals()


if __name__ == "__main__":
    main()
